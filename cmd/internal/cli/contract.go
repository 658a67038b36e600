package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"docket/contracts/report"
	"docket/domain/shape"
)

// newContract checks contract reports that others publish.
func newContract(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "contract",
		Short: "Check a published contract report",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return wrongUsage("say what to do: `%s check FILE`", cmd.CommandPath())
		},
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "Run the contract's checks on a published report",
		Long: "Reads a contract report from FILE (- for standard input), runs the checks that docket runs on its own reports, and\n" +
			"lists every difference from the built-in contract. Members, types, vocabularies, ids, versions, statuses and counts\n" +
			"must match the contract; labels, evidence, rules and other sentences may differ. Of a text outside the contract's\n" +
			"vocabularies only the length is shown, because it may be private. Exit status 1 if a check fails.\n\n" +
			"Known contract versions:\n  " + strings.Join(report.Versions(), "\n  "),
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
		return &failure{Refused, err}
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
		return refused("%s: it cannot be read: %w", name, reasonOf(err))
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
	return errors.Join(printJSON(p.Out, said), errReported)
}

func (p *program) printExamination(name string, e *report.Examination) error {
	if p.json {
		return printJSON(p.Out, e)
	}
	var text wrappedPage
	text.heading(e.Kind.Title())
	text.text("", name)
	if !e.VersionKnown {
		text.text("", "✗ its contract version is unknown; known versions: "+strings.Join(report.Versions(), ", "))
	}
	text.heading("Checks of the contract")
	text.checks(e.Checks)
	text.heading("Checks of the report around it")
	text.checks(e.EnvelopeChecks)
	wordings := text.differences(e)
	text.heading("Result")
	switch {
	case e.OK() && wordings == 0:
		text.text("✓ ", "every check passes; no differences from the built-in contract")
	case e.OK():
		text.text("✓ ", fmt.Sprintf("every check passes; texts that are worded differently: %d", wordings))
	default:
		text.text("✗ ", "failed checks:")
		for _, id := range e.Blockers() {
			text.text("    ", id)
		}
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}

// differences lists the differences from the contract, then the texts that the publisher may word differently, and returns
// the number of those texts.
func (w *wrappedPage) differences(e *report.Examination) int {
	var fixed, wordings []report.Difference
	for _, difference := range e.Differences {
		if difference.Wording {
			wordings = append(wordings, difference)
		} else {
			fixed = append(fixed, difference)
		}
	}
	if len(fixed) > 0 {
		w.heading("Differences")
		w.text("", "from the built-in contract "+e.Kind.Contract().Version)
	}
	for _, difference := range fixed {
		w.text("  ", pointerOr(difference.Pointer))
		w.text("    built-in: ", difference.Builtin)
		w.text("    found:    ", difference.Found)
	}
	if len(wordings) > 0 {
		w.heading("Worded differently")
		w.text("", "These pass every check: the source leaves the wording to the publisher.")
	}
	for _, difference := range wordings {
		w.text("  ", difference.Pointer+": "+difference.Found)
	}
	return len(wordings)
}

func pointerOr(pointer string) string {
	if pointer == "" {
		return "(the whole report)"
	}
	return pointer
}
