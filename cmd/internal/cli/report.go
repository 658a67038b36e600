package cli

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/contracts/report"
	"docket/domain/terms"
)

// newReport publishes a contract. It opens no store and changes nothing.
func newReport(p *program) *cobra.Command {
	var names []string
	for _, kind := range report.Kinds() {
		names = append(names, kind.String())
	}
	var at string
	cmd := &cobra.Command{
		Use:   "report " + strings.Join(names, "|"),
		Short: "Print a contract report: the rules and the result of every check",
		Long: "Prints the contract report of an area: the contract itself and the result of every check on it. A report is\n" +
			"static and changes nothing; --json prints the exact document. Exit status 1 if a check fails.",
		Args:      argumentCount(1, 1),
		ValidArgs: names,
		RunE:      func(_ *cobra.Command, args []string) error { return p.report(args[0], at) },
	}
	cmd.Flags().StringVar(&at, "at", "", "the time to state as checkedAt, such as 2026-01-31T09:00:00Z (default: now)")
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
	var text wrappedPage
	text.heading(r.Kind.Title())
	text.text("", contract.Version+", checked "+r.CheckedAt.String())
	text.text("", "by "+contract.ValidatorName+", "+contract.ValidatorVersion)
	text.heading("Purpose")
	text.text("  ", r.Kind.Purpose())
	if nonClaim := r.Kind.PublicNonClaim(); nonClaim != "" {
		text.heading("Non-claim")
		text.text("  ", nonClaim)
	}
	text.heading("Checks")
	text.checks(r.Checks)
	for _, section := range r.Sections() {
		text.heading(section.Title)
		text.text("  ", section.About)
		if section.Codes {
			text.text("    ", strings.Join(section.Lines, ", "))
			continue
		}
		for _, line := range section.Lines {
			inner := strings.TrimLeft(line, " ")
			text.text("    "+line[:len(line)-len(inner)], inner)
		}
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}

// checks lists checks with their status, label and evidence.
func (w *wrappedPage) checks(checks []report.Check) {
	marks := map[terms.Gate]string{terms.Pass: "✓ ", terms.Blocked: "✗ "}
	for _, check := range checks {
		w.text(marks[check.Status], check.Status.String()+" "+check.ID)
		w.text("  ", check.Label)
		if len(check.Problems) == 0 {
			w.text("    ", check.Evidence)
		}
		for _, problem := range check.Problems {
			w.text("    ", problem.String())
		}
	}
}
