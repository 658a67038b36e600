package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/domain"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
)

// acceptWord is what is typed to accept the log as it is.
const acceptWord = "accept"

func newAccept(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "accept",
		Short: "Accept of the log what only a person can decide",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return wrongUsage("say what is accepted: `docket accept anchor`")
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "anchor",
		Short: "Accept the log as it is where no usable checkpoint is kept outside the store",
		Long: "Takes the log as it is where the checkpoint outside the store is missing or is none: whether newer records are\n" +
			"missing, nothing on this machine tells then. Compare the store with a backup, an export or a receipt first.\n\n" +
			"What is accepted is written down in a statement that is signed with your key, kept with the log, exported and named\n" +
			"by every check. A log that any checkpoint contradicts is never accepted. This needs a person at a terminal.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.acceptAnchor(cmd.Context()) },
	})
	return cmd
}

func (p *program) acceptAnchor(ctx context.Context) error {
	if !p.InTerminal {
		return errors.New("accepting an anchor needs a person at a terminal")
	}
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		statement, err := s.AnchorToAccept(ctx)
		if errors.Is(err, domain.ErrRefused) {
			return &failure{Refused, err}
		}
		if err != nil {
			return err
		}
		held, err := p.identities().Load(ctx, p.askPassphrase)
		if err != nil {
			return err
		}
		for _, finding := range s.Findings() {
			fmt.Fprintf(p.Err, "%s: %s\n", finding.Kind, visible.String(finding.String()))
		}
		fmt.Fprintf(p.Err, "\nlog      %s\nrecords  %d\nroot     %s\n\nIf records are missing from this log, accepting it hides that on this machine.\n"+
			"Type %s to take the log as it is: ", statement.Origin, statement.Size, statement.Root, acceptWord)
		typed, err := bufio.NewReader(io.LimitReader(p.In, 64)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if strings.TrimSpace(typed) != acceptWord {
			return refused("nothing was accepted")
		}
		reviewer := held.Reviewer()
		statement.At, statement.By, statement.KeyFingerprint = p.instant(), reviewer.ID, reviewer.KeyFingerprint
		signature, err := held.SignLogStatement(ctx, []byte(statement.Text()))
		if err != nil {
			return err
		}
		if err := s.AcceptAnchor(ctx, signed.Statement{Text: statement.Text(), Signature: signature}); err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Err, "accepted: the log of %s is kept to from now on; the statement is in the store and in every export\n",
			counted(statement.Size, "record"))
		return err
	})
}
