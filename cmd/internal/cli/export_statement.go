package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/pages"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/ui/wording"
	"docket/ui/workbench"
)

func newExport(p *program) *cobra.Command {
	var part bundle.Options
	since, packets := "", false
	cmd := command("export", 1, 1, func(cmd *cobra.Command, args []string) error {
		if packets != part.Assigned.Present() {
			return wrongUsage("--packets and --assigned go together: `docket export DIR --packets --assigned ID`")
		}
		if cmd.Flags().Changed("since") {
			if info, err := os.Stat(since); err == nil && info.IsDir() {
				since = filepath.Join(since, "checkpoint")
			}
			earlier, err := readCheckpoint(since)
			if err != nil {
				return err
			}
			part.Since = earlier.Signed
		}
		return p.withStoreAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
			return p.export(cmd.Context(), s, args[0], part)
		})
	})
	cmd.Flags().BoolVar(&packets, "packets", false, "export packets alone, those of --assigned")
	idFlag(cmd, &part.Assigned,
		"assigned", "export the packets that are assigned to the reviewer with this `ID`, with --packets",
		"the id of a reviewer")
	cmd.Flags().StringVar(&since, "since", "", "export what was decided since a `CHECKPOINT`, its file or an earlier export, alone")
	idFlag(cmd, &part.Owner,
		"owner", "export the amendments of the owner with this `ID` and their records alone",
		"the id of an owner of amendments")
	cmd.MarkFlagsMutuallyExclusive("owner", "since", "assigned")
	return p.jsonFlag(cmd)
}

func (p *program) export(ctx context.Context, s *store.Store, folder string, part bundle.Options) error {
	if findings := s.Findings(); len(findings) > 0 {
		return refused("the store is not as it was left, so nothing is exported: %s", findings[0].Sentence())
	}
	log, err := s.Snapshot(ctx)
	if err != nil {
		return err
	}
	bar := p.newBar()
	part.At, part.Progress = p.instant(), func(step bundle.Step, done, total int64) { bar.Stage(step.String(), done, total) }
	report, err := bundle.Write(ctx, folder, log, part)
	bar.Clear()
	var unsound *bundle.UnsoundError
	if errors.As(err, &unsound) {
		p.listFindings(&unsound.Report)
		return refused("nothing was exported: %w", err)
	}
	var problem *store.Problem
	if errors.As(err, &problem) { // the log's key file, say, without which no manifest is signed
		return fmt.Errorf("nothing was exported to %s: %w", visible.String(folder), err)
	}
	if err != nil {
		return workbench.Unwritten(fmt.Sprintf("nothing was exported to %s", folder), err)
	}
	if p.json {
		if report.Unanchored = ""; s.AnchorLocked() { // the log was to be held to it, not the bundle
			report.Unanchored = verify.AnchorLocked
		}
		p.printVerified(&report)
		return reportedUnless(report.OK())
	}
	p.say("%s exported to %s and read back; root %s\nSUMMARY.md in it says how to check it without docket\n",
		wording.Plural(int(report.Records()), "record", "records"), visible.String(folder), report.Root)
	if report.LeftOut > 0 {
		p.say("note: %s\n", leftOutNote(&report))
	}
	p.listFindings(&report)
	return reportedUnless(report.OK())
}

func (p *program) listFindings(report *verify.Report) {
	for _, finding := range report.Findings {
		fmt.Fprintln(p.Err, "✗ "+visible.String(finding.String()))
	}
}

func newStatement(p *program) *cobra.Command {
	var form, output string
	var names words
	writers := map[string]func(*pages.Page) string{}
	for _, one := range pages.Forms() {
		names, writers[one.Name] = append(names, one.Name), one.Write
	}
	cmd := command("statement", 1, 1, func(cmd *cobra.Command, args []string) error {
		write := writers[cmp.Or(form, names[0])]
		if cmd.Flags().Changed("output") {
			if _, err := os.Lstat(output); !errors.Is(err, fs.ErrNotExist) {
				return refused("%s is there already, or cannot be examined; name another file", visible.String(output))
			}
		}
		if err := p.choose(cmd); err != nil {
			return err
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error {
			id, err := p.recordOf(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			worked := p.workbench(s, identity.Identity{})
			d, sound, err := worked.Statement(cmd.Context(), id)
			if errors.Is(err, store.ErrNotFound) {
				err = refused("record %s is not in this log; `docket records` lists the records of the store", id)
			}
			if err != nil {
				return err
			}
			if output == "" {
				err = p.write(write(&d))
			} else if err = workbench.WriteNew(output, write(&d)); errors.Is(err, fs.ErrExist) {
				err = refused("%w", err)
			}
			if err == nil && !sound {
				p.say("docket: the record does not verify; the statement says so at its top\n")
				err = errReported
			}
			return err
		})
	})
	wordFlag(cmd, &form, "format", "write in this `FORMAT`, text unless another is given", names)
	cmd.Flags().StringVar(&output, "output", "", "write to a new `FILE` in place of standard output")
	return cmd
}
