package store

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

// wantInForce holds all that tells what is in force on the first revision of a case to saying the same.
func (d *fixture) wantInForce(id terms.ID, inForce records.RecordID, decided, rejected bool) {
	d.t.Helper()
	wantSame(d.t, "got", d.caseFile(terms.AppealCases, id).InForce, inForce)
	row := d.queue(terms.Appeals, reviewerID)[id]
	if row.Decided != decided || row.Rejected != rejected {
		d.t.Errorf("decided %v, rejected %v", row.Decided, row.Rejected)
	}
	top := need(d.store.QueueTop(d.t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, 100))(d.t)
	open := false
	for _, row := range top {
		open = open || row.ID == id
	}
	if open == decided {
		d.t.Errorf("among the open ones: %v", open)
	}
}

// refusesToSupersede fails unless a decision that supersedes the record is refused as stale.
func (d *fixture) refusesToSupersede(id terms.ID, supersedes records.RecordID) {
	d.t.Helper()
	caseFile := d.caseFile(terms.AppealCases, id)
	_, err := d.store.Append(d.t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, supersedes: supersedes}))
	var stale *records.StaleError
	if !errors.As(err, &stale) {
		d.t.Errorf("superseding %q: %v", supersedes, err)
	}
}

func (d *fixture) supersededBy(id records.RecordID) records.RecordID {
	d.t.Helper()
	logged := need(d.store.Record(d.t.Context(), id))(d.t)
	return logged.SupersededBy
}

func TestARejectedRecordWithNothingInForceIsJudgedAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first := d.decided("case-1", "")
	firstID := first.Members().RecordID
	d.wantInForce("case-1", firstID, true, false)
	d.rejected(s, first, "")
	d.wantInForce("case-1", "", false, true)
	d.refusesToSupersede("case-1", firstID)
	again := d.decided("case-1", "")
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	d.accepted(s, again)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	wantSame(t, "the rejected record is superseded by", d.supersededBy(firstID), "")
	if tally, err := d.store.HandInTally(t.Context()); err != nil || tally.Rejected != 0 || tally.Waiting != 0 {
		t.Errorf("%+v, %v", tally, err)
	}
	wantKinds(t, "after all", proven(t, d.store))
}

func TestARecordOfAnotherLogThatIsInForceIsSuperseded(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	foreign := newRecordID(noon)
	held := d.decided("case-1", "")
	d.accepted(s, held)
	turned := d.decided("case-1", held.Members().RecordID)
	d.rejected(s, turned, foreign)
	d.wantInForce("case-1", foreign, false, true)
	wantSame(t, "the accepted record is superseded by", d.supersededBy(held.Members().RecordID), foreign)
	for _, wrong := range []records.RecordID{"", held.Members().RecordID, turned.Members().RecordID} {
		d.refusesToSupersede("case-1", wrong)
	}
	again := d.decided("case-1", foreign)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	wantKinds(t, "after all", proven(t, d.store))
}

func TestWhatARejectedRecordSupersededIsSupersededAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first := d.decided("case-1", "")
	d.accepted(s, first)
	firstID := first.Members().RecordID
	second := d.decided("case-1", firstID)
	wantSame(t, "superseded by", d.supersededBy(firstID), second.Members().RecordID)
	d.rejected(s, second, firstID)
	d.wantInForce("case-1", firstID, false, true)
	wantSame(t, "superseded by", d.supersededBy(firstID), "")
	third := d.decided("case-1", firstID)
	d.accepted(s, third)
	d.wantInForce("case-1", third.Members().RecordID, true, false)
	wantSame(t, "superseded by", d.supersededBy(firstID), third.Members().RecordID)
	for _, r := range d.caseFile(terms.AppealCases, "case-1").Records {
		t.Log(r.Receipt.RecordID, r.HandIn.State, r.SupersededBy)
	}
	wantKinds(t, "after all", proven(t, d.store))
}

func TestARecordOnTopOfOneThatIsRejectedLaterStaysInForceUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	foreign := newRecordID(noon)
	first := d.decided("case-1", "")
	second := d.decided("case-1", first.Members().RecordID)
	d.rejected(s, first, foreign)
	d.wantInForce("case-1", second.Members().RecordID, true, false)
	d.rejected(s, second, foreign)
	d.wantInForce("case-1", foreign, false, true)
}

func TestTwoRecordsSupersedeTheSameOnlyIfTheFirstWasRejected(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first := d.decided("case-1", "")
	second := d.decided("case-1", first.Members().RecordID)
	// Past the program, with its place in the log but nothing else in order.
	twin := "INSERT INTO main.trade_challenge_appeal_enforcement_records (sequence, document) SELECT 2, replace(document, recordId, '" +
		strings.Repeat("x", 36) + "') FROM main.trade_challenge_appeal_enforcement_records WHERE sequence = 1"
	row := "INSERT INTO main.docket_log VALUES (2, 'trade_challenge_appeal_enforcement_records', '" + strings.Repeat("x", 36) + "', zeroblob(32))"
	need(d.writer().Exec(row))(t)
	d.mustRefuse(d.writer(), twin)
	d.rejected(s, second, first.Members().RecordID)
	need(d.writer().Exec(twin))(t)
}

func TestARejectionIsNewsForTheQueue(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	first, second := d.decided("case-1", ""), d.decided("case-2", "")
	d.rejected(s, first, "")
	news, err := d.store.QueueChanges(t.Context(), terms.Appeals, queue.Watermark{})
	must(t, err)
	mark := news.Watermark
	if news, err = d.store.QueueChanges(t.Context(), terms.Appeals, mark); err != nil || len(news.IDs) > 0 || news.Everything {
		t.Errorf("%+v, %v", news, err)
	}
	d.rejected(s, second, "")
	if news, err = d.store.QueueChanges(t.Context(), terms.Appeals, mark); err != nil || len(news.IDs) != 1 || news.IDs[0] != "case-2" {
		t.Errorf("%+v, %v", news, err)
	}
}

func TestARejectionIsOpenUntilItsPacketIsJudgedAgainOnThatRevisionOrALaterOne(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	d.rejected(s, d.decided("case-1", ""), "")
	want := func(rejected int64) {
		t.Helper()
		if tally, err := d.store.HandInTally(t.Context()); err != nil || tally.Rejected != rejected {
			t.Errorf("%+v, %v", tally, err)
		}
	}
	want(1)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	want(1)
	d.wantInForce("case-1", "", false, true)
	again := d.decided("case-1", "")
	want(0)
	d.wantInForce("case-1", again.Members().RecordID, true, false)
	d.take(d.mill.appealCase(passing("case-1", 3)))
	d.wantInForce("case-1", "", false, false)
}
