package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

const acceptWord = "accept"

func newAccept(p *program) *cobra.Command {
	var c calling
	service := command("accept service", 0, 1, func(cmd *cobra.Command, args []string) error {
		if !p.InTerminal {
			return needsTerminal("accepting a service")
		}
		return p.withClient(c, args,
			func(service *client.Client) error { return p.acceptService(cmd.Context(), service) })
	})
	service.ValidArgsFunction = cobra.NoFileCompletions
	c.flags(service)
	return command("accept", 0, 0, nil, service,
		command("accept anchor", 0, 0, p.accepting(&acceptedAnchor)), command("accept clock", 0, 0, p.accepting(&acceptedClock)))
}

func (p *program) accepting(a *acceptance) action {
	return func(cmd *cobra.Command, _ []string) error { return p.accept(cmd.Context(), a) }
}

// An acceptance is something that a person accepts of a log.
type acceptance struct {
	what    string // with its article
	options store.Options
	ask     func(*program, context.Context, *store.Store) error               // others; nil: nobody
	due     func(*store.Store, context.Context) (records.LogStatement, error) // without person and key
	warning string
	keep    func(*store.Store, context.Context, signed.Statement) error
	done    string // printed at the end, with the number of entries
}

var acceptedAnchor = acceptance{"an anchor", store.Options{ReadOnly: true}, (*program).askWitnesses, (*store.Store).AnchorToAccept,
	"If entries are missing from this log, accepting it hides that on this machine.\nType %s to take the log as it is: ",
	(*store.Store).AcceptAnchor,
	"accepted the log of %s as it is; the statement is in the store and in every export\n"}

var acceptedClock = acceptance{"a clock", store.Options{Existing: true}, nil, (*store.Store).ClockToAccept,
	"If this machine's clock is wrong, set it instead: deadlines are judged by it.\nType %s to go on with the clock as it is: ",
	(*store.Store).AcceptClock,
	"accepted this machine's clock for all that follows the log of %s; the statement is in the store and in every export\n"}

func (p *program) acceptService(ctx context.Context, service *client.Client) error {
	var shown client.ShownService
	return p.accept(ctx, &acceptance{"a service", store.Options{Existing: true}, nil,
		func(s *store.Store, ctx context.Context) (due records.LogStatement, err error) {
			if err := ofConsole(ctx, s); err != nil {
				return due, err
			}
			session := p.sessionOf(s, service)
			if shown, err = session.Show(ctx); err != nil {
				return due, serviceFailure("nothing was accepted", err)
			}
			if due, err = s.ServiceToAccept(ctx, shown.Key, shown.Checkpoint); err == nil {
				p.showService(&due, &shown)
			}
			return due, err
		},
		"Ask the service's operator by another way whether this is their log, and compare the key.\nType %s to go on with it: ",
		func(s *store.Store, ctx context.Context, accepted signed.Statement) error {
			return s.AcceptService(ctx, accepted, shown.Checkpoint)
		},
		"accepted the service for the log of %s; run `docket pull`, then `docket push`\n"})
}

func (p *program) showService(due *records.LogStatement, shown *client.ShownService) {
	change, _ := due.ServiceChange()
	show := func(name, key string, head *records.LogHead) {
		fmt.Fprintf(p.Err, "%-8s %s\n         %s, root %s\n", name, visible.String(key),
			records.Count(head.Size), head.Root)
	}
	show("known", change.KnownKey, &change.Known)
	show("shown", change.ShownKey, &change.Shown)
	if len(shown.Restores) == 0 {
		fmt.Fprintln(p.Err, "No statement of a restore leads from one to the other.")
	}
	for i := range shown.Restores {
		fmt.Fprintf(p.Err, "It states: %s.\n", visible.String(shown.Restores[i].Sentence()))
	}
}

func (p *program) accept(ctx context.Context, a *acceptance) error {
	if !p.InTerminal {
		return needsTerminal("accepting " + a.what)
	}
	return p.withStoreAs(ctx, a.options, func(s *store.Store) error {
		statement, err := a.due(s, ctx)
		if err != nil {
			return asRefused(err)
		}
		if a.ask != nil {
			if err := a.ask(p, ctx, s); err != nil {
				return err
			}
		}
		held, err := p.identities().Load(ctx, p.askPassphrase)
		if err != nil {
			return err
		}
		for _, finding := range s.Findings() {
			fmt.Fprintln(p.Err, visible.String(finding.String()))
		}
		if !statement.At.Present() {
			statement.At = p.instant()
		}
		found := ""
		if len(statement.Found) > 0 && statement.Kind != records.ServiceAccepted {
			found = fmt.Sprintf("found    %s\n", strings.Join(statement.Found, ", "))
		}
		fmt.Fprintf(p.Err, "\nlog      %s\nentries  %d\nroot     %s\n%snow      %s\n\n", statement.Origin,
			statement.Size, statement.Root, found, statement.At)
		fmt.Fprintf(p.Err, a.warning, acceptWord)
		if typed, err := p.typed(acceptWord); err != nil || !typed {
			return errors.Join(err, refused("nothing was accepted"))
		}
		signed, err := held.State(ctx, statement)
		if err != nil {
			return err
		}
		if err := a.keep(s, ctx, signed); err != nil {
			return asRefused(err)
		}
		return p.say(a.done, records.Count(statement.Size))
	})
}

