package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/visible"
	"docket/store"
)

func newDoctor(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong with this machine, the store, the key and the terminal, and what to do",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.doctor(cmd.Context()) },
	}
	p.jsonFlag(cmd)
	return cmd
}

// A symptom is what one check of the doctor found.
type symptom struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok, note or wrong
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

// The states of a symptom, with the marks under which they are printed.
const (
	stateOK    = "ok"
	stateNote  = "note"
	stateWrong = "wrong"
)

var stateMarks = map[string]string{stateOK: "✓", stateNote: "·", stateWrong: "✗"}

// patient is what the checks look at.
type patient struct {
	p        *program
	health   store.Health
	identity identity.Identity
	keyError error // why the identity cannot be used; identity.ErrNone where none is set up
}

// checks are the doctor's, in the order in which they are printed. Each returns one symptom.
var checks = []struct {
	name string
	look func(*patient) symptom
}{
	{"store", checkStore}, {"log", checkLog}, {"copy", checkCopy}, {"permissions", checkPermissions}, {"disk", checkDisk},
	{"anchor", checkAnchor}, {"clock", checkClock}, {"identity", checkIdentity}, {"terminal", checkTerminal},
	{"config", checkConfig},
}

func (p *program) doctor(ctx context.Context) error {
	health, err := store.Inspect(ctx, store.Options{Path: p.storePath(), Now: p.Now, AnchorFolder: anchorFolder()})
	if err != nil {
		return err
	}
	seen := &patient{p: p, health: health}
	seen.identity, seen.keyError = p.identities().Load(p.askPassphrase)
	wrong := false
	for _, check := range checks {
		found := check.look(seen)
		found.Check = check.name
		wrong = wrong || found.State == stateWrong
		if err := p.printSymptom(found); err != nil {
			return err
		}
	}
	if wrong {
		return errReported
	}
	return nil
}

func (p *program) printSymptom(s symptom) error {
	if p.json {
		return printJSON(p.Out, s)
	}
	text := fmt.Sprintf("%s %-12s %s\n", stateMarks[s.State], s.Check, visible.String(s.Found))
	if s.Advice != "" {
		text += fmt.Sprintf("  %-12s → %s\n", "", visible.String(s.Advice))
	}
	_, err := fmt.Fprint(p.Out, text)
	return err
}

func ok(format string, args ...any) symptom {
	return symptom{State: stateOK, Found: fmt.Sprintf(format, args...)}
}

func note(found, advice string) symptom {
	return symptom{State: stateNote, Found: found, Advice: advice}
}

func wrong(found, advice string) symptom {
	return symptom{State: stateWrong, Found: found, Advice: advice}
}

func checkStore(s *patient) symptom {
	var problem *store.Problem
	switch {
	case !s.health.Exists:
		return note("there is none at "+s.health.Path+" yet", "`docket import FILE` makes it")
	case errors.As(s.health.OpenError, &problem):
		return wrong(fmt.Sprintf("%s: %v", problem.Path, problem.Kind), problem.Advice)
	case s.health.OpenError != nil:
		return wrong(s.health.OpenError.Error(), "keep a copy of the file, then restore a backup")
	}
	return ok("%s can be read", s.health.Path)
}

func checkLog(s *patient) symptom {
	if len(s.health.Findings) > 0 {
		var found, advice []string
		for _, finding := range s.health.Findings {
			found, advice = append(found, finding.Found), append(advice, finding.Advice)
		}
		return wrong(strings.Join(found, " "), strings.Join(advice, " "))
	}
	if !s.health.Exists || s.health.OpenError != nil {
		return note("not looked at", "")
	}
	return ok("%d records; nothing against them was found by opening it, and `docket verify` checks each", s.health.LogSize)
}

