package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/identity"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/ui/wording"
	"docket/ui/workbench"
)

func newExport(p *program) *cobra.Command {
	var owner, since, assigned string
	packets := false
	cmd := command("export", 1, 1, func(cmd *cobra.Command, args []string) error {
		var part bundle.Options
		var ok, chosen bool
		flags := cmd.Flags()
		if part.Owner, ok = terms.ParseID(owner); flags.Changed("owner") && !ok {
			return wrongUsage("--owner takes the id of an owner of amendments")
		}
		if part.Assigned, ok = terms.ParseID(assigned); flags.Changed("assigned") && !ok {
			return wrongUsage("--assigned takes the id of a reviewer")
		}
		if packets != flags.Changed("assigned") {
			return wrongUsage("--packets and --assigned go together: `docket export DIR --packets --assigned ID`")
		}
		for _, one := range []string{"owner", "since", "assigned"} {
			if flags.Changed(one) && chosen {
				return wrongUsage("--owner, --since and --assigned choose parts of the log; give one")
			}
			chosen = chosen || flags.Changed(one)
		}
		if flags.Changed("since") {
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
	cmd.Flags().StringVar(&assigned, "assigned", "", "export the packets that are assigned to the reviewer with this `ID`, with --packets")
	cmd.Flags().StringVar(&since, "since", "", "export what was decided since a `CHECKPOINT`, its file or an earlier export, alone")
	cmd.Flags().StringVar(&owner, "owner", "", "export the amendments of the owner with this `ID` and their records alone")
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
	if errors.As(err, &problem) { // the log's key file, say, without which the manifest cannot be signed
		return fmt.Errorf("nothing was exported to %s: %w", visible.String(folder), err)
	}
	if err != nil {
		return workbench.Unwritten(fmt.Sprintf("nothing was exported to %s", folder), err)
	}
	if p.json {
		if report.Unanchored = ""; s.AnchorLocked() { // the log is what was to be held to it, not the bundle
			report.Unanchored = verify.AnchorLocked
		}
		p.printVerified(&report)
		return reportedUnless(report.OK())
	}
	p.say("%s exported to %s and read back; root %s\nSUMMARY.md in it says how to check it without docket\n",
		wording.Plural(int(report.Size-report.LeftOut), "record", "records"), visible.String(folder), report.Root)
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
	cmd := command("statement", 1, 1, func(cmd *cobra.Command, args []string) error {
		write, err := statementForm(form)
		if err != nil {
			return err
		}
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
	cmd.Flags().StringVar(&form, "format", "text", "write `text`, markdown or html")
	cmd.Flags().StringVar(&output, "output", "", "write to a new `FILE` in place of standard output")
	return cmd
}

func statementForm(name string) (func(*statement.Document) string, error) {
	var names []string
	for _, form := range statement.Forms() {
		if form.Name == name {
			return form.Write, nil
		}
		names = append(names, form.Name)
	}
	return nil, wrongUsage("--format takes one of %s", strings.Join(names, ", "))
}
