package stats_test

import (
	"testing"
	"time"

	"docket/domain/stats"
	"docket/domain/terms"

	"pgregory.net/rapid"
)

func TestAPeriodBeginsAndEndsInUTCAndHasAName(t *testing.T) {
	for _, row := range []struct {
		span               stats.Span
		in, name, from, to string
	}{
		{stats.Week, "2026-11-22T23:59:59.999999999Z", "2026-W47", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"},
		{stats.Week, "2026-11-23T00:00:00Z", "2026-W48", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"},
		{stats.Week, "2027-01-03T12:00:00Z", "2026-W53", "2026-12-28T00:00:00Z", "2027-01-04T00:00:00Z"},
		{stats.Week, "2024-12-30T12:00:00Z", "2025-W01", "2024-12-30T00:00:00Z", "2025-01-06T00:00:00Z"},
		{stats.Month, "2028-02-29T12:00:00Z", "2028-02", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"},
		{stats.Month, "2026-12-31T12:00:00Z", "2026-12", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{stats.Quarter, "2026-03-31T12:00:00Z", "2026-Q1", "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z"},
		{stats.Quarter, "2026-11-22T12:00:00Z", "2026-Q4", "2026-10-01T00:00:00Z", "2027-01-01T00:00:00Z"},
	} {
		p := stats.PeriodOf(row.span, at(row.in))
		if p.String() != row.name || p.From != at(row.from) || p.To != at(row.to) {
			t.Errorf("%s of %s: %s from %s to %s", row.span, row.in, p, p.From, p.To)
		}
		if again, err := stats.ParsePeriod(row.name, terms.Instant{}); err != nil || again != p {
			t.Errorf("%s is read as %s, %v", row.name, again, err)
		}
	}
	if p, err := stats.ParsePeriod("all", terms.Instant{}); err != nil || p.Moves() || p.From.Present() || p.To.Present() || p.Next() != p || p.Previous() != p {
		t.Errorf("all is %+v, %v", p, err)
	}
	if p, err := stats.ParsePeriod("month", at("2026-11-22T12:00:00Z")); err != nil || p.String() != "2026-11" {
		t.Errorf("month is %s, %v", p, err)
	}
}

func TestATextThatNamesNoPeriodIsRefused(t *testing.T) {
	for _, text := range []string{"", "year", "2026", "2026-13", "2026-00", "2026-1", "2026-W54", "2025-W53", "2026-W00", "2026-W7", "2026-Q5", "2026-Q0", "2026-Q",
		"-026-11", "2026-11-22", "2026-11 ", " 2026-11", "0000-01", "Week", "2026-w47"} {
		if p, err := stats.ParsePeriod(text, at("2026-11-22T12:00:00Z")); err == nil {
			t.Errorf("%q is %s", text, p)
		}
	}
	for _, text := range []string{"", "yesterday", "2026-11-31", "2026-11-22T14:00", "2026-11-22T14:00:00+01:00", "22.11.2026"} {
		if b, err := stats.ParseBound(text, false); err == nil {
			t.Errorf("%q is %s", text, b)
		}
	}
}

func TestABoundIsTheBeginOrTheEndOfADay(t *testing.T) {
	for _, row := range []struct {
		text, want string
		after      bool
	}{{"2026-11-22", "2026-11-22T00:00:00Z", false}, {"2026-11-30", "2026-12-01T00:00:00Z", true},
		{"2026-11-22T14:00:00.5Z", "2026-11-22T14:00:00.5Z", true}} {
		if got, err := stats.ParseBound(row.text, row.after); err != nil || got != at(row.want) {
			t.Errorf("%s: %s, %v", row.text, got, err)
		}
	}
}

func TestPeriodsOfASpanFollowOneAnotherWithoutAGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.SampledFrom([]stats.Span{stats.Week, stats.Month, stats.Quarter}).Draw(t, "span")
		when := terms.InstantOf(time.Unix(rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")))
		p := stats.PeriodOf(span, when)
		if !p.Has(when) || p.Next().Has(when) || p.Previous().Has(when) {
			t.Fatalf("%s is not in %s alone", when, p)
		}
		if p.Next().From != p.To || p.Previous().To != p.From || p.Next().Previous() != p || p.Previous().Next() != p {
			t.Fatalf("%s lies between %s and %s", p, p.Previous(), p.Next())
		}
		if again, err := stats.ParsePeriod(p.String(), terms.Instant{}); err != nil || again != p {
			t.Fatalf("%s is read as %s, %v", p, again, err)
		}
	})
}
