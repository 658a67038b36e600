package store

import (
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

var begun = records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired), Note: "ask first", Step: "note"}

// keep keeps a draft of the sample reviewer.
func (d *fixture) keep(key packets.Key, draft records.Draft) {
	d.t.Helper()
	must(d.t, d.store.SaveDraft(d.t.Context(), reviewerID, terms.AppealCases, key, draft))
}

func TestADraftIsTheReviewersAndTheLastOneCounts(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	if got := d.caseFile(terms.AppealCases, "case-1").Draft; got.Present() {
		t.Errorf("before there is one: %+v", got)
	}
	d.keep(key, records.Draft{Outcome: terms.UpholdDecision})
	d.keep(key, begun)
	kept := d.caseFile(terms.AppealCases, "case-1").Draft
	if kept.Draft != begun || kept.Revision != 1 || kept.SavedAt.Time() != noon {
		t.Errorf("kept %+v", kept)
	}
	if !d.queue(terms.Appeals, reviewerID)["case-1"].Draft || d.queue(terms.Appeals, "rev-other")["case-1"].Draft {
		t.Error("the queue does not mark it for its reviewer, or marks it for another one")
	}
	other, err := d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.InstantOf(noon), "rev-other")
	if err != nil || other.Draft.Present() {
		t.Errorf("another reviewer sees %+v, %v", other.Draft, err)
	}
	must(t, d.store.DropDraft(t.Context(), reviewerID, terms.AppealCases, key))
	if d.caseFile(terms.AppealCases, "case-1").Draft.Present() || d.queue(terms.Appeals, reviewerID)["case-1"].Draft {
		t.Error("it is still there")
	}
}

func TestADraftOfAnEarlierRevisionIsFoundAndOneOfALaterIsNot(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.keep(packets.Key{ID: "case-1", Number: 1}, begun)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if kept := d.caseFile(terms.AppealCases, "case-1").Draft; kept.Draft != begun || kept.Revision != 1 {
		t.Errorf("on revision 2: %+v", kept)
	}
	later := begun
	later.Note = "on the second"
	d.keep(packets.Key{ID: "case-1", Number: 2}, later)
	if kept := d.caseFile(terms.AppealCases, "case-1").Draft; kept.Draft != later || kept.Revision != 2 {
		t.Errorf("on revision 2: %+v", kept)
	}
	first := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), reviewerID))(t)
	wantSame(t, "on revision 1", first.Draft.Draft, begun)
}

func TestARecordDropsTheDraftAndARefusedOneDoesNot(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	d.keep(key, begun)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	stale := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, supersedes: newRecordID(noon)})
	if _, err := d.store.Append(t.Context(), stale); err == nil {
		t.Fatal("it is appended")
	}
	if !d.caseFile(terms.AppealCases, "case-1").Draft.Present() {
		t.Error("what was not recorded dropped the draft")
	}
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	if kept := d.caseFile(terms.AppealCases, "case-1").Draft; kept.Present() {
		t.Errorf("after the record: %+v", kept)
	}
}

func TestADraftNeedsAReviewerAndAPacket(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	wantFailure(t, "nobody keeps a draft", d.store.SaveDraft(t.Context(), "", terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, begun))
	for _, key := range []packets.Key{{ID: "case-1", Number: 2}, {ID: "case-9", Number: 1}} {
		mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealCases, key, begun), ErrNotFound)
	}
	mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealPolicies, packets.Key{ID: "pol-appeal", Number: 1}, begun), ErrNotFound)
}

func TestADraftThatCannotBeReadSaysSo(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.keep(packets.Key{ID: "case-1", Number: 1}, begun)
	path := d.store.Path()
	d.close()
	forge(t, path, "UPDATE docket_drafts SET draft = 'a secret'")
	d.store = openWith(t, Options{Path: path, Now: func() time.Time { return noon }})
	if kept := d.caseFile(terms.AppealCases, "case-1").Draft; kept.Unreadable == "" || !kept.Present() || kept.Draft != (records.Draft{}) {
		t.Errorf("kept %+v", kept)
	}
}
