package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/bundle"
	"docket/cmd/internal/storelog"
	"docket/domain/visible"
	"docket/store"
)

func newVerify(p *program) *cobra.Command {
	var since, keys []string
	cmd := &cobra.Command{
		Use:   "verify [DIR]",
		Short: "Check the log, or an exported bundle, record by record",
		Long: "Checks the store's log, or the bundle in DIR: every hash, signature and checkpoint, that each record judged again\n" +
			"comes to the same blockers, that nobody judged their own decision or was recused, that supersedes chains are\n" +
			"whole and that nothing private is there. Every finding is listed; exit status 1 if there is any.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			options := audit.Options{VerifierKeys: keys}
			for _, name := range since {
				signed, err := readCheckpoint(name)
				if err != nil {
					return err
				}
				options.Earlier = append(options.Earlier, audit.Earlier{Name: name, Signed: signed})
			}
			if len(args) == 1 {
				return p.verify(func(o audit.Options) (audit.Report, error) { return bundle.Check(cmd.Context(), args[0], o) }, options)
			}
			return p.withReading(cmd.Context(), func(s *store.Store) error { return p.verifyStore(cmd.Context(), s, options) })
		},
	}
	cmd.Flags().StringArrayVar(&since, "since", nil, "a checkpoint kept from earlier, which the log must extend; may be given again")
	cmd.Flags().StringArrayVar(&keys, "key", nil, "the verifier key of the checkpoint, as its keeper gave it to you")
	p.jsonFlag(cmd)
	return cmd
}

// maxCheckpoint is in bytes: far more than a checkpoint has.
const maxCheckpoint = 1 << 16

func readCheckpoint(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, refused("the checkpoint %s cannot be read: %w", name, reasonOf(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxCheckpoint {
		return nil, refused("%s is no checkpoint", name)
	}
	return os.ReadFile(name)
}

// verifyStore checks what the opening of the store found, then the whole log.
func (p *program) verifyStore(ctx context.Context, s *store.Store, options audit.Options) error {
	for _, finding := range s.Findings() {
		if err := p.printFinding(openingFinding{finding.Kind.String(), finding.String()}); err != nil {
			return err
		}
	}
	log, err := storelog.Of(ctx, s)
	if err != nil {
		return err
	}
	err = p.verify(func(o audit.Options) (audit.Report, error) { return audit.Check(ctx, log, o) }, options)
	if err == nil && len(s.Findings()) > 0 {
		return errReported
	}
	return err
}

// openingFinding is what the opening of a store found, as --json prints it.
type openingFinding struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
}

func (f openingFinding) String() string { return f.Detail }

// printFinding prints a finding on one line.
func (p *program) printFinding(f fmt.Stringer) error {
	if p.json {
		return printJSON(p.Out, f)
	}
	_, err := fmt.Fprintln(p.Out, "✗ "+visible.String(f.String()))
	return err
}

// verify runs a check with a bar, lists every finding as it is found, and sums up.
func (p *program) verify(check func(audit.Options) (audit.Report, error), options audit.Options) error {
	bar := p.newBar()
	defer bar.clear()
	bar.begin("verifying", 0)
	var printing error
	options.Progress = bar.progress
	options.Found = func(f audit.Finding) {
		bar.clear()
		printing = errors.Join(printing, p.printFinding(f))
	}
	report, err := check(options)
	bar.clear()
	if err != nil || printing != nil {
		return errors.Join(err, printing)
	}
	if err := p.printVerified(&report); err != nil {
		return err
	}
	if !report.OK() {
		return errReported
	}
	return nil
}

// verified is the summary of a check, as --json prints it.
type verified struct {
	Verified    bool             `json:"verified"`
	Findings    int64            `json:"findings"`
	Origin      string           `json:"origin"`
	VerifierKey string           `json:"verifierKey"`
	Records     int64            `json:"records"`
	Appeals     int64            `json:"appeals"`
	Amendments  int64            `json:"amendments"`
	Passed      int64            `json:"passed"`
	Superseded  int64            `json:"superseded"`
	Root        string           `json:"root"`
	Reviewers   []audit.Reviewer `json:"reviewers"`
}

func (p *program) printVerified(r *audit.Report) error {
	if p.json {
		return printJSON(p.Out, verified{r.OK(), r.Total, r.Origin, r.VerifierKey, r.Size, r.Appeals, r.Amendments, r.Passed,
			r.Superseded, r.Root.String(), r.Reviewers})
	}
	if !r.OK() {
		for _, kind := range audit.Kinds() {
			if count := r.Count(kind); count > 0 {
				fmt.Fprintf(p.Out, "\n%s (%d)\n  %s\n  %s\n", kind, count, kind.Meaning(), kind.Cure())
			}
		}
		_, err := fmt.Fprintf(p.Out, "\n%d findings in %d records: this log does not verify\n", r.Total, r.Size)
		return err
	}
	table := &columns{heads: []string{"", ""}}
	table.add("records", fmt.Sprintf("%d: %d appeals, %d amendments; %d pass, %d blocked; %d superseded", r.Size, r.Appeals,
		r.Amendments, r.Passed, r.Appeals+r.Amendments-r.Passed, r.Superseded))
	table.add("root", r.Root.String())
	table.add("log", r.Origin)
	table.add("verifier key", r.VerifierKey)
	for _, reviewer := range r.Reviewers {
		table.add("reviewer", fmt.Sprintf("%s with key %s, %d records", reviewer.ID, reviewer.Fingerprint, reviewer.Records))
	}
	if _, err := fmt.Fprintln(p.Out, "✓ everything verifies"); err != nil {
		return err
	}
	return table.printRows(p.Out)
}
