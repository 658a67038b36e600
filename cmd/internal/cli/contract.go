package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/contracts/report"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/store/disk"
)

// newReport publishes a contract. It opens no store and changes nothing.
func newReport(p *program) *cobra.Command {
	var names []string
	for _, kind := range report.Kinds() {
		names = append(names, kind.String())
	}
	var at string
	cmd := &cobra.Command{
		Use:   fmt.Sprintf("report %s", strings.Join(names, "|")),
		Short: "Print a contract report: the rules and the result of every check",
		Long: "Prints the contract report of an area: the contract itself and the result of every check on it. A report is\n" +
			"static and changes nothing; --json prints the exact document. Its contractTests are the test hooks: Go tests of those\n" +
			"names, which `go test ./...` runs.",
		Args:      argumentCount(1, 1),
		ValidArgs: names,
		RunE:      func(_ *cobra.Command, args []string) error { return p.report(args[0], at) },
	}
	cmd.Flags().StringVar(&at, "at", "", "the `TIME` to state as checkedAt, such as 2026-01-31T09:00:00Z (default: now)")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) report(name, at string) error {
	kind, err := report.ParseKind(name)
	if err != nil {
		return wrongUsage("%w", err)
	}
	checkedAt := terms.InstantOf(p.Now().Truncate(time.Second))
	if at != "" {
		given, readable := terms.ParseInstant(at)
		if !readable {
			return wrongUsage("--at takes a time in UTC such as 2026-01-31T09:00:00Z")
		}
		if p.instant().Before(given) {
			return wrongUsage("--at takes no time in the future: a report states when it was checked")
		}
		checkedAt = given
	}
	r, err := report.Of(kind, checkedAt)
	if err != nil {
		return err
	}
	return p.printReport(&r)
}

func (p *program) printReport(r *report.Report) error {
	if p.json {
		_, err := p.Out.Write(r.JSON())
		return err
	}
	contract := r.Kind.Contract()
	var text output.Page
	text.Heading(r.Kind.Title())
	text.Text("", fmt.Sprintf("%s, checked %s", contract.Version, r.CheckedAt.String()))
	text.Text("", fmt.Sprintf("by %s, %s", contract.ValidatorName, contract.ValidatorVersion))
	text.Heading("Purpose")
	text.Text("  ", r.Kind.Purpose())
	if nonClaim := r.Kind.PublicNonClaim(); nonClaim != "" {
		text.Heading("Non-claim")
		text.Text("  ", nonClaim)
	}
	text.Heading("Checks")
	for _, check := range r.Checks {
		text.Text("✓ ", check.Status.String()+" "+check.ID)
		text.Text("  ", check.Label)
		text.Text("    ", check.Evidence)
	}
	for _, section := range r.Sections() {
		text.Heading(section.Title)
		text.Text("  ", section.About)
		if section.Codes {
			text.Text("    ", strings.Join(section.Lines, ", "))
			continue
		}
		for _, line := range section.Lines {
			inner := strings.TrimLeft(line, " ")
			text.Text("    "+line[:len(line)-len(inner)], inner)
		}
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}

// newContract checks contract reports that others publish.
func newContract(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contract",
		Short: "Check a published contract report",
		Args:  noArguments,
		RunE:  needsCommand,
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "Run the contract's checks on a published report",
		Long: fmt.Sprintf("Reads a contract report from FILE (- for standard input) and compares it with the built-in contract. Members, types,\n"+
			"vocabularies, ids, versions, counts and constants pass or fail. Purpose, rules, invariants, boundaries, conditions,\n"+
			"reviews and the like are shown in full and not judged, because the contract leaves their wording to the publisher:\n"+
			"read them. Exit status 1 if a check fails.\n\n"+
			"Known contract versions:\n  %s", strings.Join(report.Versions(), "\n  ")),
		Args: argumentCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return p.checkContract(args[0]) },
	}
	p.jsonFlag(check)
	cmd.AddCommand(check)
	return cmd
}

func (p *program) checkContract(name string) (err error) {
	in, size, err := p.openInput(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if size > report.MaxSize {
		return p.refuseReport(name, report.ErrTooLarge)
	}
	text, err := report.Read(in)
	if errors.Is(err, report.ErrTooLarge) {
		return p.refuseReport(name, err)
	}
	if err != nil {
		return refused("%s: it cannot be read: %w", name, disk.Reason(err))
	}
	found, err := report.Examine(text, p.instant())
	var fault *shape.Fault
	switch {
	case errors.As(err, &fault), errors.Is(err, report.ErrNotAReport), errors.Is(err, report.ErrUnknownContract):
		return p.refuseReport(name, err)
	case err != nil:
		return err
	}
	if err := p.printExamination(name, &found); err != nil {
		return err
	}
	if !found.OK() {
		return errReported
	}
	return nil
}

// A refusedReport is printed by --json in place of an examination.
type refusedReport struct {
	OK    bool `json:"ok"`
	Error struct {
		Pointer string `json:"pointer"`
		Reason  string `json:"reason"`
	} `json:"error"`
}

// refuseReport reports why a file was not examined.
func (p *program) refuseReport(name string, reason error) error {
	if !p.json {
		return refused("%s: %w", name, reason)
	}
	var said refusedReport
	said.Error.Reason = reason.Error()
	var fault *shape.Fault
	if errors.As(reason, &fault) {
		said.Error.Pointer, said.Error.Reason = fault.Pointer, fault.Reason
	}
	return errors.Join(output.JSON(p.Out, said), errReported)
}

// An examination is printed by --json.
type examination struct {
	Contract   string           `json:"contract"`
	Version    string           `json:"contractVersion"`
	Pass       []string         `json:"pass"`
	Fail       []report.Failure `json:"fail"`
	NotChecked []report.Wording `json:"not_checked"`
}

func (p *program) printExamination(name string, e *report.Examination) error {
	if p.json {
		return output.JSON(p.Out, examination{e.Kind.String(), e.Kind.Contract().Version, e.Pass, e.Fail, e.NotChecked})
	}
	var text output.Page
	text.Heading(e.Kind.Title())
	text.Text("", name)
	text.Heading("Checks")
	for _, id := range e.Pass {
		text.Text("✓ ", "pass "+id)
	}
	for _, check := range e.Fail {
		text.Text("✗ ", "fail "+check.ID)
		for _, problem := range check.Problems {
			text.Text("    ", strings.TrimPrefix(problem.Pointer+": ", ": ")+problem.Reason)
		}
	}
	text.Heading("Wording not checked")
	text.Text("", "The contract leaves these sentences to the publisher. Read them: nothing here says whether they are right.")
	for _, wording := range e.NotChecked {
		text.Text("  ", wording.Pointer)
		text.Text("    ", wording.Text)
	}
	text.Heading("Result")
	switch {
	case e.OK():
		text.Text("", fmt.Sprintf("no check fails: %d pass; texts whose wording is not checked: %d", len(e.Pass), len(e.NotChecked)))
	default:
		text.Text("✗ ", fmt.Sprintf("failed checks: %d", len(e.Fail)))
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}
