package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/contracts"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/store"
)

func newDemo(p *program) *cobra.Command {
	var size demoSize
	var printed bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Open the console on a sample docket in a temporary store",
		Long: "Opens the console on a sample docket, in a temporary store and with a temporary key, both removed at the end.\n" +
			"Without a terminal it prints the sample queue; with --plain it reads commands from standard input.\n\n" +
			"--cases generates a docket with that number of cases and amendments. The same seed gives the same cases; their\n" +
			"times follow the clock. --print prints the packets instead, for `docket import -`.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case size.cases < 0 || size.cases > mostCases:
				return wrongUsage("--cases takes a number up to %d", mostCases)
			case printed:
				return p.printSample(size)
			}
			return p.demo(cmd.Context(), size)
		},
	}
	cmd.Flags().IntVar(&size.cases, "cases", 0, "generate this number of cases and amendments in place of the sample")
	cmd.Flags().Uint64Var(&size.seed, "seed", 1, "seed for --cases")
	cmd.Flags().BoolVar(&printed, "print", false, "print the packets and do nothing else")
	p.plainFlag(cmd)
	return cmd
}

// A demoSize describes a sample docket; with no cases it is the handwritten one.
type demoSize struct {
	cases int
	seed  uint64
}

// mostCases keeps a typing error from filling the disk.
const mostCases = 10_000_000

// packets returns the packets of the sample docket, one a line.
func (d demoSize) packets(p *program) (iter.Seq[[]byte], error) {
	if d.cases > 0 {
		return sample.Generate(d.cases, d.seed, p.Now()), nil
	}
	packets, err := sample.Packets(p.Now())
	if err != nil {
		return nil, fmt.Errorf("make the sample packets: %w", err)
	}
	return slices.Values(packets), nil
}

func (p *program) printSample(size demoSize) error {
	packets, err := size.packets(p)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(p.Out, 1<<16)
	for packet := range packets {
		if _, err := out.Write(append(packet, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// demo runs the sample docket. It never touches the user's own store or identity.
func (p *program) demo(ctx context.Context, size demoSize) (err error) {
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
	if err := p.fillDemo(ctx, s, size); err != nil {
		return err
	}
	if !p.plain && (!p.InTerminal || !p.OutTerminal) {
		if err := p.listQueue(ctx, s, queue.Filter{}, sample.Reviewer); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.Err, "\nThis is the sample queue. At a terminal, `docket demo` opens it in the console, where you can read each redacted\n"+
			"packet with its blockers, decide as reviewer %s, and get a receipt.\n", sample.Reviewer)
		return err
	}
	held, err := identity.Ephemeral(sample.Reviewer, terms.NeutralReviewer)
	if err != nil {
		return err
	}
	return p.console(ctx, s, held, surroundings{notice: "sample docket"})
}

// fillDemo imports the sample packets the way every packet is imported.
func (p *program) fillDemo(ctx context.Context, s *store.Store, size demoSize) error {
	packets, err := size.packets(p)
	if err != nil {
		return err
	}
	bar := p.newBar()
	defer bar.clear()
	var refused []error
	in := newIntake(ctx, s, func(r contracts.Refusal) error {
		refused = append(refused, fmt.Errorf("the sample docket is broken: %w", r))
		return nil
	})
	if size.cases > 0 {
		bar.begin("making the docket", int64(size.cases))
	}
	taken := 0
	for packet := range packets {
		err = contracts.ReadPackets(ctx, "sample", bytes.NewReader(packet), contracts.Handler{Packet: in.packet, Refused: in.refuse})
		if err != nil {
			break
		}
		if taken++; size.cases > 0 {
			bar.set(int64(taken))
		}
	}
	return errors.Join(append(refused, in.close(err))...)
}
