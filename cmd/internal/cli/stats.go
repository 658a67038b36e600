package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/domain/stats"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"docket/ui/workbench"
)

type statsFlags struct {
	period, since, until string
	csv                  bool
}

// usualPeriod is the period of `docket stats` without a flag, and the first one in the console.
const usualPeriod = "quarter"

func newStats(p *program) *cobra.Command {
	var flags statsFlags
	cmd := command("stats", 0, -1, func(cmd *cobra.Command, args []string) error {
		period, err := flags.chosen(cmd, p.instant())
		if err != nil {
			return err
		}
		if p.json && flags.csv {
			return wrongUsage("--json and --csv cannot be combined")
		}
		if len(args) > 0 {
			return p.printBundleStats(cmd, args, period, flags.csv)
		}
		return p.withReading(cmd.Context(), func(s *store.Store) error { return p.printStats(cmd.Context(), s, period, flags.csv) })
	})
	cmd.Flags().StringVar(&flags.period, "period", "", "count this `PERIOD`: week, month, quarter, all, or one such as 2026-W47, 2026-11, 2026-Q4")
	cmd.Flags().StringVar(&flags.since, "since", "", "count from this `TIME` on: 2026-11-22, or 2026-11-22T14:00:00Z")
	cmd.Flags().StringVar(&flags.until, "until", "", "count up to this `TIME`, which is not included; of a day, up to its end")
	cmd.Flags().BoolVar(&flags.csv, "csv", false, "print CSV: group, name, value")
	return p.jsonFlag(cmd)
}

func (f *statsFlags) chosen(cmd *cobra.Command, now terms.Instant) (period stats.Period, err error) {
	since, until, named := cmd.Flags().Changed("since"), cmd.Flags().Changed("until"), cmd.Flags().Changed("period")
	switch {
	case named && (since || until):
		return period, wrongUsage("--period cannot be combined with --since and --until")
	case !since && !until:
		if !named {
			f.period = usualPeriod
		}
		if period, err = stats.ParsePeriod(f.period, now); err != nil {
			return period, wrongUsage("--period: %w", err)
		}
		return period, nil
	}
	if since {
		if period.From, err = stats.ParseBound(f.since, false); err != nil {
			return period, wrongUsage("--since %w", err)
		}
	}
	if until {
		if period.To, err = stats.ParseBound(f.until, true); err != nil {
			return period, wrongUsage("--until %w", err)
		}
	}
	if since && until && !period.From.Before(period.To) {
		return period, wrongUsage("--since names a time that is not before the one of --until")
	}
	return period, nil
}

func (p *program) printStats(ctx context.Context, s *store.Store, period stats.Period, csv bool) error {
	worked, bar := &workbench.Workbench{Store: s}, p.newBar()
	figures, err := worked.Stats(ctx, period, bar.Toward("reading records", 0))
	bar.Clear()
	if err != nil {
		return err
	}
	return p.printFigures(&figures, csv)
}

// printBundleStats prints the figures of bundles. One that does not verify is named, and is not counted.
func (p *program) printBundleStats(cmd *cobra.Command, dirs []string, period stats.Period, csv bool) error {
	c, err := p.collect(cmd, dirs, nil)
	if err != nil {
		return err
	}
	figures := c.Figures(period)
	err = p.printFigures(&figures, csv)
	for i := range c.Bundles {
		if !c.Bundles[i].Holds() {
			fmt.Fprintf(p.Err, "docket: not counted: %s\n", visible.String(bundleLine(&c.Bundles[i])))
			err = errReported
		}
	}
	return err
}

func (p *program) printFigures(figures *stats.Figures, csv bool) error {
	switch {
	case p.json:
		p.write(string(figures.Document()) + "\n")
	case csv:
		p.write(figures.CSV())
	default:
		writeStats(p.Out, figures, p.asciiOnly())
	}
	if figures.Unreadable > 0 {
		fmt.Fprintf(p.Err, "docket: %s\n", wording.StatsUnreadable(figures.Unreadable))
	}
	return reportedUnless(figures.Unreadable == 0)
}

func writeStats(out io.Writer, f *stats.Figures, ascii bool) {
	totals := &output.Table{Heads: []string{"", ""}}
	for _, member := range wording.StatsTotals(f) {
		totals.Add(member.Label, member.Value)
	}
	totals.PrintRows(out)
	if f.Decisions == 0 {
		return
	}
	table := &output.Table{Heads: []string{"BY", "", "DECISIONS", "BY WEEK"}}
	for _, g := range f.Groups {
		name := g.Name
		for _, row := range g.Rows {
			table.Add(name, wording.StatsWord(row.Word), wording.Thousands(row.Decisions), widget.Sparkline(newest(row.Weeks), theme.Plain, ascii).String())
			name = ""
		}
	}
	weeks := &output.Table{Heads: []string{"WEEK", "FROM", "DECISIONS", ""}}
	for _, week := range newest(f.Weeks) {
		weeks.Add(week.Name, week.Monday.Time().Format(time.DateOnly), wording.Thousands(week.Decisions),
			widget.Bar(week.Decisions, f.Decisions, weekBar, theme.Plain, ascii).String())
	}
	for _, t := range [...]*output.Table{table, weeks} {
		fmt.Fprintln(out)
		t.Print(out)
	}
}

const (
	weeksShown = 53 // the largest number of weeks in the tables; --json and --csv have more
	weekBar    = 20 // the width of a bar in columns
)

func newest[T any](weeks []T) []T { return weeks[max(len(weeks)-weeksShown, 0):] }
