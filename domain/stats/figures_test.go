package stats_test

import (
	"fmt"
	"testing"
	"time"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/stats"
	"docket/domain/terms"

	"pgregory.net/rapid"
)

var at = domaintest.Instant

// appeal is a decision on an appeal as advised, filed two days and opened ten minutes before it was recorded, in time.
func appeal(recorded string) stats.Record {
	when := at(recorded)
	before := func(d time.Duration) terms.Instant { return terms.InstantOf(when.Time().Add(-d)) }
	return stats.Record{FiledAt: before(48 * time.Hour), Deadline: before(-time.Hour),
		Members: &records.Members{Area: terms.Appeals, Outcome: terms.UpholdDecision, Trigger: terms.DuplicateProof, Gate: terms.Pass,
			OpenedAt: before(10 * time.Minute), RecordedAt: when, Reviewer: records.Reviewer{ID: "rev-2"}}}
}

func amendment(recorded string) stats.Record {
	r := appeal(recorded)
	r.Members.Area, r.Members.Outcome, r.Members.Trigger, r.Members.Gate = terms.Amendments, 0, 0, terms.Blocked
	r.Members.Transition, r.Members.Reviewer.ID = terms.PostLockCorrection, "rev-1"
	return r
}

func with(r stats.Record, change func(*stats.Record)) stats.Record {
	change(&r)
	return r
}

func counted(period stats.Period, list ...stats.Record) stats.Figures {
	tally := stats.New(period)
	for i := range list {
		tally.Add(&list[i])
	}
	return tally.Figures()
}

// rowsOf are the rows of a group as WORD=COUNT.
func rowsOf(f *stats.Figures, name string) (list []string) {
	for _, g := range f.Groups {
		if g.Name == name {
			for _, row := range g.Rows {
				list = append(list, fmt.Sprintf("%s=%d", row.Word, row.Decisions))
			}
		}
	}
	return list
}

