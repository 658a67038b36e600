package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
	"docket/domain/terms"
)

// A Policy says whose cosignatures a log needs: witnesses, groups of them, and a quorum. Its file
// has the form that C2SP's tools share, a component a line:
//
//	log KEY                           a log that the policy is for; without such a line, any
//	witness NAME KEY [URL]            a witness, with the address under which it takes checkpoints
//	group NAME any|all|N MEMBER…      a group of witnesses and of groups
//	quorum NAME                       the witness or the group that has to cosign
//
// Policies that are certainly mistakes are refused: one that requires no witness, or counts one key
// twice.
type Policy struct {
	quorum    torchwood.Policy
	logs      []string // verifier keys; empty: the policy is for any log
	witnesses []Witness
}

// A Witness is one of the witnesses of a policy.
type Witness struct {
	Name string // in the policy
	Key  string // verifier key of C2SP tlog-cosignature, as torchwood writes it
	URL  string // under which it takes checkpoints; "" if the policy does not say
}

// MostPolicy is the size of the largest policy that is read, in bytes.
const MostPolicy = 64 << 10

const quorumNone = "none"

// ParsePolicy reads the text of a policy. The error names the line at fault and its form.
func ParsePolicy(text []byte) (*Policy, error) {
	if len(text) > MostPolicy {
		return nil, fmt.Errorf("a witness policy has at most %d KiB", MostPolicy>>10)
	}
	p := policyReader{members: map[string]bool{}}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if err := p.line(fields); err != nil {
			return nil, fmt.Errorf("line %d of the witness policy: %w", i+1, err)
		}
		if fields[0] == "log" {
			lines[i] = "" // the library asks that every log of the list has signed
		}
	}
	if !p.quorum {
		return nil, errors.New("the witness policy names no quorum; its last line is `quorum NAME`, of a witness or a group")
	}
	quorum, err := torchwood.ParsePolicy([]byte(strings.Join(lines, "\n")))
	if err != nil {
		return nil, fmt.Errorf("the witness policy: %w", err)
	}
	return &Policy{quorum: quorum, logs: p.logs, witnesses: p.witnesses}, nil
}

// A policyReader reads what the library does not, and refuses a policy weaker than it looks.
type policyReader struct {
	logs      []string
	witnesses []Witness
	members   map[string]bool // of groups
	quorum    bool            // there is one
}

func (p *policyReader) line(fields []string) error {
	switch fields[0] {
	case "log":
		if len(fields) < 2 || len(fields) > 3 {
			return errors.New("a log is `log KEY`")
		}
		verifier, err := note.NewVerifier(fields[1])
		if err != nil {
			return errors.New("the key of the log cannot be read; `docket verify` prints it as NAME+HASH+KEY")
		}
		p.logs = append(p.logs, canonicalKey(verifier, fields[1]))
	case "witness":
		return p.witness(fields[1:])
	case "group":
		if len(fields) < 4 {
			return errors.New("a group is `group NAME any|all|N MEMBER…`")
		}
		for _, member := range fields[3:] {
			if p.members[member] {
				return fmt.Errorf("%s is a member twice, and would count twice", member)
			}
			p.members[member] = true
		}
	case "quorum":
		if len(fields) != 2 || fields[1] == quorumNone {
			return errors.New("a quorum is `quorum NAME`, of a witness or a group of the policy; none would require no witness")
		}
		p.quorum = true
	default:
		return errors.New("a line begins with log, witness, group or quorum, or with # as a comment")
	}
	return nil
}

func (p *policyReader) witness(fields []string) error {
	if len(fields) < 2 || len(fields) > 3 || fields[0] == quorumNone {
		return errors.New("a witness is `witness NAME KEY [URL]`")
	}
	verifier, err := torchwood.NewCosignatureVerifier(fields[1])
	if err != nil {
		return errors.New("the key of the witness cannot be read; its operator gives it as NAME+HASH+KEY, for cosignatures with Ed25519")
	}
	w := Witness{Name: fields[0], Key: verifier.String()}
	if len(fields) == 3 {
		w.URL = fields[2]
	}
	key := func(verifier string) string { return strings.SplitN(verifier, "+", 3)[2] }
	for _, other := range p.witnesses {
		if key(other.Key) == key(w.Key) {
			return fmt.Errorf("%s has the key of %s, and would count twice", w.Name, other.Name)
		}
	}
	p.witnesses = append(p.witnesses, w)
	return nil
}

// Witnesses lists the witnesses in the order of the file.
func (p *Policy) Witnesses() []Witness { return slices.Clone(p.witnesses) }

// Covers reports whether the policy is for the log with the verifier key.
func (p *Policy) Covers(log string) bool { return len(p.logs) == 0 || slices.Contains(p.logs, log) }

// metBy reports whether the witnesses are a quorum by full verifier keys, because a second key with
// the same short hash is easy to make.
func (p *Policy) metBy(keys map[string]bool) bool {
	var signatures []note.Signature
	for _, w := range p.witnesses {
		if verifier, err := torchwood.NewCosignatureVerifier(w.Key); keys[w.Key] && err == nil {
			signatures = append(signatures, note.Signature{Name: verifier.Name(), Hash: verifier.KeyHash()})
		}
	}
	return p.quorum.Check("", signatures) == nil
}

// A Coverage says how far a log fulfils a policy.
type Coverage struct {
	Met       bool          `json:"met"`
	Size      int64         `json:"size"`      // of the newest checkpoint by the quorum; 0 if none is
	At        terms.Instant `json:"at"`        // latest that the quorum vouches for; absent if not met
	Uncovered int64         `json:"uncovered"` // entries after that checkpoint
}

// Sentence returns the coverage in words, without a full stop.
func (c *Coverage) Sentence() string {
	switch {
	case !c.Met:
		return "no checkpoint of the log has the quorum of the witness policy"
	case c.Uncovered == 1:
		return fmt.Sprintf(
			"the quorum of the witness policy cosigned %s at %s; 1 newer entry is not covered yet",
			records.Count(c.Size), c.At)
	case c.Uncovered > 1:
		return fmt.Sprintf(
			"the quorum of the witness policy cosigned %s at %s; %d newer entries are not covered yet",
			records.Count(c.Size), c.At, c.Uncovered)
	}
	return fmt.Sprintf("the quorum of the witness policy cosigned the whole log of %s at %s", records.Count(c.Size), c.At)
}
