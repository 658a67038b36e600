package store

import (
	"fmt"
	"slices"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

func relatedIDs(d *queue.CaseFile) (ids []terms.ID) {
	for i := range d.Related {
		ids = append(ids, d.Related[i].ID)
	}
	return ids
}

func TestADossierListsTheOtherCasesOnItsSubjectByTheirLatestRevision(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	other := members{"subjectId": "item-8"}
	d.take(d.mill.appealCase(passing("case-9", 1)), d.mill.appealCase(passing("case-9", 2)),
		d.mill.appealCase(passing("case-5", 1)),
		d.mill.appealCase(passing("case-3", 1).With(other)), d.mill.appealCase(passing("case-4", 1)),
		d.mill.appealCase(passing("case-4", 2).With(other)), d.mill.appealCase(passing("case-6", 1).With(members{"subjectId": nil})))
	got := d.caseFile(terms.AppealCases, "case-1")
	ids := relatedIDs(&got)
	mustNot(t, fmt.Sprint(ids) != "[case-5 case-9]" || got.Unlisted, "related %v", ids)
	row := got.Related[1]
	wantNot(t, row.Revision != 2 || row.Gate != terms.Pass || row.Decided, "row %+v", row)
	wantSame(t, relatedIDs(&got), len(d.caseFile(terms.AppealCases, "case-6").Related), 0)
	d.record("case-9", decision{outcome: terms.UpholdDecision})
	if got := d.caseFile(terms.AppealCases, "case-5"); len(got.Related) != 2 || !got.Related[1].Decided {
		t.Errorf("after a decision %+v", got.Related)
	}
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1)),
		d.mill.amendment(applied("amd-3", 1).With(members{"agreementId": "agr-2"})))
	amendment := d.caseFile(terms.AmendmentRecords, "amd-1")
	wantSame(t, "of its agreement", fmt.Sprint(relatedIDs(&amendment)), "[amd-2]")
}

func TestADossierSaysWhereItsListOfRelatedPacketsEnds(t *testing.T) {
	t.Parallel()
	for count, more := range map[int]bool{queue.MostRelated: false, queue.MostRelated + 1: true} {
		d := withCase(t)
		for i := range count {
			d.take(d.mill.appealCase(passing(fmt.Sprintf("other-%03d", i), 1)))
		}
		if got := d.caseFile(terms.AppealCases, "case-1"); len(got.Related) != queue.MostRelated || got.Unlisted != more {
			t.Errorf("of %d others %d are listed, more: %v", count, len(got.Related), got.Unlisted)
		}
	}
}

func TestADossierKnowsWhenRevisionsCameInAndTheRecordsOnEachOfThem(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	d.take(d.mill.appealCase(passing("case-1", 2)))
	got := d.caseFile(terms.AppealCases, "case-1")
	wantNot(t, len(got.Records) != 0 || len(got.Elsewhere) != 1 || got.Elsewhere[0].Record.Members().Key.Number != 1 ||
		got.InForce.Present(), "records %+v, elsewhere %+v", got.Records, got.Elsewhere)
	wantNot(t, len(got.Arrived) != 2 || !got.Arrived[0].Present() ||
		got.Arrived[1].Before(got.Arrived[0]), "arrived %v", got.Arrived)
}

func given(id terms.ID, revision int64) []verify.Ref {
	return []verify.Ref{{Table: terms.AppealCases, Key: packets.Key{ID: id, Number: revision}}}
}

// reassign keeps what the service says, and fails unless so much of it is held.
func (d *fixture) reassign(list []verify.Ref, afresh bool, held int) {
	d.t.Helper()
	kept := need(d.store.KeepReassigned(d.t.Context(), list, afresh))(d.t)
	mustNot(d.t, len(kept) != held, "%v", kept)
}

func TestACaseThatWasGivenToSomebodyElseIsNotDecidedAndItsDraftStays(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	draft := records.Draft{Outcome: terms.UpholdDecision, Statement: "The notice came late.", OpenedAt: terms.InstantOf(noon)}
	d.keep(packets.Key{ID: "case-1", Number: 1}, draft)
	before := d.caseFile(terms.AppealCases, "case-1")
	sub := d.decide(&before.View, decision{outcome: terms.UpholdDecision})
	_, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, nil)
	must(t, err)

	d.reassign(given("case-1", 2), false, 1)
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	wantNot(t, !row.Reassigned || row.Open() || !row.Draft, "%+v", row)
	wantSame(t, "the top of the queue is", len(d.top(terms.Appeals, 5)), 0)
	after := d.caseFile(terms.AppealCases, "case-1")
	summed := after.Row()
	wantNot(t, after.Reassigned != 2 || after.Draft.Statement != draft.Statement || summed.Open(),
		"revision %d, draft %+v", after.Reassigned, after.Draft)
	// What was judged before the pull is not recorded either.
	wantErr(t, "it is recorded", errOf(d.store.Append(t.Context(), sub)), records.ErrRefused, "somebody else")
	news := need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
	wantNot(t, news.Everything || !slices.Contains(news.IDs, "case-1"), "%+v", news)

	// It is given back with a later revision, and the one that was somebody else's comes with it.
	d.take(d.mill.appealCase(passing("case-1", 2).With(members{"neutralReview": review("rev-other")})), d.mill.appealCase(passing("case-1", 3)))
	row = d.queue(terms.Appeals, reviewerID)["case-1"]
	wantNot(t, row.Reassigned || !row.Open(), "%+v", row)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	_, err = d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision}))
	wantNot(t, err != nil || caseFile.Reassigned != 0, "%d, %v", caseFile.Reassigned, err)
}

