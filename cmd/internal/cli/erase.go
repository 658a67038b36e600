package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/workbench"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

func newErase(p *program) *cobra.Command {
	reason, revision, dryRun := "", int64(0), false
	var reasons strings.Builder
	for _, one := range records.ErasureReasons.All() {
		fmt.Fprintf(&reasons, "  %-16s%s\n", one, records.ErasureMeaning(one))
	}
	cmd := command("erase", 2, 2, func(cmd *cobra.Command, args []string) error {
		what, err := records.Erasables.Parse(args[0])
		if err != nil {
			return wrongUsage("say what is erased: %s", strings.Join(records.Erasables.Texts(), ", "))
		}
		why, err := records.ErasureReasons.Parse(reason)
		if err != nil {
			return wrongUsage("--reason takes one of %s", strings.Join(records.ErasureReasons.Texts(), ", "))
		}
		e := records.Erasure{What: what, Reason: why}
		if what == records.ErasableNote || what == records.ErasableStatement {
			if e.Record = records.RecordID(args[1]); !e.Record.Valid() {
				return refused("that is not the id of a record; `docket records` lists them")
			}
			if cmd.Flags().Changed("revision") {
				return wrongUsage("--revision goes with texts, draft and skip")
			}
			return p.erase(cmd.Context(), []records.Erasure{e}, dryRun)
		}
		id, ok := terms.ParseID(args[1])
		if !ok {
			return refused("that is not an id; `docket queue` lists them")
		}
		if revision < 1 {
			return wrongUsage("--revision N names the revision; N is 1 or more")
		}
		e.Key, e.Table = packets.Key{ID: id, Number: revision}, terms.AppealCases
		candidates := []records.Erasure{e}
		if what != records.ErasableTexts {
			e.Table = terms.AmendmentRecords
			candidates = append(candidates, e)
		}
		return p.erase(cmd.Context(), candidates, dryRun)
	})
	cmd.ValidArgsFunction = once(cobra.FixedCompletions(records.Erasables.Texts(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Long = fmt.Sprintf(cmd.Long, reasons.String())
	cmd.Flags().StringVar(&reason, "reason", "", fmt.Sprintf("why, a `REASON`: %s", strings.Join(records.ErasureReasons.Texts(), ", ")))
	cmd.Flags().Int64Var(&revision, "revision", 0, "erase from revision `N`, 1 or more; for texts, draft and skip")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be erased and what stays, and erase nothing")
	return cmd
}

// erase erases the first of the candidates that exists.
func (p *program) erase(ctx context.Context, candidates []records.Erasure, dryRun bool) error {
	if !dryRun && !p.InTerminal {
		return errors.New("erasing needs a person at a terminal; --dry-run says what would be erased")
	}
	return p.withStoreAs(ctx, store.Options{Existing: true}, func(s *store.Store) error {
		held, err := p.identities().Load(ctx, p.askPassphrase)
		if err != nil {
			return err
		}
		var e records.Erasure
		var plan records.ErasurePlan
		for _, e = range candidates {
			if plan, err = s.PlanErasure(ctx, e, held.Reviewer()); !errors.Is(err, store.ErrNotFound) {
				break
			}
		}
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, records.ErrRefused) {
			return &failure{Refused, err}
		}
		if err != nil {
			return err
		}
		if dryRun {
			sayErasure(p.Err, &plan)
			return p.say("nothing was erased\n")
		}
		done, err := p.eraseConfirmed(ctx, s, held, &plan)
		if err == nil && !done {
			err = refused("nothing was erased")
		}
		return err
	})
}

// eraseCommand returns the command that erases it.
func eraseCommand(e records.Erasure) string {
	if e.Record.Present() {
		return fmt.Sprintf("docket erase %s %s --reason %s", e.What, e.Record, e.Reason)
	}
	return fmt.Sprintf("docket erase %s %s --revision %d --reason %s", e.What, e.Key.ID, e.Key.Number, e.Reason)
}

// eraseWhatTheServiceErased names what the operator of the service erased and this store still holds. At a terminal it
// asks for each whether to erase it here, too.
func (p *program) eraseWhatTheServiceErased(ctx context.Context, s *store.Store) error {
	left, err := s.ErasedElsewhere(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	for i := range left {
		e, _ := left[i].Erasure()
		fmt.Fprintf(p.Err, "the operator of the service erased %s at %s (%s); it is still here\n", e, left[i].At, e.Reason.Label())
		if !p.InTerminal {
			fmt.Fprintf(p.Err, "erase it here, too: %s\n", eraseCommand(e))
			continue
		}
		if err := p.eraseHere(ctx, s, e); err != nil {
			return err
		}
	}
	return nil
}

// eraseHere asks whether to erase here something that the service erased.
func (p *program) eraseHere(ctx context.Context, s *store.Store, e records.Erasure) error {
	held, err := p.identities().Load(ctx, p.askPassphrase)
	if err != nil {
		return err
	}
	plan, err := s.PlanErasure(ctx, e, held.Reviewer())
	if err != nil {
		return asRefused(err)
	}
	done, err := p.eraseConfirmed(ctx, s, held, &plan)
	if err == nil && !done {
		err = p.say("it stays here; `docket pull` asks again, or run `%s`\n", eraseCommand(e))
	}
	return err
}

// sayErasure prints what is erased, and what stays.
func sayErasure(out io.Writer, plan *records.ErasurePlan) {
	fmt.Fprintf(out, "%s (%s)\n", plan.Clause(), plan.Erasure.Reason.Label())
	for _, sentence := range plan.Erasure.Stays() {
		fmt.Fprintln(out, "- "+sentence)
	}
	fmt.Fprintln(out)
}

// eraseConfirmed says what is erased, asks the person unless the erasure was stated before, signs the statement, erases, and removes the
// erased bytes from the store's files. It reports whether that was done.
func (p *program) eraseConfirmed(ctx context.Context, s *store.Store, held identity.Identity, plan *records.ErasurePlan) (done bool, err error) {
	sayErasure(p.Err, plan)
	if plan.Before == nil {
		fmt.Fprintf(p.Err, "Type %s to erase it for good: ", records.EraseWord)
		if typed, err := p.typed(records.EraseWord); err != nil || !typed {
			return false, err
		}
	}
	d := workbench.Workbench{Store: s, Identity: held, Clock: p.Now}
	if err := d.Erase(ctx, plan.Erasure); err != nil {
		if errors.Is(err, records.ErrRefused) || errors.Is(err, store.ErrNotFound) {
			err = &failure{Refused, err}
		}
		return false, err
	}
	return true, p.say("erased: the statement is in the store and in every export; the tables that held it were rewritten\n")
}
