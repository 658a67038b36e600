package store

import (
	"context"
	"errors"
	"slices"
	"testing"

	"docket/domain"
)

// queueOf reads the whole queue as rows.
func queueOf(ctx context.Context, s *Store, area domain.Area, at domain.Instant, reviewer domain.ID) ([]domain.QueueRow, error) {
	docket, _, err := s.Queue(ctx, area, at, reviewer, nil)
	if err != nil {
		return nil, err
	}
	var rows []domain.QueueRow
	for _, row := range docket.All() {
		rows = append(rows, row)
	}
	return rows, nil
}

func (d *desk) queue(area domain.Area, reviewer domain.ID) map[domain.ID]domain.QueueRow {
	d.t.Helper()
	rows, err := queueOf(d.t.Context(), d.store, area, domain.InstantOf(noon), reviewer)
	if err != nil {
		d.t.Fatal(err)
	}
	byID := map[domain.ID]domain.QueueRow{}
	for _, row := range rows {
		byID[row.ID] = row
	}
	if len(byID) != len(rows) {
		d.t.Errorf("%d rows for %d ids", len(rows), len(byID))
	}
	return byID
}

func TestTheQueueJudgesByThePolicyThatIsNamed(t *testing.T) {
	d := newDesk(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1),
		d.mill.appealCase(passing("good", 1)),
		d.mill.appealCase(passing("no-policy", 1).with(members{"policyId": "pol-none"})),
		d.mill.appealCase(passing("no-version", 1).with(members{"policyVersion": 7})),
		d.mill.appealCase(passing("names-none", 1).with(members{"policyId": nil})),
		d.mill.amendment(applied("amd", 1)))
	appeals := d.queue(domain.Appeals, "")
	if appeals["good"].Gate != domain.Pass || len(appeals) != 4 {
		t.Errorf("rows %+v", appeals)
	}
	for _, id := range []domain.ID{"no-policy", "no-version", "names-none"} {
		if !appeals[id].Blockers.Set.Has(domain.AppealPolicyMissing) {
			t.Errorf("%s: %v", id, appeals[id].Blockers.List())
		}
	}
	if amendments := d.queue(domain.Amendments, ""); amendments["amd"].Gate != domain.Pass || len(amendments) != 1 {
		t.Errorf("rows %+v", amendments)
	}
	d.take(d.mill.appealPolicy(2), d.mill.amendmentPolicy(2))
	if row := d.queue(domain.Appeals, "")["good"]; !row.Blockers.Set.Has(domain.AppealPolicyNotCurrent) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
	if row := d.queue(domain.Amendments, "")["amd"]; !row.Blockers.Set.Has(domain.PolicySuperseded) {
		t.Errorf("a newer policy: %v", row.Blockers.List())
	}
}