func TestWhatTheServiceGaveToSomebodyElseIsToldAgain(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	reassigned := func() (ids []terms.ID) {
		for id, row := range d.queue(terms.Appeals, reviewerID) {
			if row.Reassigned {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return ids
	}
	d.reassign(given("case-9", 2), false, 0) // it is not held
	d.reassign(given("case-1", 1), false, 0) // revision 1 is
	d.reassign([]verify.Ref{{Table: terms.AppealPolicies, Key: packets.Key{ID: "case-1", Number: 9}}, {}}, false, 0)
	wantSame(t, "len(ids)", len(reassigned()), 0)
	d.reassign(append(given("case-1", 2), given("case-2", 4)...), false, 2)
	d.reassign(given("case-2", 5), false, 1)
	wantList(t, "ids", reassigned(), []terms.ID{"case-1", "case-2"})
	_, mark, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), reviewerID, nil)
	must(t, err)
	d.reassign(given("case-2", 5), true, 1) // pulled from the beginning
	wantList(t, "ids", reassigned(), []terms.ID{"case-2"})
	d.reassign(nil, true, 0)
	wantSame(t, "len(ids)", len(reassigned()), 0)
	d.reassign(given("case-1", 2), false, 1)
	news := need(d.store.QueueChanges(t.Context(), terms.Appeals, mark))(t)
	wantNot(t, !slices.Contains(news.IDs, "case-1"), "%+v", news)
}

func TestARejectedRecordOnACaseOfSomebodyElseIsNotToBeJudgedAgain(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	d.rejected(s, d.decided("case-1", ""), "")
	d.rejected(s, d.decided("case-2", ""), "")
	open := func() int64 {
		t.Helper()
		return need(d.store.HandInTally(t.Context()))(t).Rejected
	}
	n := open()
	mustNot(t, n != 2, "%d are to be judged again", n)
	d.reassign(given("case-1", 2), false, 1)
	row, caseFile := d.queue(terms.Appeals, reviewerID)["case-1"], d.caseFile(terms.AppealCases, "case-1")
	if n := open(); n != 1 || row.Rejected || caseFile.Rejected() != nil {
		t.Errorf("%d are to be judged again, the row says %v", n, row.Rejected)
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	if n, row := open(), d.queue(terms.Appeals, reviewerID)["case-1"]; n != 2 || !row.Rejected {
		t.Errorf("%d are to be judged again, the row says %v", n, row.Rejected)
	}
}

var begun = records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired), Note: "ask first", Step: "note"}

func (d *fixture) keep(key packets.Key, draft records.Draft) {
	d.t.Helper()
	must(d.t, d.store.SaveDraft(d.t.Context(), reviewerID, terms.AppealCases, key, draft))
}

