package page

import (
	"docket/domain/pages"
	"docket/domain/stats"
	"docket/ui/wording"
)

// Stats writes the figures of a period out: the totals, then each group and the weeks.
func Stats(f *stats.Figures) []pages.Part {
	totals := pages.Part{Rows: wording.StatsTotals(f)}
	if f.Unreadable > 0 {
		totals.Say("%s", wording.StatsUnreadable(f.Unreadable))
	}
	parts := []pages.Part{totals}
	add := func(p *pages.Part, word string, count int) {
		p.Say("%s: %s", word, wording.Plural(count, "decision", "decisions"))
	}
	for _, group := range f.Groups {
		part := pages.Part{Title: "By " + group.Name + ":"}
		for _, row := range group.Rows {
			add(&part, wording.StatsWord(row.Word), row.Decisions)
		}
		if len(part.Rows) > 0 {
			parts = append(parts, part)
		}
	}
	if len(f.Weeks) == 0 {
		return parts
	}
	weeks := pages.Part{Title: "By week:"}
	for _, week := range f.Weeks {
		add(&weeks, wording.StatsWeek(week), week.Decisions)
	}
	return append(parts, weeks)
}
