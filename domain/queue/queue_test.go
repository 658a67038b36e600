package queue_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// drawRows draws rows of one area from few values, so that many are alike but for their ids.
func drawRows(t *rapid.T) (terms.Area, []queue.Row) {
	area := rapid.SampledFrom(terms.Areas.All()).Draw(t, "area")
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`(case-0*)?[0-9A-Za-z]{1,4}(-[a-z]{1,60})?`), 0, 60, rapid.ID).Draw(t, "ids")
	rows := make([]queue.Row, len(ids))
	for i, id := range ids {
		rows[i] = drawRow(t, area, terms.ID(id))
	}
	return area, rows
}

func drawRow(t *rapid.T, area terms.Area, id terms.ID) queue.Row {
	words := map[terms.Area][3][]string{
		terms.Appeals:    {terms.CaseStatuses.Texts(), terms.Subjects.Texts(), terms.Triggers.Texts()},
		terms.Amendments: {terms.AmendmentStates.Texts(), terms.SubjectTypes.Texts(), terms.Transitions.Texts()},
	}[area]
	word := func(of int) terms.AnyTerm {
		return terms.AnyTerm(rapid.SampledFrom(append(words[of], "")).Draw(t, "word"))
	}
	if rapid.IntRange(0, 9).Draw(t, "cannot be read") == 0 {
		return queue.UnreadableRow(terms.RecordTable(area), packets.Key{ID: id, Number: 1}, "damaged")
	}
	row := queue.Row{
		Table: terms.RecordTable(area), ID: id, Revision: rapid.SampledFrom([]int64{1, 2, 1<<32 - 1, 1 << 40}).Draw(t, "revision"),
		Status: word(0), Subject: word(1), Trigger: word(2),
		AssignedTo: rapid.SampledFrom([]terms.ID{"", "rev-1", "Rev-2", "rev-3"}).Draw(t, "assigned"),
		Decided:    rapid.Bool().Draw(t, "decided"),
		Skipped:    rapid.SampledFrom([]string{"", "", "later"}).Draw(t, "skipped"),
		Blockers:   queue.Codes{Area: area},
	}
	row.Rejected = !row.Decided && rapid.Bool().Draw(t, "rejected")
	row.Reassigned = !row.Rejected && rapid.Bool().Draw(t, "reassigned")
	if rapid.Bool().Draw(t, "has a deadline") {
		row.Deadline = terms.InstantOf(domaintest.Instant(rapid.SampledFrom(domaintest.Moments).Draw(t, "deadline")).Time().Truncate(time.Microsecond))
	}
	if rapid.Bool().Draw(t, "has an arrival") {
		row.ImportedAt = terms.InstantOf(domaintest.Instant(domaintest.Now).Time().AddDate(0, 0, -rapid.IntRange(0, 100).Draw(t, "days")))
	}
	row.Blockers.Set = terms.SetOf(rapid.SliceOfN(rapid.SampledFrom(rules.AllBlockers(area).Terms()), 0, 4).Draw(t, "blockers")...)
	if row.Blockers.Set.Empty() && rapid.Bool().Draw(t, "passes") {
		row.Gate = terms.Pass
	}
	return row
}

func TestAQueueReturnsTheRowsThatWentIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area, rows := drawRows(t)
		d := queue.New(area, slices.Clone(rows))
		if d.Len() != len(rows) || d.Area() != area {
			t.Fatalf("%d rows of %s", d.Len(), d.Area())
		}
		slices.SortFunc(rows, func(a, b queue.Row) int { return cmp.Compare(a.ID, b.ID) })
		for at, row := range d.All() {
			found, is := d.Find(row.ID)
			if row != rows[at] || d.Row(at) != rows[at] || !is || found != at {
				t.Fatalf("at %d: %+v, then %+v, want %+v", at, row, d.Row(at), rows[at])
			}
		}
		if _, found := d.Find("case-none-of-them"); found {
			t.Fatal("it finds what is not there")
		}
	})
}

