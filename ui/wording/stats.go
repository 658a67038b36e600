package wording

import (
	"fmt"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/stats"
)

const StatsNotCounted = "The decisions cannot be counted"

func StatsTotals(f *stats.Figures) []pages.Row {
	members := []pages.Row{
		row("period", StatsPeriod(f.Period)),
		row("records", Thousands(f.Records)+apart(f)),
		row("decisions", Thousands(f.Decisions)+parts(f)),
		row("superseded since", Thousands(f.Superseded)),
	}
	if f.Decisions == 0 {
		return members[:3]
	}
	if f.Appeals > 0 {
		members = append(members,
			row("against the advice", share(f.AgainstAdvice, "appeal", "appeals")),
			row("after the deadline", share(f.AfterDeadline, "appeal with a deadline", "appeals with a deadline")),
			row("from filing to decision", durations(f.FromFiling)))
	}
	return append(members, row("from opening to decision", durations(f.FromOpening)))
}

func StatsPeriod(p stats.Period) string {
	switch {
	case !p.From.Present() && !p.To.Present():
		return "all time"
	case !p.Moves():
		return p.String()
	}
	return fmt.Sprintf("%s, %s to %s UTC", p, p.From.Time().Format(time.DateOnly), p.To.Time().Add(-time.Nanosecond).Format(time.DateOnly))
}

func apart(f *stats.Figures) string {
	var list []string
	for _, one := range [...]struct {
		count int
		words string
	}{{f.Rejected, RejectedByService}, {f.Revoked, "signed by a revoked key"}, {f.Unreadable, "unreadable"}} {
		if one.count > 0 {
			list = append(list, Thousands(one.count)+" "+one.words)
		}
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf("; no decisions: %s", strings.Join(list, ", "))
}

func parts(f *stats.Figures) string {
	if f.Decisions == 0 {
		return ""
	}
	return fmt.Sprintf(": %s on appeals, %s on amendments", Thousands(f.Appeals), Thousands(f.Amendments))
}

func share(s stats.Share, one, many string) string {
	if s.Of == 0 {
		return fmt.Sprintf("none: there are no %s", many)
	}
	return fmt.Sprintf("%s of %s (%d%%)", Thousands(s.Count), Plural(s.Of, one, many), (s.Count*200+s.Of)/(2*s.Of))
}

func durations(d stats.Durations) string {
	if d.Count == 0 {
		return "none is known"
	}
	return fmt.Sprintf("median %s, 90th percentile %s, of %s", lasted(d.Median), lasted(d.P90), Plural(d.Count, "decision", "decisions"))
}

// lasted writes how long something took: to the second below an hour, else as Span does.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm %ds", int(d/time.Minute), int(d%time.Minute/time.Second))
	}
	return Span(d, 24*time.Hour)
}

// StatsWord is the name of a row of a group; "none" for a row of decisions without the word.
func StatsWord(word string) string { return OrNone(Spaced(word)) }

func StatsWeek(week stats.WeekCount) string {
	return fmt.Sprintf("%s  from %s", week.Name, week.Monday.Time().Format(time.DateOnly))
}

func StatsUnreadable(count int) string {
	return fmt.Sprintf("%s cannot be read; run `docket verify` to see which and what to do", Plural(count, "record", "records"))
}
