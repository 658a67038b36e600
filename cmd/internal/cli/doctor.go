package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/visible"
	"docket/store"
	"docket/store/verify"
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
	keyError error    // why the identity cannot be used; identity.ErrNone where none is set up
	covering covering // by the witness policy
	unsigned error    // why its key does not sign; nil if it does, and without an identity
}

// checks are the doctor's, in the order in which they are printed. Each returns one symptom.
var checks = []struct {
	name string
	look func(*patient) symptom
}{
	{"store", checkStore}, {"log", checkLog}, {"copy", checkCopy}, {"permissions", checkPermissions}, {"disk", checkDisk},
	{"anchor", checkAnchor}, {"witnesses", checkWitnesses}, {"service", checkService}, {"erasures", checkErasures}, {"clock", checkClock}, {"identity", checkIdentity}, {"terminal", checkTerminal},
	{"config", checkConfig},
}

func (p *program) doctor(ctx context.Context) error {
	health, err := store.Inspect(ctx, store.Options{Path: p.storePath(), Now: p.Now, AnchorFolder: anchorFolder(), BusyTimeout: patience,
		Reviewer: p.identities().Reviewer()})
	if err != nil {
		return err
	}
	if health.Exists && health.OpenError == nil {
		if health.Findings, err = p.proven(ctx); err != nil {
			return err
		}
	}
	seen := &patient{p: p, health: health, covering: p.covering(ctx, &health)}
	if seen.identity, seen.keyError = p.identities().Load(ctx, p.askPassphrase); seen.keyError == nil {
		seen.unsigned = seen.identity.Try(ctx)
	}
	faults := 0
	for _, check := range checks {
		found := check.look(seen)
		found.Check = check.name
		if found.State == stateWrong {
			faults++
		}
		if err := p.printSymptom(found); err != nil {
			return err
		}
	}
	return p.printDiagnosis(faults)
}

// proven is what is wrong with the store, with every row, hash and signature looked at.
func (p *program) proven(ctx context.Context) (found []verify.Finding, err error) {
	s, err := store.Open(ctx, store.Options{Path: p.storePath(), ReadOnly: true, Now: p.Now, AnchorFolder: anchorFolder(), BusyTimeout: patience})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.Verify(ctx, verify.Options{Depth: verify.Storage}); err != nil {
		return nil, err
	}
	return s.Findings(), nil
}

// printDiagnosis sums up for a person; --json prints the symptoms only.
func (p *program) printDiagnosis(faults int) error {
	text := "\nnothing is wrong"
	if faults == 1 {
		text = "\n1 thing is wrong; what to do stands behind its →"
	} else if faults > 1 {
		text = fmt.Sprintf("\n%d things are wrong; what to do stands behind each →", faults)
	}
	if !p.json {
		if _, err := fmt.Fprintln(p.Out, text); err != nil {
			return err
		}
	}
	if faults > 0 {
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
