package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/contracts"
	"docket/domain"
	"docket/store"
)

func newDemo(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Open the console on a sample docket in a temporary store",
		Long: "Opens the console on a sample docket, in a store and with a key that are made for it and removed when it ends.\n" +
			"Without a terminal it prints the sample queue.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context()) },
	}
}

// demo never touches the user's own store or identity.
func (p *program) demo(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp("", "docket-demo-")
	if err != nil {
		return fmt.Errorf("make a temporary folder for the sample docket: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(folder, "demo.db"), Now: p.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := p.fillDemo(ctx, s); err != nil {
		return err
	}
	if !p.InTerminal || !p.OutTerminal {
		if err := p.listQueue(ctx, s, domain.Filter{}, sample.Reviewer); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.Err, "\nThis is the sample queue. At a terminal, `docket demo` opens it in the console, where you can read each redacted\n"+
			"packet with its blockers, decide as reviewer %s, and get a receipt.\n", sample.Reviewer)
		return err
	}
	held, err := identity.Ephemeral(sample.Reviewer, domain.NeutralReviewer)
	if err != nil {
		return err
	}
	return p.console(ctx, s, held, "sample docket")
}

// fillDemo takes the sample packets in on the way that every packet takes.
func (p *program) fillDemo(ctx context.Context, s *store.Store) error {
	packets, err := sample.Packets(p.Now())
	if err != nil {
		return fmt.Errorf("make the sample packets: %w", err)
	}
	var refused []error
	in := newIntake(ctx, s, func(r contracts.Refusal) error {
		refused = append(refused, fmt.Errorf("the sample docket is broken: %w", r))
		return nil
	})
	err = contracts.ReadPackets(ctx, "sample", bytes.NewReader(bytes.Join(packets, []byte("\n"))), contracts.Handler{
		Packet: in.packet, Refused: in.refuse,
	})
	return errors.Join(append(refused, in.close(err))...)
}
