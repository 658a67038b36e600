package page

import (
	"fmt"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/stats"
	"docket/ui/wording"
)

// mostWeeks is how many weeks a page lists, the newest; the CSV and JSON of the figures have all.
const mostWeeks = 53

// Stats writes the figures of a period out: the totals, then each group and the weeks.
func Stats(f *stats.Figures) pages.Page {
	totals := pages.Part{Rows: StatsTotals(f)}
	if f.Unreadable > 0 {
		totals.Rows = append(totals.Rows, pages.Row{Mark: pages.Open, Value: StatsUnreadable(f.Unreadable)})
	}
	p := pages.Page{Title: "Decisions of " + StatsPeriod(f.Period), Parts: []pages.Part{totals}}
	if f.Decisions == 0 {
		return p
	}
	count := func(part *pages.Part, label string, count int) {
		part.Rows = append(part.Rows, pages.Row{Label: label, Value: fmt.Sprintf("%s (%d%%)",
			wording.Thousands(count), percent(count, f.Decisions)),
			Count: count, Of: f.Decisions})
	}
	for _, group := range f.Groups {
		part := pages.Part{Title: "By " + group.Name}
		for _, one := range group.Rows {
			count(&part, wording.OrNone(wording.Spaced(one.Word)), one.Decisions)
		}
		p.Parts = append(p.Parts, part)
	}
	weeks := pages.Part{Title: "By week"}
	for _, week := range f.Weeks[max(len(f.Weeks)-mostWeeks, 0):] {
		count(&weeks, fmt.Sprintf("%s from %s", week.Name, week.Monday.Time().Format(time.DateOnly)), week.Decisions)
	}
	p.Parts = append(p.Parts, weeks)
	return p
}

// StatsTotals are the totals of a period.
func StatsTotals(f *stats.Figures) []pages.Row {
	rows := []pages.Row{row("records", wording.Thousands(f.Records)+apart(f))}
	if f.Decisions == 0 {
		return append(rows, row("decisions", "0"))
	}
	rows = append(rows, row("decisions", fmt.Sprintf("%s: %s on appeals, %s on amendments", wording.Thousands(f.Decisions),
		wording.Thousands(f.Appeals), wording.Thousands(f.Amendments))),
		row("superseded since", wording.Thousands(f.Superseded)))
	if f.Appeals > 0 {
		rows = append(rows,
			row("against the advice", share(f.AgainstAdvice, "appeal", "appeals")),
			row("after the deadline", share(f.AfterDeadline, "appeal with a deadline", "appeals with a deadline")),
			row("from filing to decision", durations(f.FromFiling)))
	}
	return append(rows, row("from opening to decision", durations(f.FromOpening)))
}

// StatsNotCounted is the title of why there are no figures.
const StatsNotCounted = "The decisions cannot be counted"

// StatsPeriod names a period with its days.
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
	}{{f.Rejected, wording.RejectedByService}, {f.Revoked, "signed by a revoked key"}, {f.Unreadable, "unreadable"}} {
		if one.count > 0 {
			list = append(list, wording.Thousands(one.count)+" "+one.words)
		}
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf("; no decisions: %s", strings.Join(list, ", "))
}

func share(s stats.Share, one, many string) string {
	if s.Of == 0 {
		return fmt.Sprintf("none: there are no %s", many)
	}
	return fmt.Sprintf("%s of %s (%d%%)", wording.Thousands(s.Count), wording.Plural(s.Of, one, many), percent(s.Count, s.Of))
}

func percent(count, of int) int { return (count*200 + of) / (2 * of) }

func durations(d stats.Durations) string {
	if d.Count == 0 {
		return "none is known"
	}
	return fmt.Sprintf("median %s, 90th percentile %s, of %s", lasted(d.Median), lasted(d.P90),
		wording.Plural(d.Count, "decision", "decisions"))
}

// lasted writes how long something took: to the second below an hour, else as wording.Span does.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm %ds", int(d/time.Minute), int(d%time.Minute/time.Second))
	}
	return wording.Span(d, 24*time.Hour)
}

// StatsUnreadable says how many records could not be counted, and what to do.
func StatsUnreadable(count int) string {
	return fmt.Sprintf("%s cannot be read; run `docket verify` to see which and what to do", wording.Plural(count, "record", "records"))
}
