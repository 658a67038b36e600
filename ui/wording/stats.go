package wording

import (
	"strconv"
	"strings"
	"time"

	"docket/domain/stats"
)

// StatsNotCounted says that the decisions of a period cannot be counted.
const StatsNotCounted = "The decisions cannot be counted"

// StatsTotals are the figures of a period that are no list, each with its label.
func StatsTotals(f *stats.Figures) []Member {
	members := []Member{
		{Label: "period", Value: StatsPeriod(f.Period)},
		{Label: "records", Value: Thousands(f.Records) + apart(f)},
		{Label: "decisions", Value: Thousands(f.Decisions) + parts(f)},
		{Label: "superseded since", Value: Thousands(f.Superseded)},
	}
	if f.Decisions == 0 {
		return members[:3]
	}
	if f.Appeals > 0 {
		members = append(members,
			Member{Label: "against the advice", Value: share(f.AgainstAdvice, "appeals")},
			Member{Label: "after the deadline", Value: share(f.AfterDeadline, "appeals with a deadline")},
			Member{Label: "from filing to decision", Value: durations(f.FromFiling)})
	}
	return append(members, Member{Label: "from opening to decision", Value: durations(f.FromOpening)})
}

// StatsPeriod is the name of a period with its days.
func StatsPeriod(p stats.Period) string {
	switch {
	case !p.From.Present() && !p.To.Present():
		return "all time"
	case !p.Moves():
		return p.String()
	}
	return p.String() + ", " + p.From.Time().Format(time.DateOnly) + " to " + p.To.Time().Add(-time.Nanosecond).Format(time.DateOnly) + " UTC"
}

// apart counts the records that are no decisions.
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
	return "; no decisions: " + strings.Join(list, ", ")
}

func parts(f *stats.Figures) string {
	if f.Decisions == 0 {
		return ""
	}
	return ": " + Thousands(f.Appeals) + " on appeals, " + Thousands(f.Amendments) + " on amendments"
}

// share writes "n of total" with the percentage.
func share(s stats.Share, what string) string {
	if s.Of == 0 {
		return "none: there are no " + what
	}
	return Thousands(s.Count) + " of " + Thousands(s.Of) + " " + what + " (" + strconv.Itoa((s.Count*200+s.Of)/(2*s.Of)) + "%)"
}

// durations writes percentiles and the number of values.
func durations(d stats.Durations) string {
	if d.Count == 0 {
		return "none is known"
	}
	return "median " + lasted(d.Median) + ", 90th percentile " + lasted(d.P90) + ", of " + Plural(d.Count, "decision", "decisions")
}

// lasted writes how long something took: to the second below an hour, else as Span does.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m " + strconv.Itoa(int(d%time.Minute/time.Second)) + "s"
	}
	return Span(d, 24*time.Hour)
}

// StatsWord is the name of a row of a group.
func StatsWord(word string) string {
	if word == "" {
		return "none"
	}
	return strings.ReplaceAll(word, "_", " ")
}

// StatsWeek is the name of a week in a list.
func StatsWeek(week stats.WeekCount) string {
	return week.Name + "  from " + week.Monday.Time().Format(time.DateOnly)
}

// StatsUnreadable says that records cannot be read, and which command lists them.
func StatsUnreadable(count int) string {
	return Plural(count, "record", "records") + " cannot be read; run `docket verify` to see which and what to do"
}
