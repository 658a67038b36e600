package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/ui/wording"
)

// acceptWord is typed to accept something.
const acceptWord = "accept"

func newAccept(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accept",
		Short: "Accept a log without its anchor, or a clock that went back",
		Args:  noArguments,
		RunE:  needsCommand,
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "anchor",
		Short: "Accept the log as it is if the checkpoint outside the store is missing or unusable",
		Long: "Accepts the log as it is if the checkpoint outside the store is missing or unusable. Nothing on this machine can\n" +
			"then tell whether newer records are missing. Compare the store with a backup, an export or a receipt first. The\n" +
			"witnesses of the setting witness_policy are asked; where one saw more of the log, nothing is accepted.\n\n" +
			"A statement signed with your key says what you accepted. It is kept with the log, exported, and named by every\n" +
			"check. A log that any checkpoint contradicts is never accepted. The command needs a person at a terminal.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.accept(cmd.Context(), &acceptedAnchor) },
	}, &cobra.Command{
		Use:   "clock",
		Short: "Accept this machine's clock if it is behind the newest record",
		Long: "Accepts this machine's clock if it is more than five minutes behind the time of the newest record, for example\n" +
			"after the clock was an hour ahead. Until then nothing is recorded. If the clock is wrong, set it instead.\n\n" +
			"A statement signed with your key says what you accepted. It is kept with the log, exported, and named by every\n" +
			"check. The command needs a person at a terminal.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.accept(cmd.Context(), &acceptedClock) },
	})
	return cmd
}

// An acceptance is something that a person accepts of a log.
type acceptance struct {
	what    string // with its article
	options store.Options
	ask     func(*program, context.Context, *store.Store) error               // others who know of the log; nil: nobody
	due     func(*store.Store, context.Context) (records.LogStatement, error) // without person and key
	warning string
	keep    func(*store.Store, context.Context, signed.Statement) error
	done    string // printed at the end, with the number of records
}

var acceptedAnchor = acceptance{"an anchor", store.Options{ReadOnly: true}, (*program).askWitnesses, (*store.Store).AnchorToAccept,
	"If records are missing from this log, accepting it hides that on this machine.\nType %s to take the log as it is: ", (*store.Store).AcceptAnchor,
	"accepted the log of %s as it is; the statement is in the store and in every export\n"}

var acceptedClock = acceptance{"a clock", store.Options{Existing: true}, nil, (*store.Store).ClockToAccept,
	"If this machine's clock is wrong, set it instead: deadlines are judged by it.\nType %s to go on with the clock as it is: ", (*store.Store).AcceptClock,
	"accepted this machine's clock for all that follows the log of %s; the statement is in the store and in every export\n"}

func (p *program) accept(ctx context.Context, a *acceptance) error {
	if !p.InTerminal {
		return needsTerminal("accepting " + a.what)
	}
	return p.withStoreAs(ctx, a.options, func(s *store.Store) error {
		statement, err := a.due(s, ctx)
		if errors.Is(err, records.ErrRefused) {
			return asRefused(err)
		}
		if err != nil {
			return err
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
		if len(statement.Found) > 0 {
			found = fmt.Sprintf("found    %s\n", strings.Join(statement.Found, ", "))
		}
		fmt.Fprintf(p.Err, "\nlog      %s\nrecords  %d\nroot     %s\n%snow      %s\n\n", statement.Origin, statement.Size, statement.Root, found, statement.At)
		fmt.Fprintf(p.Err, a.warning, acceptWord)
		if typed, err := p.typed(acceptWord); err != nil || !typed {
			return errors.Join(err, refused("nothing was accepted"))
		}
		signed, err := held.State(ctx, statement)
		if err != nil {
			return err
		}
		err = a.keep(s, ctx, signed)
		if errors.Is(err, records.ErrRefused) {
			return asRefused(err)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Err, a.done, wording.Plural(int(statement.Size), "record", "records"))
		return err
	})
}

// acceptedOperator names the person as the operator of a service.
var acceptedOperator = acceptance{"an operator", store.Options{Existing: true, Service: true}, nil, (*store.Store).OperatorToName,
	"Consoles will follow a restore of this service only if it is signed with your key. Keep a copy of the key apart from this machine.\n" +
		"Type %s to be named as the operator: ", (*store.Store).NameOperator,
	"you are named as the operator from the log of %s on; the statement is in the store, served to consoles and in every export\n"}

// changedOperator names another person as the operator.
func changedOperator(to terms.ID, fingerprint string) *acceptance {
	return &acceptance{"another operator", store.Options{Existing: true, Service: true}, nil,
		func(s *store.Store, ctx context.Context) (records.LogStatement, error) {
			return s.OperatorToChange(ctx, to, fingerprint)
		},
		"From then on only that key restores and erases here; consoles follow because your key signs.\nType %s to name that person as the operator: ", (*store.Store).NameOperator,
		"the operator is changed from the log of %s on; the statement is in the store, served to consoles and in every export\n"}
}

// replacedOperator makes the person the operator in place of one whose key is lost.
var replacedOperator = acceptance{"an operator", store.Options{Existing: true, Service: true}, nil, (*store.Store).OperatorToReplace,
	"Only the log's key vouches for this: every check names it, and each console that knows the operator stops until a person compares your key's\n" +
		"fingerprint and runs `docket pull --operator FINGERPRINT`.\nType %s to take the place of the operator: ", (*store.Store).NameOperator,
	"you are named as the operator from the log of %s on; give the people at the consoles the fingerprint of your key\n"}

// needsTerminal says what to do where a person has to confirm and no terminal is there.
func needsTerminal(what string) error {
	return fmt.Errorf("%s needs a person at a terminal: run the command at one, read what it says, and type the word that it asks for", what)
}

// typed reports whether the person at the terminal types the word.
func (p *program) typed(word string) (bool, error) {
	typed, err := bufio.NewReader(io.LimitReader(p.In, 64)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return strings.TrimSpace(typed) == word, nil
}
