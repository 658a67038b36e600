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
			"static and changes nothing; --json prints the exact document. Exit status 1 if a check fails.",
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
		checkedAt = given
	}
	r, err := report.Of(kind, checkedAt)
	if err != nil {
		return err
	}
	if err := p.printReport(&r); err != nil {
		return err
	}
	if !r.Passes() {
		return errReported
	}
	return nil
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
	writeChecks(&text, r.Checks)
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

// checks lists checks with their status, label and evidence.
func writeChecks(w *output.Page, checks []report.Check) {
	marks := map[terms.Gate]string{terms.Pass: "✓ ", terms.Blocked: "✗ "}
	for _, check := range checks {
		w.Text(marks[check.Status], check.Status.String()+" "+check.ID)
		w.Text("  ", check.Label)
		if len(check.Problems) == 0 {
			w.Text("    ", check.Evidence)
		}
		for _, problem := range check.Problems {
			w.Text("    ", problem.String())
		}
	}
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
		Long: fmt.Sprintf("Reads a contract report from FILE (- for standard input), runs the checks that docket runs on its own reports, and\n"+
			"lists every difference from the built-in contract. Members, types, vocabularies, ids, versions, statuses and counts\n"+
			"must match the contract; labels, evidence, rules and other sentences may differ. Of a text outside the contract's\n"+
			"vocabularies only the length is shown, because it may be private. Exit status 1 if a check fails.\n\n"+
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

func (p *program) printExamination(name string, e *report.Examination) error {
	if p.json {
		return output.JSON(p.Out, e)
	}
	var text output.Page
	text.Heading(e.Kind.Title())
	text.Text("", name)
	if !e.VersionKnown {
		text.Text("", fmt.Sprintf("✗ its contract version is unknown; known versions: %s", strings.Join(report.Versions(), ", ")))
	}
	text.Heading("Checks of the contract")
	writeChecks(&text, e.Checks)
	text.Heading("Checks of the report around it")
	writeChecks(&text, e.EnvelopeChecks)
	wordings := writeDifferences(&text, e)
	text.Heading("Result")
	switch {
	case e.OK() && wordings == 0:
		text.Text("✓ ", "every check passes; no differences from the built-in contract")
	case e.OK():
		text.Text("✓ ", fmt.Sprintf("every check passes; texts that are worded differently: %d", wordings))
	default:
		text.Text("✗ ", "failed checks:")
		for _, id := range e.Blockers() {
			text.Text("    ", id)
		}
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}

// differences lists the differences from the contract, then the differing texts whose wording is the publisher's, and
// returns the number of those texts.
func writeDifferences(w *output.Page, e *report.Examination) int {
	var fixed, wordings []report.Difference
	for _, difference := range e.Differences {
		if difference.Wording {
			wordings = append(wordings, difference)
		} else {
			fixed = append(fixed, difference)
		}
	}
	if len(fixed) > 0 {
		w.Heading("Differences")
		w.Text("", fmt.Sprintf("from the built-in contract %s", e.Kind.Contract().Version))
	}
	for _, difference := range fixed {
		w.Text("  ", pointerOr(difference.Pointer))
		w.Text("    built-in: ", difference.Builtin)
		w.Text("    found:    ", difference.Found)
	}
	if len(wordings) > 0 {
		w.Heading("Worded differently")
		w.Text("", "These pass every check: the source leaves the wording to the publisher.")
	}
	for _, difference := range wordings {
		w.Text("  ", difference.Pointer+": "+difference.Found)
	}
	return len(wordings)
}

func pointerOr(pointer string) string {
	if pointer == "" {
		return "(the whole report)"
	}
	return pointer
}
