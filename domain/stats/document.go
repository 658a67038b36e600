package stats

import (
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"docket/domain/json"
	"docket/domain/terms"
)

// Document is the figures as a JSON object on one line, described in cmd/docs/commands.md and
// cmd/docs/stats.schema.json.
func (f *Figures) Document() []byte { return f.Object().Text() }

// Object is the figures as a JSON object.
func (f *Figures) Object() json.Object {
	weeks := make([]json.Object, len(f.Weeks))
	for i, week := range f.Weeks {
		weeks[i] = json.Of("week", week.Name, "monday", week.Monday.Time().Format(time.DateOnly), "decisions", week.Decisions)
	}
	groups := json.Object{}
	for _, g := range f.Groups {
		rows := make([]json.Object, len(g.Rows))
		for i, row := range g.Rows {
			weekly := make([]any, len(row.Weeks))
			for j, count := range row.Weeks {
				weekly[j] = count
			}
			rows[i] = json.Of("word", orNull(row.Word), "decisions", row.Decisions, "weeks", weekly)
		}
		groups = groups.With(g.Name, rows)
	}
	return json.Of("period", json.Of("name", f.Period.String(), "from", orNull(f.Period.From.String()),
		"to", orNull(f.Period.To.String())),
		"records", f.Records, "unreadable", f.Unreadable, "rejected", f.Rejected, "revoked", f.Revoked,
		"decisions", f.Decisions, "appeals", f.Appeals, "amendments", f.Amendments, "superseded", f.Superseded,
		"againstAdvice", f.AgainstAdvice.object(), "afterDeadline", f.AfterDeadline.object(),
		"fromFiling", f.FromFiling.object(), "fromOpening", f.FromOpening.object(), "weeks", weeks, "groups", groups)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func (s Share) object() json.Object { return json.Of("count", s.Count, "of", s.Of) }

func (d Durations) object() json.Object {
	if d.Count == 0 {
		return json.Of("count", 0, "medianSeconds", nil, "p90Seconds", nil)
	}
	return json.Of("count", d.Count, "medianSeconds", int64(d.Median/time.Second), "p90Seconds", int64(d.P90/time.Second))
}

// CSV is the figures as rows of group, name and value, with a head; a percentile of none is empty.
func (f *Figures) CSV() string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	put := func(group, name, value string) { _ = w.Write([]string{group, name, value}) }
	count := func(group, name string, n int) { put(group, name, strconv.Itoa(n)) }
	put("group", "name", "value")
	put("period", "name", f.Period.String())
	for name, at := range f.bounds {
		put("period", name, at.String())
	}
	count("records", "in the log", f.Records)
	count("records", "unreadable", f.Unreadable)
	count("records", "rejected", f.Rejected)
	count("records", "of a revoked key", f.Revoked)
	count("decisions", "all", f.Decisions)
	count("decisions", "on appeals", f.Appeals)
	count("decisions", "on amendments", f.Amendments)
	count("decisions", "superseded", f.Superseded)
	count("against the advice", "decisions", f.AgainstAdvice.Count)
	count("against the advice", "of", f.AgainstAdvice.Of)
	count("after the deadline", "decisions", f.AfterDeadline.Count)
	count("after the deadline", "of", f.AfterDeadline.Of)
	for name, d := range f.durations {
		count(name, "decisions", d.Count)
		median, p90 := "", ""
		if d.Count > 0 {
			median, p90 = strconv.Itoa(int(d.Median/time.Second)), strconv.Itoa(int(d.P90/time.Second))
		}
		put(name, "median in seconds", median)
		put(name, "90th percentile in seconds", p90)
	}
	for _, g := range f.Groups {
		for _, row := range g.Rows {
			count(g.Name, row.Word, row.Decisions)
		}
	}
	for _, week := range f.Weeks {
		count("week", week.Name, week.Decisions)
	}
	w.Flush()
	return text.String()
}

func (f *Figures) bounds(yield func(name string, at terms.Instant) bool) {
	_ = yield("from", f.Period.From) && yield("to", f.Period.To)
}

func (f *Figures) durations(yield func(name string, d Durations) bool) {
	_ = yield("from filing to decision", f.FromFiling) && yield("from opening to decision", f.FromOpening)
}
