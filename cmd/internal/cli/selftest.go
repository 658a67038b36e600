package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"docket/cmd/internal/selftest"
	"docket/contracts/report"
	"docket/domain/terms"
)

// newSelftest runs the contract test hooks that the reports name.
func newSelftest(p *program) *cobra.Command {
	var names []string
	for _, hook := range selftest.Hooks() {
		names = append(names, hook.Name)
	}
	cmd := &cobra.Command{
		Use:   "selftest [NAME...]",
		Short: "Run the contract test hooks that the reports name, each with its evidence",
		Long: "Runs the contract test hooks of the three reports, or the named ones. Each checks this program with the sample\n" +
			"packets, in a temporary store and with a temporary key. The command needs no store, identity, network or terminal,\n" +
			"and leaves nothing behind. Exit status 1 if a hook fails.",
		Args:      argumentCount(0, -1),
		ValidArgs: names,
		RunE:      func(cmd *cobra.Command, args []string) error { return p.selftest(cmd.Context(), args) },
	}
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) selftest(ctx context.Context, names []string) error {
	results, err := selftest.Run(ctx, selftest.Options{Names: names, Now: p.Now})
	if errors.Is(err, selftest.ErrUnknownHook) {
		return wrongUsage("%w; `docket selftest --json` lists their names", err)
	}
	if err != nil {
		return err
	}
	return p.reportSelftest(results)
}

// reportSelftest prints the results. A failed hook is a refusal.
func (p *program) reportSelftest(results []selftest.Result) error {
	passed := 0
	for _, result := range results {
		if result.Status == terms.Pass {
			passed++
		}
	}
	if err := p.printSelftest(results, passed); err != nil {
		return err
	}
	if passed < len(results) {
		return errReported
	}
	return nil
}

func (p *program) printSelftest(results []selftest.Result, passed int) error {
	if p.json {
		for _, result := range results {
			if err := printJSON(p.Out, result); err != nil {
				return err
			}
		}
		return nil
	}
	var page wrappedPage
	for _, kind := range report.Kinds() {
		page.hooks(kind, results)
	}
	page.WriteString("\n")
	page.text("", fmt.Sprintf("%d of %s", passed, counted(int64(len(results)), "hook"))+passes(len(results)))
	_, err := io.WriteString(p.Out, page.String())
	return err
}

func passes(count int) string {
	if count == 1 {
		return " passes"
	}
	return " pass"
}

// hooks lists the results of one contract with mark, name and evidence.
func (w *wrappedPage) hooks(kind report.Kind, results []selftest.Result) {
	marks := map[terms.Gate]string{terms.Pass: "✓ ", terms.Blocked: "✗ "}
	begun := false
	for _, result := range results {
		if result.Area != kind.String() {
			continue
		}
		if !begun {
			w.heading(kind.Title())
			begun = true
		}
		w.text(marks[result.Status], result.Hook)
		if result.Status != terms.Pass {
			w.text("    required: ", result.Checks)
		}
		w.text("    ", result.Evidence)
	}
}
