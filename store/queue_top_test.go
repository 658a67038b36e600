package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
)

func (d *fixture) top(area terms.Area, most int) []terms.ID {
	d.t.Helper()
	rows := need(d.store.QueueTop(d.t.Context(), area, terms.InstantOf(noon), reviewerID, most))(d.t)
	var ids []terms.ID
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	slices.Sort(ids)
	return ids
}

// due is a case with a deadline on that day of April, assigned to somebody.
func due(id string, day int, assigned terms.ID) members {
	c := passing(id, 1).with(members{"deadline": fmt.Sprintf("2026-04-%02dT00:00:00Z", day)})
	review := members{}
	for name, value := range c["neutralReview"].(members) {
		review[name] = value
	}
	review["reviewerId"] = string(assigned)
	return c.with(members{"neutralReview": review})
}

func TestTheTopOfTheQueueIsWhatIsMineAndThenWhatIsUrgent(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1),
		d.mill.appealCase(due("mine-late", 20, reviewerID)), d.mill.appealCase(due("mine-soon", 10, reviewerID)),
		d.mill.appealCase(passing("mine-undated", 1).with(members{"deadline": nil})),
		d.mill.appealCase(due("other-soonest", 1, "rev-other")), d.mill.appealCase(due("other-late", 28, "rev-other")))
	for most, want := range map[int][]terms.ID{
		1: {"mine-soon"},
		2: {"mine-late", "mine-soon"},
		3: {"mine-late", "mine-soon", "mine-undated"},
		4: {"mine-late", "mine-soon", "mine-undated", "other-soonest"},
		9: {"mine-late", "mine-soon", "mine-undated", "other-late", "other-soonest"},
	} {
		wantList(t, most, d.top(terms.Appeals, most), want)
	}
}

func TestTheTopOfTheQueueLeavesOutWhatIsDoneAndOldRevisions(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(due("decided", 1, reviewerID)), d.mill.appealCase(due("skipped", 2, reviewerID)),
		d.mill.appealCase(due("open", 3, reviewerID)), d.mill.appealCase(due("open", 4, "rev-other").with(members{"revision": 2})))
	d.record("decided", decision{outcome: terms.UpholdDecision})
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "skipped", Number: 1}}, "later"))
	rows, err := d.store.QueueTop(t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, 9)
	if err != nil || len(rows) != 1 || rows[0].ID != "open" || rows[0].Revision != 2 {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestTheTopOfTheQueueHasNoClosedCase(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	packets := []packets.Packet{d.mill.appealPolicy(1), d.mill.appealCase(due("open", 28, reviewerID)), d.mill.appealCase(due("other", 28, "rev-other"))}
	for i, status := range []string{"upheld", "dismissed", "closed_unresolved", "superseded", "corrected"} {
		for j, assigned := range []terms.ID{reviewerID, "rev-other"} {
			packets = append(packets, d.mill.appealCase(due(fmt.Sprintf("closed-%d-%d", i, j), 1+i, assigned).with(members{"status": status})))
		}
	}
	d.take(packets...)
	wantList(t, "got", d.top(terms.Appeals, 2), []terms.ID{"open", "other"})
}

func TestTheTopOfTheAmendmentsIsThereToo(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1)))
	wantList(t, "got", d.top(terms.Amendments, 9), []terms.ID{"amd-1", "amd-2"})
}

func TestRowsAreJudgedAgainOneByOne(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-2", 3)), d.mill.appealCase(passing("case-3", 1)))
	rows, err := d.store.QueueRows(t.Context(), terms.Appeals, []terms.ID{"case-2", "nowhere", "case-1"}, terms.InstantOf(noon), reviewerID)
	if err != nil || len(rows) != 2 || rows[0].ID != "case-2" || rows[0].Revision != 3 || rows[1].ID != "case-1" {
		t.Errorf("%+v, %v", rows, err)
	}
	all := d.queue(terms.Appeals, reviewerID)
	for i := range rows {
		wantSame(t, rows[i].ID, rows[i].Gate, all[rows[i].ID].Gate)
	}
}

func TestADocketOfManyPortionsHoldsEveryCaseOnce(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1))
	var packets []packets.Packet
	for i := range 2*portionRows + 1 {
		packets = append(packets, d.mill.appealCase(passing(fmt.Sprintf("case-%05d", i), 1)))
	}
	d.take(packets...)
	last := int64(0)
	docket, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", func(done, total int64) {
		if done < last || done > total || total != int64(len(packets)) {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil || docket.Len() != len(packets) || last != int64(len(packets)) || mark.Packets != int64(len(packets)) {
		t.Errorf("%d rows, %d told, %+v, %v", docket.Len(), last, mark, err)
	}
	wantSame(t, "tally.Pass", docket.Tally("").Pass, len(packets))
}

func TestNewsTellsWhatCameSinceTheMark(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	since := func(mark queue.Watermark) queue.Changes {
		news := need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
		return news
	}
	_, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", nil)
	must(t, err)
	if news := since(mark); len(news.IDs) != 0 || news.Everything || news.Watermark != mark {
		t.Errorf("nothing came, and the news is %+v", news)
	}
	d.take(d.mill.appealCase(passing("case-2", 1)))
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	news := since(mark)
	if !slices.Equal(news.IDs, []terms.ID{"case-2", "case-1"}) || news.Everything {
		t.Errorf("the news is %+v", news)
	}
	wantSame(t, "told twice", len(since(news.Watermark).IDs), 0)
	d.take(d.mill.appealPolicy(2))
	if !since(news.Watermark).Everything {
		t.Error("a new policy may change every row")
	}
}

func TestTheTopOfALongQueueIsFoundWithoutReadingIt(t *testing.T) {
	t.Parallel()
	d := filled(t)
	read, queries := d.noting()
	*queries = nil
	for _, area := range []terms.Area{terms.Appeals, terms.Amendments} {
		need(read.QueueTop(t.Context(), area, terms.InstantOf(noon), reviewerID, math.MaxInt32))(t)
	}
	looked := 0
	for _, query := range *queries {
		if !strings.HasPrefix(query.text, "SELECT latest.id") {
			continue
		}
		looked++
		plan := d.planOf(query)
		if strings.Contains(plan, "SCAN held") || strings.Contains(plan, "TEMP B-TREE") || !strings.Contains(plan, "USING ") {
			t.Errorf("%s\n%s", query.text, plan)
		}
	}
	if parts := len(queueParts[terms.Appeals]) + len(queueParts[terms.Amendments]); looked != parts {
		t.Errorf("%d queries were seen of %d", looked, parts)
	}
}