func TestADraftIsTheReviewersAndTheLastOneCounts(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	key := packets.Key{ID: "case-1", Number: 1}
	got := d.caseFile(terms.AppealCases, "case-1").Draft
	wantNot(t, got.Present(), "before there is one: %+v", got)
	d.keep(key, records.Draft{Outcome: terms.UpholdDecision})
	d.keep(key, begun)
	kept := d.caseFile(terms.AppealCases, "case-1").Draft
	wantNot(t, kept.Draft != begun || kept.Revision != 1 || kept.SavedAt.Time() != noon,
		"kept %+v", kept)
	if !d.queue(terms.Appeals, reviewerID)["case-1"].Draft || d.queue(terms.Appeals, "rev-other")["case-1"].Draft {
		t.Error("the queue does not mark it for its reviewer, or marks it for another one")
	}
	other := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 0, terms.InstantOf(noon), "rev-other"))(t)
	wantNot(t, other.Draft.Present(), "another reviewer sees %+v", other.Draft)
	must(t, d.store.DropDraft(t.Context(), reviewerID, terms.AppealCases, key))
	wantNot(t, d.caseFile(terms.AppealCases, "case-1").Draft.Present() ||
		d.queue(terms.Appeals, reviewerID)["case-1"].Draft, "it is still there")

	// A refused record does not drop it, and one that is taken does.
	d.keep(key, begun)
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	stale := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, supersedes: newRecordID(noon)})
	wantFailure(t, "it is appended", errOf(d.store.Append(t.Context(), stale)))
	wantSame(t, "after a refusal", d.caseFile(terms.AppealCases, "case-1").Draft.Draft, begun)
	d.record("case-1", decision{outcome: terms.UpholdDecision})
	wantNot(t, d.caseFile(terms.AppealCases, "case-1").Draft.Present(), "it is there after the record")

	// One of an earlier revision is found, and one of a later one is not.
	d.keep(key, begun)
	d.take(d.mill.appealCase(passing("case-1", 2)))
	kept = d.caseFile(terms.AppealCases, "case-1").Draft
	wantNot(t, kept.Draft != begun || kept.Revision != 1, "on revision 2: %+v", kept)
	later := begun
	later.Note = "on the second"
	d.keep(packets.Key{ID: "case-1", Number: 2}, later)
	kept = d.caseFile(terms.AppealCases, "case-1").Draft
	wantNot(t, kept.Draft != later || kept.Revision != 2, "on revision 2: %+v", kept)
	first := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), reviewerID))(t)
	wantSame(t, "on revision 1", first.Draft.Draft, begun)

	wantFailure(t, "nobody keeps a draft", d.store.SaveDraft(t.Context(), "", terms.AppealCases, key, begun))
	for _, absent := range []packets.Key{{ID: "case-1", Number: 3}, {ID: "case-9", Number: 1}} {
		mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealCases, absent, begun), ErrNotFound)
	}
	mustBe(t, d.store.SaveDraft(t.Context(), reviewerID, terms.AppealPolicies, packets.Key{ID: "pol-appeal", Number: 1}, begun), ErrNotFound)
	d.forged("UPDATE docket_local SET value = 'a secret' WHERE kind = 'draft'")
	kept = d.caseFile(terms.AppealCases, "case-1").Draft
	wantNot(t, kept.Unreadable == "" || !kept.Present() || kept.Draft != (records.Draft{}), "kept %+v", kept)
}

// finds lists the ids of the cases that a filter lets through.
func finds(t *testing.T, d *fixture, filter string) (ids []terms.ID) {
	t.Helper()
	f := need(queue.ParseFilter(filter))(t)
	docket, _, err := d.store.Queue(t.Context(), terms.Appeals, terms.InstantOf(noon), "", nil)
	must(t, err)
	for _, at := range docket.Select(docket.Order(queue.ByID, ""), f, &queue.FilterContext{}, nil) {
		ids = append(ids, docket.Row(int(at)).ID)
	}
	return ids
}

func TestRowsHaveTheTextsOfTheLatestRevisionAndTheIDsOfAllRecords(t *testing.T) {
	t.Parallel()
	d, _, record := erasableFixture(t)
	later := d.mill.appealCase(passing("case-2", 2).With(members{"evidenceScope": members{"items": []string{"ev-1"}, "statement": "Later words."}}))
	d.take(later)
	for filter, want := range map[string][]terms.ID{
		"text:" + textCanary: {"case-1"}, "text:later": {"case-2"}, "id:case-2/2": {"case-2"}, "id:case-2/1": nil,
		"id:" + string(record.RecordID): {"case-1"}, "text:" + noteCanary: nil, "text:" + draftCanary: nil, "text:" + statementCanary: nil,
	} {
		if got := finds(t, d, filter); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", filter, got, want)
		}
	}
}

func TestErasedTextsAreInNoRowAndTheQueueIsMadeAnew(t *testing.T) {
	t.Parallel()
	d, _, _ := erasableFixture(t)
	before, err := d.store.QueueChanges(t.Context(), terms.Appeals, queue.Watermark{})
	mustNot(t, err != nil || len(finds(t, d, "text:"+textCanary)) != 1,
		"%v", err)
	d.erase(records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedMistake})
	wantSame(t, "still have the erased words", len(finds(t, d, "text:"+textCanary)), 0)
	news := need(d.store.QueueChanges(t.Context(), terms.Appeals, before.Watermark))(t)
	wantNot(t, !news.Everything, "after an erasure %+v", news)
	again := need(d.store.QueueChanges(t.Context(), terms.Appeals, news.Watermark))(t)
	wantNot(t, again.Everything || len(again.IDs) > 0, "then %+v", again)
}

func TestADamagedPacketIsFoundByItsIDsAlone(t *testing.T) {
	t.Parallel()
	d, path, _ := erasableFixture(t)
	forge(t, path, "UPDATE trade_appeal_cases SET document = replace(document, 'trade_appeal_cases', 'trade_appeal_casez') WHERE \"caseId\" = 'case-1'")
	wantList(t, "by its id", finds(t, d, "id:case-1/1"), []terms.ID{"case-1"})
	wantSame(t, "by its texts", len(finds(t, d, "text:"+textCanary)), 0)
}
