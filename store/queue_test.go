package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

func queueOf(ctx context.Context, s *Store, area terms.Area, at terms.Instant, reviewer terms.ID) ([]queue.Row, error) {
	docket, _, err := s.Queue(ctx, area, at, reviewer, nil)
	if err != nil {
		return nil, err
	}
	var rows []queue.Row
	for _, row := range docket.All() {
		rows = append(rows, row)
	}
	return rows, nil
}

func (d *fixture) queue(area terms.Area, reviewer terms.ID) map[terms.ID]queue.Row {
	d.t.Helper()
	rows := need(queueOf(d.t.Context(), d.store, area, terms.InstantOf(noon), reviewer))(d.t)
	byID := map[terms.ID]queue.Row{}
	for _, row := range rows {
		byID[row.ID] = row
	}
	wantSame(d.t, "rows for ids", len(byID), len(rows))
	return byID
}

func TestTheQueueJudgesByThePolicyThatIsNamed(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1),
		d.mill.appealCase(passing("good", 1)),
		d.mill.appealCase(passing("no-policy", 1).With(members{"policyId": "pol-none"})),
		d.mill.appealCase(passing("no-version", 1).With(members{"policyVersion": 7})),
		d.mill.appealCase(passing("names-none", 1).With(members{"policyId": nil})),
		d.mill.amendment(applied("amd", 1)))
	appeals := d.queue(terms.Appeals, "")
	wantNot(t, appeals["good"].Gate != terms.Pass || len(appeals) != 4, "rows %+v", appeals)
	for _, id := range []terms.ID{"no-policy", "no-version", "names-none"} {
		wantNot(t, !appeals[id].Blockers.Set.Has(terms.AppealPolicyMissing),
			"%s: %v", id, appeals[id].Blockers.List())
	}
	amendments := d.queue(terms.Amendments, "")
	wantNot(t, amendments["amd"].Gate != terms.Pass || len(amendments) != 1, "rows %+v", amendments)
	d.take(d.mill.appealPolicy(2), d.mill.amendmentPolicy(2))
	if row := d.queue(terms.Appeals, "")["good"]; !row.Blockers.Set.Has(terms.AppealPolicyNotCurrent) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
	if row := d.queue(terms.Amendments, "")["amd"]; !row.Blockers.Set.Has(terms.PolicySuperseded) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
}

func TestTheQueueShowsBlockersThatPeopleAdded(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	reasons := records.Statement{Salt: packetSalt, Text: "Nobody has shown that the notice was given."}
	want := func(when string, gate terms.Gate, codes ...terms.Blocker) {
		t.Helper()
		at := terms.InstantOf(noon)
		whole, err := queueOf(t.Context(), d.store, terms.Appeals, at, "")
		top, topErr := d.store.QueueTop(t.Context(), terms.Appeals, at, "", 10)
		some, someErr := d.store.QueueRows(t.Context(), terms.Appeals, []terms.ID{"case-1"}, at, "")
		must(t, errors.Join(err, topErr, someErr))
		for _, row := range slices.Concat(whole, top, some) {
			wantNot(t, row.Gate != gate || row.Blockers.Set != terms.SetOf(codes...),
				"%s: gate %s, blockers %v", when, row.Gate, row.Blockers.List())
		}
		wantNot(t, len(whole) != 1 || len(some) != 1,
			"%s: %d and %d rows", when, len(whole), len(some))
	}
	want("nothing is recorded", terms.Pass)
	first := d.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}, statement: reasons})
	want("one blocker was added", terms.Blocked, terms.NoticeMissing)
	d.record("case-1", decision{outcome: terms.BlockReliance, supersedes: first.RecordID, statement: reasons})
	want("the record is superseded", terms.Blocked, terms.NoticeMissing)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	want("a new revision came", terms.Pass)
}

func TestARowWhoseRecordCannotBeReadIsBlocked(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.damage(`"reviewerBlockers":[]`, `"reviewerBlockers":[x`)
	row := d.queue(terms.Appeals, "")["case-1"]
	wantNot(t, row.Gate != terms.Blocked || row.Unreadable == "" || !row.Decided, "%+v", row)
}

func TestASkipIsTheReviewersAndTheRevisionsOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	for _, reason := range []string{"first", "waiting for the meter"} {
		must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, key, reason))
	}
	wantSame(t, "skipped", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "waiting for the meter")
	wantSame(t, "the caseFile says", d.caseFile(terms.AppealCases, "case-1").Skipped, "waiting for the meter")
	wantSame(t, "for another reviewer", d.queue(terms.Appeals, "rev-other")["case-1"].Skipped, "")
	must(t, d.store.Unskip(t.Context(), reviewerID, terms.AppealCases, key))
	wantSame(t, "taken back, it is still", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "")
	mustBe(t, d.store.Unskip(t.Context(), reviewerID, terms.AppealCases, key), ErrNotFound)
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, key, "again"))
	d.take(d.mill.appealCase(passing("case-1", 2)))
	wantSame(t, "a new revision is skipped", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "")
}