func TestARevisionIsDecidedOnceThereIsARecord(t *testing.T) {
	d := withCase(t)
	if d.queue(domain.Appeals, "")["case-1"].Decided {
		t.Error("it is decided without a record")
	}
	d.record("case-1", decision{outcome: domain.UpholdDecision})
	if !d.queue(domain.Appeals, "")["case-1"].Decided {
		t.Error("it is not decided")
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if d.queue(domain.Appeals, "")["case-1"].Decided {
		t.Error("a new revision is decided without a record")
	}
}

func TestTheQueueShowsBlockersThatPeopleAdded(t *testing.T) {
	d := withCase(t)
	reasons := domain.Statement{Salt: packetSalt, Text: "Nobody has shown that the notice was given."}
	want := func(when string, gate domain.Gate, codes ...domain.Blocker) {
		t.Helper()
		at := domain.InstantOf(noon)
		whole, err := queueOf(t.Context(), d.store, domain.Appeals, at, "")
		top, topErr := d.store.QueueTop(t.Context(), domain.Appeals, at, "", 10)
		some, someErr := d.store.QueueRows(t.Context(), domain.Appeals, []domain.ID{"case-1"}, at, "")
		if err := errors.Join(err, topErr, someErr); err != nil {
			t.Fatal(err)
		}
		for _, row := range slices.Concat(whole, top, some) {
			if row.Gate != gate || row.Blockers.Set != domain.SetOf(codes...) {
				t.Errorf("%s: gate %s, blockers %v", when, row.Gate, row.Blockers.List())
			}
		}
		if len(whole) != 1 || len(some) != 1 {
			t.Errorf("%s: %d and %d rows", when, len(whole), len(some))
		}
	}
	want("nothing is recorded", domain.Pass)
	first := d.record("case-1", decision{outcome: domain.BlockReliance, added: []domain.Blocker{domain.NoticeMissing}, statement: reasons})
	want("one blocker was added", domain.Blocked, domain.NoticeMissing)
	d.record("case-1", decision{outcome: domain.BlockReliance, supersedes: first.RecordID, statement: reasons})
	want("the record is superseded", domain.Blocked, domain.NoticeMissing)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	want("a new revision came", domain.Pass)
}

func TestARowWhoseRecordCannotBeReadIsBlocked(t *testing.T) {
	d := withCase(t)
	d.record("case-1", decision{outcome: domain.UpholdDecision})
	d.damage(`"reviewerBlockers":[]`, `"reviewerBlockers":[x`)
	row := d.queue(domain.Appeals, "")["case-1"]
	if row.Gate != domain.Blocked || row.Unreadable == "" || !row.Decided {
		t.Errorf("%+v", row)
	}
}

func TestASkipIsTheReviewersAndTheRevisionsOwn(t *testing.T) {
	d := withCase(t)
	key := domain.Key{ID: "case-1", Number: 1}
	for _, reason := range []string{"first", "waiting for the meter"} {
		if err := d.store.Skip(t.Context(), reviewerID, domain.AppealCases, key, reason); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.queue(domain.Appeals, reviewerID)["case-1"].Skipped; got != "waiting for the meter" {
		t.Errorf("skipped %q", got)
	}
	if got := d.caseFile(domain.AppealCases, "case-1").Skipped; got != "waiting for the meter" {
		t.Errorf("the caseFile says %q", got)
	}
	if got := d.queue(domain.Appeals, "rev-other")["case-1"].Skipped; got != "" {
		t.Errorf("for another reviewer %q", got)
	}
	if err := d.store.Unskip(t.Context(), reviewerID, domain.AppealCases, key); err != nil {
		t.Fatal(err)
	}
	if got := d.queue(domain.Appeals, reviewerID)["case-1"].Skipped; got != "" {
		t.Errorf("taken back, it is still %q", got)
	}
	mustBe(t, d.store.Unskip(t.Context(), reviewerID, domain.AppealCases, key), ErrNotFound)
	if err := d.store.Skip(t.Context(), reviewerID, domain.AppealCases, key, "again"); err != nil {
		t.Fatal(err)
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if got := d.queue(domain.Appeals, reviewerID)["case-1"].Skipped; got != "" {
		t.Errorf("a new revision is skipped: %q", got)
	}
}

func TestASkipNeedsAReviewerAReasonAndAPacket(t *testing.T) {
	d := withCase(t)
	key := domain.Key{ID: "case-1", Number: 1}
	if err := d.store.Skip(t.Context(), "", domain.AppealCases, key, "why"); err == nil {
		t.Error("nobody skips")
	}
	if err := d.store.Skip(t.Context(), reviewerID, domain.AppealCases, key, " "); err == nil {
		t.Error("without a reason")
	}
	mustBe(t, d.store.Skip(t.Context(), reviewerID, domain.AppealCases, domain.Key{ID: "case-1", Number: 2}, "why"), ErrNotFound)
	mustBe(t, d.store.Skip(t.Context(), reviewerID, domain.AppealPolicies, domain.Key{ID: "pol-appeal", Number: 1}, "why"), ErrNotFound)
}

func TestRecordsArePagedNewestFirst(t *testing.T) {
	d := withCase(t)
	var ids []domain.RecordID
	var supersedes domain.RecordID
	for range 5 {
		receipt := d.record("case-1", decision{outcome: domain.RequestEvidence, supersedes: supersedes})
		supersedes = receipt.RecordID
		ids = append(ids, supersedes)
	}
	var got []domain.RecordID
	before := int64(0)
	for {
		page, err := d.store.Records(t.Context(), before, 2)
		if err != nil {
			t.Fatal(err)
		}
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
		if got[i] != ids[len(ids)-1-i] {
			t.Errorf("record %d is %s", i, got[i])
		}
	}
}
