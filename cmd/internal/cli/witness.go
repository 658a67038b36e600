package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/witness"
	"docket/domain/visible"
	"docket/store"
	"docket/store/verify"
	"docket/ui"
	"docket/ui/workbench"
)

func newWitness(p *program) *cobra.Command {
	var held holding
	submit := command("witness submit", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.submitCheckpoint(cmd.Context(), held)
	})
	held.flags(submit)
	return command("witness", 0, 0, nil, p.jsonFlag(submit))
}

// submitCheckpoint submits the newest checkpoint of the store, which it does not create.
func (p *program) submitCheckpoint(ctx context.Context, held holding) error {
	policy, _, err := p.policy(held)
	if err != nil {
		return err
	}
	if policy == nil {
		return wrongUsage("no witness policy is named: give it with --policy, or set witness_policy in the config file")
	}
	return p.withStoreAs(ctx, store.Options{Existing: true}, func(s *store.Store) error {
		if findings := s.Findings(); len(findings) > 0 {
			return refused("nothing was submitted, because the store was changed or damaged outside of docket: %s", findings[0])
		}
		results, err := witness.Submit(ctx, witness.Options{Log: s, Policy: policy})
		if err != nil {
			return err
		}
		for i := range results {
			r := &results[i]
			p.print(r, cmp.Or(submittedMarks[r.State], "✗")+" "+r.Sentence())
		}
		coverage, err := s.Coverage(ctx, policy)
		if err != nil {
			return err
		}
		key, err := s.Verifier(ctx)
		if err != nil {
			return err
		}
		p.say("%s\nthe verifier key of the log is %s\n", coverage.Sentence(), key)
		return reportedUnless(coverage.Met && coverage.Uncovered == 0 && !witness.Contradicted(results))
	})
}

// submittedMarks are the marks of the answers of witnesses; of all others it is ✗.
var submittedMarks = map[witness.State]string{witness.Cosigned: "✓", witness.NotAsked: "·"}

// policy returns the witness policy of the flags or settings, with its largest age; nil for none.
func (p *program) policy(h holding) (policy *verify.Policy, age time.Duration, err error) {
	path, age, err := p.witnessPolicy(h)
	if err == nil && path != "" {
		policy, err = readPolicy(path)
	}
	return policy, age, err
}

// An unkept log is submitted without keeping the cosignatures.
type unkept struct{ *store.Store }

// KeepCosignature implements witness.Log.
func (unkept) KeepCosignature(context.Context, verify.Cosigned) error { return nil }

// askWitnesses refuses a log that nothing here vouches for if a witness of the settings saw records
// that it lacks; a witness that does not answer is only named.
func (p *program) askWitnesses(ctx context.Context, s *store.Store) error {
	policy, _, err := p.policy(holding{})
	if err != nil || policy == nil {
		return err
	}
	results, err := witness.Submit(ctx, witness.Options{Log: unkept{s}, Policy: policy})
	if err != nil {
		return err
	}
	for _, failure := range witness.Failures(results) {
		fmt.Fprintf(p.Err, "witness %s\n", failure)
	}
	if witness.Contradicted(results) {
		return refused(
			"nothing was accepted: a witness saw a log that this one does not go on from; look for the newer one, or restore the log")
	}
	return nil
}

const contradictedWord = "A WITNESS CONTRADICTS THIS LOG"

// submitInBackground submits checkpoints while the console runs; notes is nil without a policy or
// if the store keeps no cosignatures, and a policy that cannot be read is the one note.
func (p *program) submitInBackground(ctx context.Context, s *store.Store,
	worked *workbench.Workbench) (notes func(context.Context) (ui.Note, bool), end func()) {
	if p.chosen.Policy == "" || len(s.Findings()) > 0 || s.Obstacle() != nil {
		return nil, func() {}
	}
	policy, err := readPolicy(p.chosen.Policy)
	if err != nil {
		shown := false
		return func(context.Context) (ui.Note, bool) {
			defer func() { shown = true }()
			return ui.Note{Text: visible.String(err.Error())}, !shown
		}, func() {}
	}
	submitting := witness.NewBackground(ctx, witness.BackgroundOptions{Options: witness.Options{
		Policy: policy}, Log: s, MaxAge: p.chosen.MaxAge, Now: p.Now})
	worked.Recorded = submitting.Recorded
	return func(ctx context.Context) (ui.Note, bool) {
		note, more := submitting.Next(ctx)
		lasting := ""
		if note.Contradicts {
			lasting = contradictedWord
		}
		return ui.Note{Text: note.Text, Lasting: lasting}, more
	}, submitting.Close
}