func TestAQueueOfManyRowsSelectsByIDAndCountsEachReviewersOwn(t *testing.T) {
	rows := make([]queue.Row, 1000)
	for i := range rows {
		rows[i] = queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprintf("CASE-%04d-Z", i)), Revision: 1,
			AssignedTo: "rev-1", Blockers: queue.Codes{Area: terms.Appeals}}
	}
	rows[700].AssignedTo, rows[701].AssignedTo, rows[999].AssignedTo = "rev-2", "rev-2", "rev-2"
	d := queue.New(terms.Appeals, rows)
	for text, want := range map[string][]uint32{"0700-z": {700}, "0999": {999}, "case-0256": {256}, "00-Z 07": {700}, "1000": nil} {
		f, err := queue.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Select(d.Order(queue.ByID, ""), f, &queue.FilterContext{}, nil); !slices.Equal(got, want) {
			t.Errorf("%s selects %v, want %v", text, got, want)
		}
	}
	for reviewer, want := range map[terms.ID]int{"rev-1": 997, "rev-2": 3, "rev-3": 0} {
		if got := d.Tally(reviewer); got.Mine != want || got.Open != 1000 {
			t.Errorf("%s has %d of %d, want %d", reviewer, got.Mine, got.Open, want)
		}
	}
}

func TestRowsThatComeOutOfOrderOrTwiceAreKeptOnceAndTheLastCounts(t *testing.T) {
	var rows []queue.Row
	for i, id := range []terms.ID{"m", "c", "x", "x", "c", "", "a"} {
		rows = append(rows, queue.Row{Table: terms.AppealCases, ID: id, Revision: int64(i), Blockers: queue.Codes{Area: terms.Appeals}})
	}
	d, ids, got := queue.New(terms.Appeals, rows), "", map[terms.ID]int64{}
	for _, row := range d.All() {
		ids += string(row.ID)
		got[row.ID] = row.Revision
	}
	if want := map[terms.ID]int64{"": 5, "a": 6, "c": 4, "m": 0, "x": 3}; !maps.Equal(got, want) || ids != "acmx" || d.Len() != 5 {
		t.Errorf("%v in the order %s", got, ids)
	}
}

func TestAQueueCountsItsWritesAndReportsDrafts(t *testing.T) {
	rows := []queue.Row{{Table: terms.AppealCases, ID: "case-1"}, {Table: terms.AppealCases, ID: "case-200"}}
	d := queue.New(terms.Appeals, rows)
	if d.Writes() != 2 || d.HasDrafts() || d.IDWidth() != len("case-200") {
		t.Errorf("%d writes, drafts %v, ids of %d", d.Writes(), d.HasDrafts(), d.IDWidth())
	}
	for _, drafted := range []bool{true, false} {
		rows[0].Draft = drafted
		if before := d.Writes(); !d.Put(&rows[0]) || d.Writes() != before+1 || d.HasDrafts() != drafted {
			t.Errorf("%d writes after %d, drafts %v", d.Writes(), before, d.HasDrafts())
		}
	}
}

func TestPutReplacesARowAndAddsNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area, rows := drawRows(t)
		if len(rows) == 0 {
			return
		}
		d := queue.New(area, slices.Clone(rows))
		changed := drawRow(t, area, rapid.SampledFrom(rows).Draw(t, "row").ID)
		if !d.Put(&changed) {
			t.Fatal("it is not there")
		}
		stranger := changed
		stranger.ID = "case-none-of-them"
		if d.Put(&stranger) || d.Len() != len(rows) {
			t.Fatal("it was added")
		}
		for i := range rows {
			want := rows[i]
			if want.ID == changed.ID {
				want = changed
			}
			at, _ := d.Find(want.ID)
			if got := d.Row(at); got != want {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}

// before is the order of the table's comments, written out again.
func before(order queue.SortOrder, reviewer terms.ID, a, b queue.Row) bool {
	rank := func(r queue.Row) int {
		switch {
		case isClosed(r), r.Reassigned:
			return 4
		case r.Decided:
			return 3
		case r.Skipped != "":
			return 2
		case reviewer.Present() && r.AssignedTo == reviewer:
			return 0
		}
		return 1
	}
	count := func(r queue.Row) int {
		if r.Unreadable != "" {
			return 100
		}
		return r.Blockers.Set.Len()
	}
	of, reversed := queue.Reversal(order)
	at := dueOf
	if of == queue.ByArrival {
		at = func(r queue.Row) terms.Instant { return r.ImportedAt }
	}
	timed := of == queue.ByDeadline || of == queue.ByArrival
	switch {
	case rank(a) != rank(b):
		return rank(a) < rank(b)
	case timed && at(a).Present() != at(b).Present():
		return at(a).Present()
	case reversed && (timed && at(a) != at(b) || of == queue.ByBlockers && count(a) != count(b)):
		return before(of, reviewer, b, a)
	case reversed:
		return a.ID > b.ID
	case timed && at(a) != at(b):
		return at(a).Time().Before(at(b).Time())
	case of == queue.ByBlockers && count(a) != count(b):
		return count(a) < count(b)
	}
	return a.ID < b.ID
}

func TestOrdersAreTotalAndHoldEveryRowOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area, rows := drawRows(t)
		order := rapid.SampledFrom(queue.SortOrders.All()).Draw(t, "order")
		reviewer := rapid.SampledFrom([]terms.ID{"", "rev-1", "rev-9"}).Draw(t, "reviewer")
		d := queue.New(area, rows)
		places := d.Order(order, reviewer)
		for i, at := range places {
			if i > 0 && !before(order, reviewer, d.Row(int(places[i-1])), d.Row(int(at))) {
				t.Fatalf("by %s, %+v comes before %+v", order, d.Row(int(places[i-1])), d.Row(int(at)))
			}
		}
		slices.Sort(places)
		if len(slices.Compact(places)) != len(rows) {
			t.Fatalf("%d of %d rows", len(places), len(rows))
		}
	})
}

func TestAmendmentsHaveNoDeadlineByWhichOneCouldComeFirst(t *testing.T) {
	later, sooner := domaintest.View(t, domaintest.MaterialChange()), domaintest.View(t, domaintest.MaterialChange(), domaintest.Set("/record/notice/deliveredAt", "2026-06-20T00:00:00Z"))
	rows := []queue.Row{rowOf(&later, queue.RowState{}), rowOf(&sooner, queue.RowState{})}
	rows[0].ID, rows[1].ID = "amendment-1", "amendment-2" // the second one wakes first
	if places := queue.New(terms.Amendments, rows).Order(queue.ByDeadline, ""); !slices.Equal(places, []uint32{0, 1}) {
		t.Errorf("%v", places)
	}
}

func TestAQueueSelectsTheRowsThatTheFilterMatches(t *testing.T) {
	texts := []string{"", "case", "-case", "missing", "rev-1", "REV-2", "is:mine", "-is:mine", "is:decided", "is:rejected", "-is:rejected", "is:closed", "-is:closed", "is:reassigned", "-is:reassigned", "gate:pass", "due:<48h", "-due:>1h",
		"status:filed", "blocker:notice", "trigger:duplicate", "transition:pause", "subject:claim", "case -is:skipped due:>1m", "1 2"}
	rapid.Check(t, func(t *rapid.T) {
		area, rows := drawRows(t)
		f, err := queue.ParseFilter(rapid.SampledFrom(texts).Draw(t, "filter"))
		if err != nil {
			t.Fatal(err)
		}
		in := &queue.FilterContext{Reviewer: "rev-1", Now: domaintest.Instant(domaintest.Now)}
		d := queue.New(area, rows)
		places := d.Order(queue.ByDeadline, "")
		var want []uint32
		for _, at := range places {
			row := d.Row(int(at))
			if matches(f, &row, in) {
				want = append(want, at)
			}
		}
		if got := d.Select(places, f, in, nil); !slices.Equal(got, want) {
			t.Fatalf("%q selects %v, want %v", f, got, want)
		}
	})
}

