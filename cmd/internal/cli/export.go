package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/cmd/internal/bundle"
	"docket/domain/visible"
	"docket/store"
)

func newExport(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the log as a bundle that needs no docket to check",
		Long: "Writes the records with their signatures, the checkpoint, the tree and the packets that were judged into DIR: a new\n" +
			"folder, or one with an earlier export that this one extends. What is written is read back and checked before it\n" +
			"is put into place. Private notes are not in it.",
		Args: argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.setGarbageTarget(checkingGarbage)
			return p.withStoreAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
				return p.export(cmd.Context(), s, args[0])
			})
		},
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) export(ctx context.Context, s *store.Store, folder string) error {
	if findings := s.Findings(); len(findings) > 0 {
		return refused("the store is not as it was left, so nothing is exported: %s", findings[0].Sentence())
	}
	bar := p.newBar()
	defer bar.clear()
	log, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	report, err := bundle.Write(ctx, folder, log, bundle.Options{Progress: func(step bundle.Step, done, total int64) {
		bar.stage(step.String(), done, total)
	}})
	bar.clear()
	var unsound *bundle.UnsoundError
	if errors.As(err, &unsound) {
		for _, finding := range unsound.Report.Findings {
			fmt.Fprintln(p.Err, "✗ "+visible.String(finding.String()))
		}
		return refused("nothing was exported: %w", err)
	}
	if err != nil {
		return unwritten("nothing was exported to "+folder, err)
	}
	if p.json {
		return p.printVerified(&report, nil)
	}
	_, err = fmt.Fprintf(p.Err, "%s exported to %s and read back; root %s\nSUMMARY.md in it says how to check it without docket\n",
		counted(report.Size, "record"), visible.String(folder), report.Root)
	return err
}