var ofService = store.Options{Existing: true, Service: true}

var acceptedOperator = acceptance{"an operator", ofService, nil, (*store.Store).OperatorToName,
	"Consoles will follow a restore of this service only if it is signed with your key. Keep a copy of the key apart from this machine.\n" +
		"Type %s to be named as the operator: ", (*store.Store).NameOperator,
	"you are named as the operator from the log of %s on; the statement is in the store, served to consoles and in every export\n"}

func changedOperator(to terms.ID, fingerprint string) *acceptance {
	return &acceptance{"another operator", ofService, nil,
		func(s *store.Store, ctx context.Context) (records.LogStatement, error) {
			return s.OperatorToChange(ctx, to, fingerprint)
		},
		"From then on only that key restores and erases here; consoles keep that your key says so.\nType %s to name that person as the operator: ",
		(*store.Store).NameOperator,
		"the operator is changed from the log of %s on; the statement is in the store, served to consoles and in every export\n"}
}

var replacedOperator = acceptance{"an operator", ofService, nil, (*store.Store).OperatorToReplace,
	"Only the log's key vouches for this: every check names it, and every console is told. Give the people there the fingerprint of your key.\nType %s to take the place of the operator: ",
	(*store.Store).NameOperator,
	"you are named as the operator from the log of %s on; give the people at the consoles the fingerprint of your key\n"}

func needsTerminal(what string) error {
	return fmt.Errorf(
		"%s needs a person at a terminal: run the command at one, read what it says, and type the word that it asks for",
		what)
}

func (p *program) typed(word string) (bool, error) {
	typed, err := bufio.NewReader(io.LimitReader(p.In, 64)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return strings.TrimSpace(typed) == word, nil
}

func newErase(p *program) *cobra.Command {
	var why records.ErasureReason
	revision, dryRun := int64(0), false
	var reasons strings.Builder
	for _, one := range records.ErasureReasons.All() {
		fmt.Fprintf(&reasons, "  %-16s%s\n", one, records.ErasureMeaning(one))
	}
	cmd := command("erase", 2, 2, func(cmd *cobra.Command, args []string) error {
		what, err := records.Erasables.Parse(args[0])
		if err != nil {
			return wrongUsage("say what is erased: %s", strings.Join(records.Erasables.Texts(), ", "))
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
	wordFlag(cmd, &why, "reason", "why, a `REASON`", records.ErasureReasons)
	needed(cmd, "reason")
	countFlag(cmd, &revision, "revision", "erase from revision `N`, 1 or more; for texts, draft and skip", aNumber, 1, math.MaxInt64)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false,
		"say what would be erased and what stays, and erase nothing")
	return cmd
}

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

func eraseCommand(e records.Erasure) string {
	if e.Record.Present() {
		return fmt.Sprintf("docket erase %s %s --reason %s", e.What, e.Record, e.Reason)
	}
	return fmt.Sprintf("docket erase %s %s --revision %d --reason %s", e.What, e.Key.ID, e.Key.Number,
		e.Reason)
}

// eraseWhatTheServiceErased names what the operator of the service erased and this store still
// holds, and at a terminal asks for each whether to erase it here, too.
func (p *program) eraseWhatTheServiceErased(ctx context.Context, s *store.Store) error {
	left, err := s.ErasedElsewhere(ctx)
	if err != nil || len(left) == 0 {
		return err
	}
	for i := range left {
		e, _ := left[i].Erasure()
		fmt.Fprintf(p.Err, "the operator of the service erased %s at %s (%s); it is still here\n", e,
			left[i].At, e.Reason.Label())
		if !p.InTerminal {
			fmt.Fprintf(p.Err, "erase it here, too: %s\n", eraseCommand(e))
			continue
		}
		held, err := p.identities().Load(ctx, p.askPassphrase)
		if err != nil {
			return err
		}
		plan, err := s.PlanErasure(ctx, e, held.Reviewer())
		if err != nil {
			return asRefused(err)
		}
		done, err := p.eraseConfirmed(ctx, s, held, &plan)
		if err != nil {
			return err
		}
		if !done {
			p.say("it stays here; `docket pull` asks again, or run `%s`\n", eraseCommand(e))
		}
	}
	return nil
}

func sayErasure(out io.Writer, plan *records.ErasurePlan) {
	fmt.Fprintf(out, "%s (%s)\n", plan.Clause(), plan.Erasure.Reason.Label())
	for _, sentence := range plan.Erasure.Stays() {
		fmt.Fprintln(out, "- "+sentence)
	}
	fmt.Fprintln(out)
}

// eraseConfirmed asks the person, unless the erasure was stated before, signs the statement,
// erases, and removes the erased bytes from the store's files; it reports whether that was done.
func (p *program) eraseConfirmed(ctx context.Context, s *store.Store, held identity.Identity,
	plan *records.ErasurePlan) (done bool, err error) {
	sayErasure(p.Err, plan)
	if plan.Before == nil {
		fmt.Fprintf(p.Err, "Type %s to erase it for good: ", records.EraseWord)
		if typed, err := p.typed(records.EraseWord); err != nil || !typed {
			return false, err
		}
	}
	d := p.workbench(s, held)
	if err := d.Erase(ctx, plan.Erasure); err != nil {
		return false, err
	}
	p.say("erased: the statement is in the store and in every export; the tables that held it were rewritten\n")
	return true, nil
}
