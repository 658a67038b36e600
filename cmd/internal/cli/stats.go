package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/ui/page"
	"docket/ui/workbench"
)

// usualPeriod is the period of `docket stats` without a flag, and the first one in the console.
const usualPeriod = "quarter"

func newStats(p *program) *cobra.Command {
	var period stats.Period
	cmd := command("stats", 0, -1, func(cmd *cobra.Command, args []string) (err error) {
		flags := cmd.Flags()
		switch since, until := flags.Changed("since"), flags.Changed("until"); {
		case since && until && !period.From.Before(period.To):
			return wrongUsage("--since names a time that is not before the one of --until")
		case !since && !until && !flags.Changed("period"):
			if period, err = stats.ParsePeriod(usualPeriod, p.instant()); err != nil {
				return err
			}
		}
		if len(args) > 0 {
			return p.printBundleStats(cmd, args, period)
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error { return p.printStats(cmd.Context(), s, period) })
	})
	const usage = "count this `PERIOD`: week, month, quarter, all, or one such as 2026-W47, 2026-11, 2026-Q4"
	readFlag(cmd, "period", usage, "a period", func(text string) (err error) {
		if period, err = stats.ParsePeriod(text, p.instant()); err != nil {
			err = wrongUsage("--period: %w", err)
		}
		return err
	})
	bound := func(name, usage string, into *terms.Instant, end bool) {
		readFlag(cmd, name, usage, "a time", func(text string) (err error) {
			if *into, err = stats.ParseBound(text, end); err != nil {
				err = wrongUsage("--%s %w", name, err)
			}
			return err
		})
		cmd.MarkFlagsMutuallyExclusive("period", name)
	}
	bound("since", "count from this `TIME` on: 2026-11-22, or 2026-11-22T14:00:00Z", &period.From, false)
	bound("until", "count up to this `TIME`, which is not included; of a day, up to its end", &period.To, true)
	_ = cmd.RegisterFlagCompletionFunc("period", cobra.FixedCompletions([]string{"week", "month",
		"quarter", "all"}, cobra.ShellCompDirectiveNoFileComp))
	return p.forms(cmd, "print CSV: group, name, value", "")
}

func (p *program) printStats(ctx context.Context, s *store.Store, period stats.Period) error {
	worked, bar := &workbench.Workbench{Store: s}, p.newBar()
	figures, err := worked.Stats(ctx, period, bar.Toward("reading records", 0))
	bar.Clear()
	if err != nil {
		return err
	}
	return p.printFigures(&figures)
}

// printBundleStats prints the figures of bundles; one that does not verify is only named.
func (p *program) printBundleStats(cmd *cobra.Command, dirs []string, period stats.Period) error {
	c, err := p.collect(cmd, dirs, nil)
	if err != nil {
		return err
	}
	figures := c.Figures(period)
	err = p.printFigures(&figures)
	for i := range c.Bundles {
		if !c.Bundles[i].Holds() {
			fmt.Fprintf(p.Err, "docket: not counted: %s\n", visible.String(bundleLine(&c.Bundles[i])))
			err = errReported
		}
	}
	return err
}

func (p *program) printFigures(figures *stats.Figures) error {
	switch {
	case p.json:
		p.write(string(figures.Document()) + "\n")
	case p.csv:
		p.write(figures.CSV())
	default:
		p.page(page.Stats(figures))
	}
	if figures.Unreadable > 0 {
		fmt.Fprintf(p.Err, "docket: %s\n", page.StatsUnreadable(figures.Unreadable))
	}
	return reportedUnless(figures.Unreadable == 0)
}