func TestASkipNeedsAReviewerAReasonAndAPacket(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	wantFailure(t, "nobody skips", d.store.Skip(t.Context(), "", terms.AppealCases, key, "why"))
	wantFailure(t, "without a reason", d.store.Skip(t.Context(), reviewerID, terms.AppealCases, key, " "))
	mustBe(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 2}, "why"), ErrNotFound)
	mustBe(t, d.store.Skip(t.Context(), reviewerID, terms.AppealPolicies, packets.Key{ID: "pol-appeal", Number: 1}, "why"), ErrNotFound)
}

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
	return passing(id, 1).With(members{"deadline": fmt.Sprintf("2026-04-%02dT00:00:00Z", day),
		"neutralReview": review(assigned, "rev-recused")})
}

func TestTheTopOfTheQueueIsWhatIsMineAndThenWhatIsUrgent(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1),
		d.mill.appealCase(due("mine-late", 20, reviewerID)), d.mill.appealCase(due("mine-soon", 10, reviewerID)),
		d.mill.appealCase(passing("mine-undated", 1).With(members{"deadline": nil})),
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
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1)))
	wantList(t, "amendments", d.top(terms.Amendments, 9), []terms.ID{"amd-1", "amd-2"})
}

func TestTheTopOfTheQueueLeavesOutWhatIsDoneAndOldRevisions(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(due("decided", 1, reviewerID)), d.mill.appealCase(due("skipped", 2, reviewerID)),
		d.mill.appealCase(due("open", 3, reviewerID)), d.mill.appealCase(due("open", 4, "rev-other").With(members{"revision": 2})))
	d.record("decided", decision{outcome: terms.UpholdDecision})
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "skipped", Number: 1}, "later"))
	rows := need(d.store.QueueTop(t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, 9))(t)
	wantNot(t, len(rows) != 1 || rows[0].ID != "open" || rows[0].Revision != 2, "%+v", rows)
}

func TestTheTopOfTheQueueHasNoClosedCase(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	packets := []packets.Packet{d.mill.appealPolicy(1), d.mill.appealCase(due("open", 28, reviewerID)), d.mill.appealCase(due("other", 28, "rev-other"))}
	for i, status := range []string{"upheld", "dismissed", "closed_unresolved", "superseded", "corrected"} {
		for j, assigned := range []terms.ID{reviewerID, "rev-other"} {
			packets = append(packets, d.mill.appealCase(due(fmt.Sprintf("closed-%d-%d", i, j), 1+i, assigned).With(members{"status": status})))
		}
	}
	d.take(packets...)
	wantList(t, "got", d.top(terms.Appeals, 2), []terms.ID{"open", "other"})
}

func TestRowsAreJudgedAgainOneByOne(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)), d.mill.appealCase(passing("case-2", 3)), d.mill.appealCase(passing("case-3", 1)))
	rows, err := d.store.QueueRows(t.Context(), terms.Appeals, []terms.ID{"case-2", "nowhere", "case-1"}, terms.InstantOf(noon), reviewerID)
	wantNot(t, err != nil || len(rows) != 2 || rows[0].ID != "case-2" || rows[0].Revision != 3 ||
		rows[1].ID != "case-1", "%+v, %v", rows, err)
	all := d.queue(terms.Appeals, reviewerID)
	for i := range rows {
		wantSame(t, rows[i].ID, rows[i].Gate, all[rows[i].ID].Gate)
	}
}

func TestADocketOfManyPortionsHoldsEveryCaseOnce(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	ids := d.many("case", 2*portionRows+1)
	last := int64(0)
	docket, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", func(done, total int64) {
		wantNot(t, done < last || done > total || total != int64(len(ids)),
			"%d of %d after %d", done, total, last)
		last = done
	})
	wantNot(t, err != nil || docket.Len() != len(ids) || last != int64(len(ids)) ||
		mark.Packets != int64(len(ids))+1, "%d rows, %d told, %+v, %v", docket.Len(), last, mark, err)
	wantSame(t, "tally.Pass", docket.Tally("").Pass, len(ids))
}

func TestNewsTellsWhatCameSinceTheMark(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	since := func(mark queue.Watermark) queue.Changes {
		return need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
	}
	_, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", nil)
	must(t, err)
	if news := since(mark); len(news.IDs) != 0 || news.Everything || news.Watermark != mark {
		t.Errorf("nothing came, and the news is %+v", news)
	}
	d.take(d.mill.appealCase(passing("case-2", 1)))
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	news := since(mark)
	wantNot(t, !slices.Equal(news.IDs, []terms.ID{"case-2", "case-1"}) || news.Everything,
		"the news is %+v", news)
	wantSame(t, "told twice", len(since(news.Watermark).IDs), 0)
	d.take(d.mill.appealPolicy(2))
	wantNot(t, !since(news.Watermark).Everything, "a new policy may change every row")
}

func TestTheTopOfALongQueueIsFoundWithoutReadingIt(t *testing.T) {
	t.Parallel()
	d := filled(t)
	read, queries := d.noting()
	*queries = nil
	for _, area := range []terms.Area{terms.Appeals, terms.Amendments} {
		need(read.QueueTop(t.Context(), area, terms.InstantOf(noon), reviewerID, math.MaxInt32))(t)
	}
	plans := d.plansOf(*queries, "SELECT latest.id")
	for _, plan := range plans {
		wantNot(t, strings.Contains(plan, "SCAN held") || strings.Contains(plan, "TEMP B-TREE") ||
			!strings.Contains(plan, "USING "), "%s", plan)
	}
	wantSame(t, "queries", len(plans), len(queueParts[terms.Appeals])+len(queueParts[terms.Amendments]))
}
