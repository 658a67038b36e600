package domain

import "fmt"

// A RecordID names an enforcement record: a UUIDv7 in lower case. "" is an absent one.
type RecordID string

// Present tells whether there is an id.
func (id RecordID) Present() bool { return id != "" }

// Valid tells whether the id has the form of a UUIDv7.
func (id RecordID) Valid() bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if _, ok := nibble(c); !ok {
				return false
			}
		}
	}
	return id[14] == '7' && (id[19] == '8' || id[19] == '9' || id[19] == 'a' || id[19] == 'b')
}

// A LogHead is the log as the reviewer last saw it, so that each record also vouches for the history before it.
type LogHead struct {
	Origin string // name of the log in its checkpoints
	Size   int64  // records in the log
	Root   Hash   // RFC 6962 root of the log at that size
}

// SignatureNamespace is the SSHSIG namespace in which enforcement records are signed.
const SignatureNamespace = "docket-enforcement-record"

// A Stamp is what a record needs besides the view and the choice, and what domain cannot make itself.
type Stamp struct {
	RecordID   RecordID
	Reviewer   Reviewer
	LogHead    LogHead
	RecordedAt Instant
	PacketSalt Salt // of the packetDigest; it is kept beside the record
}

// EnforcementMutation is the stateMutation of an enforcement record and of the routes that append one (seed 4.1 and 4.2): the
// only one there is.
const EnforcementMutation = "append_only_enforcement_record"

// An Enforcement is an enforcement record: its members and the canonical bytes that are signed and logged. Only Decide
// and ReadEnforcement make one; the zero value is refused wherever one is taken.
type Enforcement struct {
	members  EnforcementMembers
	document []byte
}

// Members are the record's members. What they refer to must not be changed.
func (e Enforcement) Members() *EnforcementMembers { return &e.members }

// Document is the record in canonical form; nil for the zero Enforcement. The bytes must not be changed.
func (e Enforcement) Document() []byte { return e.document }

// Table is the enforcement table the record belongs to.
func (e Enforcement) Table() Table {
	switch e.members.Area {
	case Appeals:
		return AppealEnforcements
	case Amendments:
		return AmendmentEnforcements
	}
	return 0
}

// maxInteger is where the integers that a record can hold end.
const maxInteger = 1 << 53

// maxEnforcementSize is in bytes: a leaf of the log can hold no more.
const maxEnforcementSize = 65535

// Decide makes the enforcement record of a choice about the packet in view, if everything that may stop it is in
// order: who records, what may be chosen under the gate and whether it needs reasons, that the record fits into the log and that it can be read
// back. The error is a *Refusal with the reason. A store checks all of it again before it appends.
func Decide(v *View, c Choice, s Stamp) (Enforcement, error) {
	c.AddedBlockers = c.AddedBlockers.Minus(v.Judgment().BlockerSet().Union(v.Carried()))
	a := attemptOn(v, s.Reviewer, gateWith(v, c.AddedBlockers))
	if err := a.refusal(false); err != nil {
		return Enforcement{}, err
	}
	if _, always := factorSets(v, c.Outcome, c.AddedBlockers); !c.Factors.Empty() {
		c.Factors = c.Factors.Union(always)
	}
	if err := c.check(v); err != nil {
		return Enforcement{}, err
	}
	if err := c.checkReasons(v, c.Statement.Digest()); err != nil {
		return Enforcement{}, err
	}
	if err := c.Statement.Check(); err != nil {
		return Enforcement{}, err
	}
	if !s.PacketSalt.Valid() {
		return Enforcement{}, &Refusal{"the digest of the packet has no salt"}
	}
	if err := s.check(v.EvaluatedAt(), &c); err != nil {
		return Enforcement{}, err
	}
	m := membersOf(v, &c, &s)
	document := m.document()
	if len(document) > maxEnforcementSize {
		return Enforcement{}, &Refusal{fmt.Sprintf("the record would have %d bytes; a log entry holds at most %d",
			len(document), maxEnforcementSize)}
	}
	var reader Reader
	if _, err := ReadEnforcement(&reader, m.Area, document); err != nil {
		return Enforcement{}, &Refusal{"the record could not be read back: " + err.Error()}
	}
	return Enforcement{m, document}, nil
}

// check tells whether the stamp is whole, no time runs backwards, and the id is one of its time.
func (s *Stamp) check(evaluatedAt Instant, c *Choice) error {
	switch {
	case !s.RecordID.Valid():
		return &Refusal{"the record has no valid id"}
	case s.Reviewer.KeyFingerprint == "":
		return &Refusal{"the reviewer has no signing key; run `docket identity init` first"}
	case s.LogHead.Size < 0 || s.LogHead.Size >= maxInteger || !s.LogHead.Root.Present() || !OfConsole(s.LogHead.Origin):
		return &Refusal{"the head of the log is not known"}
	}
	if fault := timeFault(c.OpenedAt, evaluatedAt, s.RecordedAt, s.RecordID); fault != "" {
		return &Refusal{fault + "; check this machine's clock"}
	}
	return nil
}