// checkCopy looks for what is left when a store is copied while it is open: the newest records are in the -wal file.
func checkCopy(s *patient) symptom {
	h := s.health
	switch {
	case h.AnchorSize > h.LogSize && h.Exists && h.OpenError == nil:
		return wrong(fmt.Sprintf("the log has %d records, but %d were there when this machine last wrote to it", h.LogSize, h.AnchorSize),
			"this is an older file, or a copy made without the -wal file beside it; open the newer one, and make copies with `docket backup`")
	case h.WAL >= 0 && h.SharedMemory < 0:
		return note("a -wal file lies beside the store, and no -shm file",
			"that is what a crash or a copy leaves; the next opening takes it in")
	}
	return ok("nothing is missing beside the store")
}

func checkPermissions(s *patient) symptom {
	if open := s.health.FileMode.Perm() & 0o077; s.health.Exists && open != 0 {
		return wrong("others on this machine can read or write the store", "run `chmod 600` on "+s.health.Path)
	}
	if s.health.Exists && s.health.FolderMode.Perm()&0o022 != 0 {
		return wrong("others on this machine can replace the store: its folder is writable for them", "run `chmod go-w` on the folder")
	}
	return ok("the store is its owner's alone")
}

// littleSpace is when the doctor begins to speak of it.
const littleSpace = 256 << 20

func checkDisk(s *patient) symptom {
	v := s.health.Volume
	switch {
	case !s.health.Exists || !v.Known:
		return note("not looked at", "")
	case v.Network:
		return wrong("the store lies on a network or user-space file system ("+v.Name+"), where locks may not hold",
			"move it to a disk of this machine and name it with --db")
	case v.ReadOnly || !s.health.FolderWritable:
		return wrong("the store lies on a medium that can only be read", "copy it to a disk that can be written to record anything")
	case v.Free < littleSpace:
		return wrong(fmt.Sprintf("only %d MiB are free", v.Free>>20), "free some space before you record")
	}
	return ok("%s, %d GiB free", v.Name, v.Free>>30)
}

func checkAnchor(s *patient) symptom {
	switch {
	case s.health.AnchorError != nil:
		return wrong("the checkpoint outside the store cannot be read: "+s.health.AnchorError.Error(), "see to it that "+s.health.Anchor+" can be read")
	case s.health.AnchorSize < 0:
		return note("no checkpoint of this store is kept outside it yet", "the next record writes one to "+anchorFolder())
	}
	return ok("a checkpoint of %d records is kept at %s", s.health.AnchorSize, s.health.Anchor)
}

// clockLeeway is how far a clock may be behind without anybody minding.
const clockLeeway = time.Minute

func checkClock(s *patient) symptom {
	newest := s.health.NewestRecord
	if s.health.NewestPacket.Present() && newest.Before(s.health.NewestPacket) || !newest.Present() {
		newest = s.health.NewestPacket
	}
	if newest.Sub(s.health.Now) > clockLeeway {
		return wrong(fmt.Sprintf("this machine's clock says %s, but the newest entry is of %s", s.health.Now, newest),
			"set the clock: deadlines are judged by it, and a record from the past is refused")
	}
	return ok("%s, not before anything in the store", s.health.Now)
}

func checkIdentity(s *patient) symptom {
	switch {
	case errors.Is(s.keyError, identity.ErrNone):
		return note("no reviewer is set up, so the console only reads", "`docket identity init --id ID --role ROLE` sets one up")
	case s.keyError != nil:
		return wrong(s.keyError.Error(), "the console only reads until the key can be used")
	}
	if _, err := s.identity.Sign([]byte("a trial, never kept")); err != nil {
		return wrong(err.Error(), "unlock the key or start ssh-agent, then try again")
	}
	reviewer := s.identity.Reviewer()
	return ok("%s, %s, key %s signs", reviewer.ID, reviewer.Role.Label(), reviewer.KeyFingerprint)
}

func checkTerminal(s *patient) symptom {
	kind := s.p.Getenv("TERM")
	switch {
	case !s.p.InTerminal || !s.p.OutTerminal:
		return note("this is none", "the console needs one; the other commands do without")
	case kind == "" || kind == "dumb":
		return wrong("TERM says that it cannot move its cursor", "set TERM to what the terminal is, such as xterm-256color")
	}
	return ok("%s", kind)
}
