package stats

import (
	"fmt"
	"strings"
	"time"

	"docket/domain/terms"
)

// A Span is how long a period is. The zero Span is that of a period between two given times.
type Span = terms.Term[spanKind]

type spanKind struct{}

var spanWords = terms.NewWordList("period", "week", "month", "quarter", "all")

func (spanKind) WordList() *terms.WordList { return spanWords }

// Spans are all of them, the shortest first.
var Spans terms.Terms[spanKind]

// The spans.
const (
	Week    Span = iota + 1 // of ISO 8601: from Monday
	Month                   // of the calendar
	Quarter                 // three months, from January, April, July or October
	All                     // everything
)

// A Period is a time from From up to, and not with, To, in UTC. An absent bound is none; the zero
// Period is all time.
type Period struct {
	Span     Span
	From, To terms.Instant
}

// PeriodOf is the period of a span that a time is in.
func PeriodOf(span Span, at terms.Instant) Period {
	year, month, day := at.Time().Date()
	switch span {
	case Week:
		return periodFrom(span, time.Date(year, month, day-int(at.Time().Weekday()+6)%7, 0, 0, 0, 0, time.UTC))
	case Month:
		return periodFrom(span, time.Date(year, month, 1, 0, 0, 0, 0, time.UTC))
	case Quarter:
		return periodFrom(span, time.Date(year, month-(month-1)%3, 1, 0, 0, 0, 0, time.UTC))
	}
	return Period{Span: All}
}

// steps are how many months and days a span is long.
var steps = map[Span][2]int{Week: {0, 7}, Month: {1, 0}, Quarter: {3, 0}}

func periodFrom(span Span, from time.Time) Period {
	to := from.AddDate(0, steps[span][0], steps[span][1])
	return Period{span, terms.InstantOf(from), terms.InstantOf(to)}
}

// Moves reports whether there are a Next and a Previous.
func (p Period) Moves() bool { return steps[p.Span] != [2]int{} }

// Next is the period that follows. All time, and a period between given times, stay what they are.
func (p Period) Next() Period {
	if !p.Moves() {
		return p
	}
	return periodFrom(p.Span, p.To.Time())
}

// Previous is the period before, as Next says.
func (p Period) Previous() Period {
	if !p.Moves() {
		return p
	}
	return PeriodOf(p.Span, terms.InstantOf(p.From.Time().Add(-time.Nanosecond)))
}

// Has reports whether a time is in the period.
func (p Period) Has(at terms.Instant) bool {
	return at.Present() && (!p.From.Present() || !at.Before(p.From)) && at.Before(p.To)
}

// String is the name of the period, as ParsePeriod takes it: 2026-W47, 2026-11, 2026-Q4, all; the
// bounds of one between given times.
func (p Period) String() string {
	from := p.From.Time()
	switch p.Span {
	case Week:
		return weekName(from)
	case Month:
		return from.Format("2006-01")
	case Quarter:
		return fmt.Sprintf("%04d-Q%d", from.Year(), (from.Month()+2)/3)
	}
	switch {
	case p.From.Present() && p.To.Present():
		return p.From.String() + "/" + p.To.String()
	case p.From.Present():
		return fmt.Sprintf("since %s", p.From)
	case p.To.Present():
		return fmt.Sprintf("until %s", p.To)
	}
	return All.String()
}

func weekName(at time.Time) string {
	year, week := at.ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// ParsePeriod reads a name as Period.String writes it, or a span: the period that now is in.
func ParsePeriod(text string, now terms.Instant) (Period, error) {
	if span, err := Spans.Parse(text); err == nil {
		return PeriodOf(span, now), nil
	}
	for _, span := range [...]Span{Week, Month, Quarter} {
		if at, ok := within(span, text); ok {
			if p := PeriodOf(span, terms.InstantOf(at)); p.String() == text {
				return p, nil
			}
		}
	}
	return Period{}, fmt.Errorf("there is no such period; use one of %s, or a name such as 2026-W47, 2026-11 or 2026-Q4",
		strings.Join(spanWords.Texts(), ", "))
}

// within is a time in the period of the span with that name; false if the text has another form.
func within(span Span, text string) (at time.Time, ok bool) {
	year, number := 0, 0
	form := map[Span]string{Week: "%4d-W%2d", Month: "%4d-%2d", Quarter: "%4d-Q%1d"}[span]
	if n, err := fmt.Sscanf(text, form, &year, &number); err != nil || n != 2 || year < 1 || year > 9999 {
		return time.Time{}, false
	}
	switch span {
	case Week: // the fourth of January is in the first week of its year
		return time.Date(year, 1, 4+7*(number-1), 0, 0, 0, 0, time.UTC), true
	case Month:
		return time.Date(year, time.Month(number), 1, 0, 0, 0, 0, time.UTC), true
	}
	return time.Date(year, time.Month(3*number-2), 1, 0, 0, 0, 0, time.UTC), true
}

// ParseBound reads a bound of a period: a time as packets write it, or a day, which stands for its
// start or, with after, its end.
func ParseBound(text string, after bool) (terms.Instant, error) {
	if at, ok := terms.ParseInstant(text); ok {
		return at, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return terms.Instant{}, fmt.Errorf("takes a day such as 2026-11-22, or a time in UTC such as 2026-11-22T14:00:00Z")
	}
	if after {
		day = day.AddDate(0, 0, 1)
	}
	return terms.InstantOf(day), nil
}