func TestTimeChangesNothingBeforeTheNextChangeOfARow(t *testing.T) {
	inView := map[string]views.View{
		"appeal": domaintest.View(t, domaintest.Appeal()), "amendment": domaintest.View(t, domaintest.MaterialChange()), "correction": domaintest.View(t, domaintest.Correction()),
		"filed later": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/filedAt", "2026-06-20T00:00:00Z")),
		"late notice": domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/notice/deliveredAt", "2026-06-20T00:00:00Z")),
	}
	for name, v := range inView {
		d := queue.New(v.Area(), []queue.Row{rowOf(&v, queue.RowState{})})
		rowAt := func(at terms.Instant) queue.Row {
			return queue.NewRow(v.Policy(), v.Record(), v.Latest(), at, queue.RowState{})
		}
		wakes := 0
		for step := range 4 * 3650 { // ten years
			at := terms.InstantOf(v.EvaluatedAt().Time().Add(time.Duration(step) * 6 * time.Hour))
			row, held := rowAt(at), d.Row(0)
			if ids, everything := d.ChangedBy(at, 10); len(ids) > 0 || everything {
				wakes++
				d = queue.New(v.Area(), []queue.Row{row})
				continue
			}
			if row.Gate != held.Gate || row.Blockers != held.Blockers {
				t.Fatalf("%s: at %s %v hold, and at the wake before %v", name, at, row.Blockers.List(), held.Blockers.List())
			}
		}
		if wakes == 0 || wakes > 10 {
			t.Errorf("%s woke %d times", name, wakes)
		}
	}
}

func TestChangedByListsNoMoreThanAskedFor(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	var rows []queue.Row
	for i := range 20 {
		row := rowOf(&v, queue.RowState{})
		row.ID = terms.ID(fmt.Sprintf("case-%02d", i))
		rows = append(rows, row)
	}
	d := queue.New(terms.Appeals, rows)
	later := terms.InstantOf(v.EvaluatedAt().Time().AddDate(5, 0, 0))
	ids, _ := d.ChangedBy(domaintest.Instant("2026-07-02T00:00:00Z"), 7)
	if _, everything := d.ChangedBy(later, 7); len(ids) != 7 || !everything {
		t.Errorf("%v, everything %v", ids, everything)
	}
	if ids, everything := d.ChangedBy(v.EvaluatedAt(), 7); len(ids) != 0 || everything {
		t.Errorf("%v wake at once, everything %v", ids, everything)
	}
}

func longDocket(count int) *queue.Queue {
	var rows []queue.Row
	for i := range count {
		row := queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprintf("case-%07d", i)), Revision: 1, Status: "filed",
			Subject: "claim", Trigger: "duplicate_proof", AssignedTo: terms.ID(fmt.Sprintf("rev-%02d", i%20)),
			Deadline: terms.InstantOf(domaintest.Instant(domaintest.Now).Time().Add(time.Duration(i*7919%9973) * time.Minute)),
			Blockers: queue.Codes{Area: terms.Appeals, Set: terms.SetOf(terms.NoticeMissing, terms.Blocker(1+i%17))}}
		rows = append(rows, row)
	}
	return queue.New(terms.Appeals, rows)
}

func BenchmarkQueue100k(b *testing.B) {
	d := longDocket(100_000)
	in := &queue.FilterContext{Reviewer: "rev-01", Now: domaintest.Instant(domaintest.Now)}
	places := d.Order(queue.ByDeadline, "rev-01")
	into := make([]uint32, 0, len(places))
	for _, text := range []string{"case-00999", "missing", "gate:pass", "blocker:notice due:<48h -is:mine"} {
		f, err := queue.ParseFilter(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("select "+text, func(b *testing.B) {
			for b.Loop() {
				into = d.Select(places, f, in, into[:0])
			}
		})
	}
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			d.Order(queue.ByDeadline, "rev-01")
		}
	})
	b.Run("tally", func(b *testing.B) {
		for b.Loop() {
			d.Tally("rev-01")
		}
	})
}