func TestWhichRecordsCountWhere(t *testing.T) {
	november := stats.PeriodOf(stats.Month, at("2026-11-22T10:00:00Z"))
	one := appeal("2026-11-22T10:00:00Z")
	for name, row := range map[string]struct {
		record stats.Record
		want   string // records unreadable rejected revoked decisions superseded appeals amendments against late filing opening
	}{
		"an appeal as advised": {one, "1 0 0 0 1 0 1 0 0/1 0/1 172800/172800/1 600/600/1"},
		"an amendment":         {amendment("2026-11-22T10:00:00Z"), "1 0 0 0 1 0 0 1 0/0 0/0 0/0/0 600/600/1"},
		"against the advice":   {with(one, func(r *stats.Record) { r.Against = true }), "1 0 0 0 1 0 1 0 1/1 0/1 172800/172800/1 600/600/1"},
		"superseded":           {with(one, func(r *stats.Record) { r.Superseded = true }), "1 0 0 0 1 1 1 0 0/1 0/1 172800/172800/1 600/600/1"},
		"rejected":             {with(one, func(r *stats.Record) { r.Rejected = true }), "1 0 1 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"rejected and superseded": {with(one, func(r *stats.Record) { r.Rejected, r.Superseded = true, true }),
			"1 0 1 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"of a revoked key": {with(one, func(r *stats.Record) { r.Revoked = true }), "1 0 0 1 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"rejected, of a revoked key": {with(one, func(r *stats.Record) { r.Rejected, r.Revoked = true, true }),
			"1 0 1 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"unreadable, in the period by its id":  {stats.Record{ID: records.NewRecordID(at("2026-11-22T10:00:00Z"), [10]byte{})}, "1 1 0 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"unreadable, before it":                {stats.Record{ID: records.NewRecordID(at("2026-10-22T10:00:00Z"), [10]byte{})}, "0 0 0 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"unreadable, without an id":            {stats.Record{}, "0 0 0 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"after the deadline":                   {with(one, func(r *stats.Record) { r.Deadline = at("2026-11-22T09:59:59.999999999Z") }), "1 0 0 0 1 0 1 0 0/1 1/1 172800/172800/1 600/600/1"},
		"at the deadline":                      {with(one, func(r *stats.Record) { r.Deadline = at("2026-11-22T10:00:00Z") }), "1 0 0 0 1 0 1 0 0/1 0/1 172800/172800/1 600/600/1"},
		"without filedAt and deadline":         {with(one, func(r *stats.Record) { r.FiledAt, r.Deadline = terms.Instant{}, terms.Instant{} }), "1 0 0 0 1 0 1 0 0/1 0/0 0/0/0 600/600/1"},
		"filed after it was recorded":          {with(one, func(r *stats.Record) { r.FiledAt = at("2026-11-22T10:00:01Z") }), "1 0 0 0 1 0 1 0 0/1 0/1 0/0/0 600/600/1"},
		"filed nine tenths of a second before": {with(one, func(r *stats.Record) { r.FiledAt = at("2026-11-22T09:59:59.1Z") }), "1 0 0 0 1 0 1 0 0/1 0/1 0/0/1 600/600/1"},
		"on the first moment of the period":    {appeal("2026-11-01T00:00:00Z"), "1 0 0 0 1 0 1 0 0/1 0/1 172800/172800/1 600/600/1"},
		"a nanosecond before":                  {appeal("2026-10-31T23:59:59.999999999Z"), "0 0 0 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
		"on the last moment of the period":     {appeal("2026-11-30T23:59:59.999999999Z"), "1 0 0 0 1 0 1 0 0/1 0/1 172800/172800/1 600/600/1"},
		"on the first moment after":            {appeal("2026-12-01T00:00:00Z"), "0 0 0 0 0 0 0 0 0/0 0/0 0/0/0 0/0/0"},
	} {
		f := counted(november, row.record)
		durations := func(d stats.Durations) string {
			return fmt.Sprintf("%d/%d/%d", int(d.Median.Seconds()), int(d.P90.Seconds()), d.Count)
		}
		got := fmt.Sprint(f.Records, f.Unreadable, f.Rejected, f.Revoked, f.Decisions, f.Superseded, f.Appeals, f.Amendments) +
			fmt.Sprintf(" %d/%d %d/%d ", f.AgainstAdvice.Count, f.AgainstAdvice.Of, f.AfterDeadline.Count, f.AfterDeadline.Of) + durations(f.FromFiling) + " " + durations(f.FromOpening)
		if got != row.want {
			t.Errorf("%s: %s, not %s", name, got, row.want)
		}
		for _, g := range f.Groups {
			if sum := sumOf(g.Rows); sum > f.Decisions {
				t.Errorf("%s: the group %s counts %d of %d", name, g.Name, sum, f.Decisions)
			}
		}
	}
}

func sumOf(rows []stats.Row) (sum int) {
	for _, row := range rows {
		sum += row.Decisions
	}
	return sum
}

func TestGroupsKeepTheOrderOfTheirVocabularyAndReviewersThatOfTheirIDs(t *testing.T) {
	list := []stats.Record{amendment("2026-11-20T10:00:00Z"), appeal("2026-11-20T10:00:00Z"), appeal("2026-11-21T10:00:00Z")}
	list = append(list, with(appeal("2026-11-22T10:00:00Z"), func(r *stats.Record) { r.Members.Outcome = terms.BlockReliance }))
	list = append(list, with(appeal("2026-11-22T11:00:00Z"), func(r *stats.Record) { r.Members.Trigger = 0 }))
	f := counted(stats.Period{}, list...)
	for name, want := range map[string]string{
		"outcome": "[uphold_decision=3 block_reliance=1]", "trigger": "[=1 duplicate_proof=3]", "transition": "[post_lock_correction=1]",
		"gate": "[pass=4 blocked=1]", "reviewer": "[rev-1=1 rev-2=4]",
	} {
		if got := fmt.Sprint(rowsOf(&f, name)); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

func TestWeeksHaveNoGapAndAreTheNewest(t *testing.T) {
	f := counted(stats.Period{}, appeal("2026-12-28T00:00:00Z"), appeal("2027-01-03T23:59:59Z"), appeal("2027-01-18T00:00:00Z"))
	got := ""
	for _, week := range f.Weeks {
		got += fmt.Sprintf("%s=%d ", week.Name, week.Decisions)
	}
	if want := "2026-W53=2 2027-W01=0 2027-W02=0 2027-W03=1 "; got != want {
		t.Errorf("weeks %s, not %s", got, want)
	}
	f = counted(stats.Period{}, appeal("0001-01-01T00:10:00Z"), appeal("2026-11-22T10:00:00Z"), appeal("9999-12-31T23:59:59Z"))
	if len(f.Weeks) != stats.MostWeeks || f.Weeks[len(f.Weeks)-1].Decisions != 1 || f.Decisions != 3 || fmt.Sprint(rowsOf(&f, "outcome")) != "[uphold_decision=3]" {
		t.Errorf("%d weeks, %d decisions, %v", len(f.Weeks), f.Decisions, rowsOf(&f, "outcome"))
	}
}

func TestAPercentileIsTheNearestRank(t *testing.T) {
	for count, want := range map[int][2]int{1: {1, 1}, 2: {1, 2}, 3: {2, 3}, 10: {5, 9}, 11: {6, 10}, 100: {50, 90}, 101: {51, 91}} {
		tally := stats.New(stats.Period{})
		for i := count; i > 0; i-- {
			r := appeal("2026-11-22T10:00:00Z")
			r.Members.OpenedAt = terms.InstantOf(r.Members.RecordedAt.Time().Add(-time.Duration(i) * time.Second))
			tally.Add(&r)
		}
		got := tally.Figures().FromOpening
		if got.Count != count || got.Median != time.Duration(want[0])*time.Second || got.P90 != time.Duration(want[1])*time.Second {
			t.Errorf("of 1 to %d: %v", count, got)
		}
	}
}

// drawn draws a record somewhere in two years.
func drawn(t *rapid.T, label string) stats.Record {
	start := time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)
	when := terms.InstantOf(start.Add(time.Duration(rapid.Int64Range(0, 63_000_000).Draw(t, label)) * time.Second))
	if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
		return stats.Record{ID: records.NewRecordID(when, [10]byte{})}
	}
	r := appeal(when.String())
	if rapid.Bool().Draw(t, "amendment") {
		r = amendment(when.String())
	}
	r.Superseded, r.Rejected, r.Revoked = rapid.Bool().Draw(t, "superseded"), rapid.IntRange(0, 5).Draw(t, "rejected") == 0, rapid.IntRange(0, 5).Draw(t, "revoked") == 0
	r.Members.Reviewer.ID = rapid.SampledFrom([]terms.ID{"a", "b", "c"}).Draw(t, "reviewer")
	r.Members.OpenedAt = terms.InstantOf(when.Time().Add(-time.Duration(rapid.Int64Range(-100, 10_000).Draw(t, "open")) * time.Second))
	if r.Members.Area == terms.Appeals {
		r.Against = rapid.Bool().Draw(t, "against")
		r.Members.Outcome = terms.Outcome(rapid.IntRange(1, terms.Outcomes.Len()).Draw(t, "outcome"))
	}
	return r
}

func TestTheFiguresOfAPeriodAreThoseOfItsPartsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := make([]stats.Record, rapid.IntRange(0, 40).Draw(t, "count"))
		for i := range list {
			list[i] = drawn(t, "recorded")
		}
		whole := counted(stats.Period{}, list...)
		shuffled := rapid.Permutation(list).Draw(t, "order")
		if again := counted(stats.Period{}, shuffled...); fmt.Sprint(again) != fmt.Sprint(whole) {
			t.Fatalf("%v in another order, not %v", again, whole)
		}
		span := rapid.SampledFrom([]stats.Span{stats.Week, stats.Month, stats.Quarter}).Draw(t, "span")
		sum := stats.Figures{}
		for p := stats.PeriodOf(span, at("2025-12-01T00:00:00Z")); p.From.Before(at("2028-02-01T00:00:00Z")); p = p.Next() {
			f := counted(p, list...)
			sum.Records, sum.Decisions, sum.Superseded, sum.Rejected = sum.Records+f.Records, sum.Decisions+f.Decisions, sum.Superseded+f.Superseded, sum.Rejected+f.Rejected
			sum.AgainstAdvice.Count += f.AgainstAdvice.Count
		}
		if sum.Records != len(list) || sum.Records != whole.Records || sum.Decisions != whole.Decisions || sum.Superseded != whole.Superseded ||
			sum.Rejected != whole.Rejected || sum.AgainstAdvice.Count != whole.AgainstAdvice.Count {
			t.Fatalf("by %s %+v, in all %+v", span, sum, whole)
		}
	})
}
