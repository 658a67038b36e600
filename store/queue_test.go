package store

import (
	"context"
	"errors"
	"slices"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

// queueOf reads the whole queue as rows.
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
		d.mill.appealCase(passing("no-policy", 1).with(members{"policyId": "pol-none"})),
		d.mill.appealCase(passing("no-version", 1).with(members{"policyVersion": 7})),
		d.mill.appealCase(passing("names-none", 1).with(members{"policyId": nil})),
		d.mill.amendment(applied("amd", 1)))
	appeals := d.queue(terms.Appeals, "")
	if appeals["good"].Gate != terms.Pass || len(appeals) != 4 {
		t.Errorf("rows %+v", appeals)
	}
	for _, id := range []terms.ID{"no-policy", "no-version", "names-none"} {
		if !appeals[id].Blockers.Set.Has(terms.AppealPolicyMissing) {
			t.Errorf("%s: %v", id, appeals[id].Blockers.List())
		}
	}
	if amendments := d.queue(terms.Amendments, ""); amendments["amd"].Gate != terms.Pass || len(amendments) != 1 {
		t.Errorf("rows %+v", amendments)
	}
	d.take(d.mill.appealPolicy(2), d.mill.amendmentPolicy(2))
	if row := d.queue(terms.Appeals, "")["good"]; !row.Blockers.Set.Has(terms.AppealPolicyNotCurrent) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
	if row := d.queue(terms.Amendments, "")["amd"]; !row.Blockers.Set.Has(terms.PolicySuperseded) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
}

func TestARevisionIsDecidedOnceThereIsARecord(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	if d.queue(terms.Appeals, "")["case-1"].Decided {
		t.Error("it is decided without a record")
	}
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	if !d.queue(terms.Appeals, "")["case-1"].Decided {
		t.Error("it is not decided")
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if d.queue(terms.Appeals, "")["case-1"].Decided {
		t.Error("a new revision is decided without a record")
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
			if row.Gate != gate || row.Blockers.Set != terms.SetOf(codes...) {
				t.Errorf("%s: gate %s, blockers %v", when, row.Gate, row.Blockers.List())
			}
		}
		if len(whole) != 1 || len(some) != 1 {
			t.Errorf("%s: %d and %d rows", when, len(whole), len(some))
		}
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
	if row.Gate != terms.Blocked || row.Unreadable == "" || !row.Decided {
		t.Errorf("%+v", row)
	}
}

func TestASkipIsTheReviewersAndTheRevisionsOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	for _, reason := range []string{"first", "waiting for the meter"} {
		must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{key}, reason))
	}
	wantSame(t, "skipped", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "waiting for the meter")
	wantSame(t, "the caseFile says", d.caseFile(terms.AppealCases, "case-1").Skipped, "waiting for the meter")
	wantSame(t, "for another reviewer", d.queue(terms.Appeals, "rev-other")["case-1"].Skipped, "")
	must(t, d.store.Unskip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{key}))
	wantSame(t, "taken back, it is still", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "")
	mustBe(t, d.store.Unskip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{key}), ErrNotFound)
	must(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{key}, "again"))
	d.take(d.mill.appealCase(passing("case-1", 2)))
	wantSame(t, "a new revision is skipped", d.queue(terms.Appeals, reviewerID)["case-1"].Skipped, "")
}

func TestASkipNeedsAReviewerAReasonAndAPacket(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	wantFailure(t, "nobody skips", d.store.Skip(t.Context(), "", terms.AppealCases, []packets.Key{key}, "why"))
	wantFailure(t, "without a reason", d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{key}, " "))
	mustBe(t, d.store.Skip(t.Context(), reviewerID, terms.AppealCases, []packets.Key{{ID: "case-1", Number: 2}}, "why"), ErrNotFound)
	mustBe(t, d.store.Skip(t.Context(), reviewerID, terms.AppealPolicies, []packets.Key{{ID: "pol-appeal", Number: 1}}, "why"), ErrNotFound)
}

func TestRecordsArePagedNewestFirst(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	var ids []records.RecordID
	var supersedes records.RecordID
	for range 5 {
		receipt := d.record("case-1", decision{outcome: terms.RequestEvidence, supersedes: supersedes})
		supersedes = receipt.RecordID
		ids = append(ids, supersedes)
	}
	var got []records.RecordID
	before := int64(0)
	for {
		page := need(d.store.Records(t.Context(), before, 2))(t)
		for i := range page {
			got = append(got, page[i].Receipt.RecordID)
		}
		if len(page) == 0 || page[len(page)-1].Receipt.Sequence == 0 {
			break
		}
		before = page[len(page)-1].Receipt.Sequence
	}
	if len(got) != len(ids) {
		t.Fatalf("%d of %d records", len(got), len(ids))
	}
	for i := range ids {
		wantSame(t, i, got[i], ids[len(ids)-1-i])
	}
}
