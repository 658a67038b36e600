package store

import (
	"testing"
	"time"

	"docket/domain"
)

var begun = domain.Draft{Outcome: domain.CorrectRecord, Factors: domain.SetOf(domain.HumanReviewRequired), Note: "ask first", Step: "note"}

// keep keeps a draft of the sample reviewer.
func (d *desk) keep(key domain.Key, draft domain.Draft) {
	d.t.Helper()
	if err := d.store.SaveDraft(d.t.Context(), reviewerID, domain.AppealCases, key, draft); err != nil {
		d.t.Fatal(err)
	}
}

func TestADraftIsTheReviewersAndTheLastOneCounts(t *testing.T) {
	d := withCase(t)
	key := domain.Key{ID: "case-1", Number: 1}
	if got := d.caseFile(domain.AppealCases, "case-1").Draft; got.Present() {
		t.Errorf("before there is one: %+v", got)
	}
	d.keep(key, domain.Draft{Outcome: domain.UpholdDecision})
	d.keep(key, begun)
	kept := d.caseFile(domain.AppealCases, "case-1").Draft
	if kept.Draft != begun || kept.Revision != 1 || kept.SavedAt.Time() != noon {
		t.Errorf("kept %+v", kept)
	}
	if !d.queue(domain.Appeals, reviewerID)["case-1"].Draft || d.queue(domain.Appeals, "rev-other")["case-1"].Draft {
		t.Error("the queue does not mark it for its reviewer, or marks it for another one")
	}
	other, err := d.store.CaseFile(t.Context(), domain.AppealCases, "case-1", 0, domain.InstantOf(noon), "rev-other")
	if err != nil || other.Draft.Present() {
		t.Errorf("another reviewer sees %+v, %v", other.Draft, err)
	}
	if err := d.store.DropDraft(t.Context(), reviewerID, domain.AppealCases, key); err != nil {
		t.Fatal(err)
	}
	if d.caseFile(domain.AppealCases, "case-1").Draft.Present() || d.queue(domain.Appeals, reviewerID)["case-1"].Draft {
		t.Error("it is still there")
	}
}

func TestADraftOfAnEarlierRevisionIsFoundAndOneOfALaterIsNot(t *testing.T) {
	d := withCase(t)
	d.keep(domain.Key{ID: "case-1", Number: 1}, begun)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if kept := d.caseFile(domain.AppealCases, "case-1").Draft; kept.Draft != begun || kept.Revision != 1 {
		t.Errorf("on revision 2: %+v", kept)
	}
	later := begun
	later.Note = "on the second"
	d.keep(domain.Key{ID: "case-1", Number: 2}, later)
	if kept := d.caseFile(domain.AppealCases, "case-1").Draft; kept.Draft != later || kept.Revision != 2 {
		t.Errorf("on revision 2: %+v", kept)
	}
	first, err := d.store.CaseFile(t.Context(), domain.AppealCases, "case-1", 1, domain.InstantOf(noon), reviewerID)
	if err != nil || first.Draft.Draft != begun {
		t.Errorf("on revision 1: %+v, %v", first.Draft, err)
	}
}

func TestARecordDropsTheDraftAndARefusedOneDoesNot(t *testing.T) {
	d := withCase(t)
	key := domain.Key{ID: "case-1", Number: 1}
	d.keep(key, begun)
	caseFile := d.caseFile(domain.AppealCases, "case-1")
	stale := d.decide(&caseFile.View, decision{outcome: domain.UpholdDecision, supersedes: newRecordID(noon)})
	if _, err := d.store.Append(t.Context(), stale); err == nil {
		t.Fatal("it is appended")
	}
	if !d.caseFile(domain.AppealCases, "case-1").Draft.Present() {
		t.Error("what was not recorded dropped the draft")
	}
	d.record("case-1", decision{outcome: domain.UpholdDecision})
	if kept := d.caseFile(domain.AppealCases, "case-1").Draft; kept.Present() {
		t.Errorf("after the record: %+v", kept)
	}
}

func TestADraftNeedsAReviewerAndAPacket(t *testing.T) {
	d := withCase(t)
	if err := d.store.SaveDraft(t.Context(), "", domain.AppealCases, domain.Key{ID: "case-1", Number: 1}, begun); err == nil {
		t.Error("nobody keeps a draft")
	}
	for _, key := range []domain.Key{{ID: "case-1", Number: 2}, {ID: "case-9", Number: 1}} {
		mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, domain.AppealCases, key, begun), ErrNotFound)
	}
	mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, domain.AppealPolicies, domain.Key{ID: "pol-appeal", Number: 1}, begun), ErrNotFound)
}

func TestADraftThatCannotBeReadSaysSo(t *testing.T) {
	d := withCase(t)
	d.keep(domain.Key{ID: "case-1", Number: 1}, begun)
	path := d.store.Path()
	d.close()
	forge(t, path, "UPDATE docket_drafts SET draft = 'a secret'")
	d.store = openWith(t, Options{Path: path, Now: func() time.Time { return noon }})
	if kept := d.caseFile(domain.AppealCases, "case-1").Draft; kept.Unreadable == "" || !kept.Present() || kept.Draft != (domain.Draft{}) {
		t.Errorf("kept %+v", kept)
	}
}
