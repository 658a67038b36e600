package store

import (
	"slices"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
)

func (d *fixture) importing(packets ...packets.Packet) []ImportResult {
	d.t.Helper()
	results := need(d.store.Import(d.t.Context(), packets))(d.t)
	return results
}

func wantResults(t *testing.T, got []ImportResult, want ...ImportResult) {
	t.Helper()
	wantList(t, "got", got, want)
}

func TestTheSameRecordTwiceIsUnchanged(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	record := passing("case-1", 1)
	wantResults(t, d.importing(d.mill.appealCase(record), d.mill.appealCase(record)), Imported, Unchanged)
	wantResults(t, d.importing(d.mill.appealCase(record)), Unchanged)
	withPrivate := d.mill.packet(terms.AppealCases, record, members{"private_narrative": "a long story"})
	wantResults(t, d.importing(withPrivate), Unchanged)
}

func TestAnotherRecordUnderTheSameKeyIsAConflictAndStoresNothing(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.appealCase(passing("case-1", 1)), d.mill.amendment(applied("amd-1", 1)))
	stored := func() string {
		caseFile := d.caseFile(terms.AppealCases, "case-1")
		return string(caseFile.View.Record().Document())
	}
	before := stored()
	wantResults(t, d.importing(
		d.mill.appealCase(passing("case-1", 1).with(members{"subjectId": "item-8"})),
		d.mill.amendment(applied("amd-1", 1).with(members{"agreementId": "agr-2"})),
		d.mill.packet(terms.AppealPolicies, members{"policyId": "pol-appeal", "policyVersion": 1, "contractVersion": "x", "status": "draft"}),
		d.mill.packet(terms.AmendmentPolicies, members{"policyId": "pol-amend", "policyVersion": 1, "contractVersion": "x", "status": "draft"}),
	), Conflict, Conflict, Conflict, Conflict)
	wantSame(t, "the stored case changed", stored(), before)
}

func TestALowerRevisionThatArrivesLateIsHistory(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 3)), d.mill.appealCase(passing("case-1", 1)))
	latest := d.caseFile(terms.AppealCases, "case-1")
	if latest.View.Key().Number != 3 || !slices.Equal(latest.Revisions, []int64{1, 3}) || latest.View.Evaluation().Gate() != terms.Pass {
		t.Errorf("latest is %v of %v, %v", latest.View.Key(), latest.Revisions, latest.View.Evaluation().Blockers())
	}
	old := need(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 1, terms.InstantOf(noon), ""))(t)
	if !old.View.Evaluation().BlockerSet().Has(terms.AppealCaseStale) || old.View.Latest().Revision != 3 {
		t.Errorf("revision 1 is held by %v", old.View.Evaluation().Blockers())
	}
	mustBe(t, errOf(d.store.CaseFile(t.Context(), terms.AppealCases, "case-1", 2, terms.InstantOf(noon), "")), ErrNotFound)
	rows, err := queueOf(t.Context(), d.store, terms.Appeals, terms.InstantOf(noon), "")
	if err != nil || len(rows) != 1 || rows[0].Revision != 3 || rows[0].Gate != terms.Pass {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

func TestAZeroPacketIsNotStored(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	wantFailure(t, "it is taken", errOf(d.store.Import(t.Context(), []packets.Packet{d.mill.appealPolicy(1), {}})))
	wantSame(t, "the other packet of the portion is in", len(need(d.store.Find(t.Context(), "pol-appeal"))(t)), 0)
}

func TestAnIDIsFoundInEveryTableThatHoldsIt(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.amendmentPolicy(1), d.mill.appealCase(passing("one", 1)), d.mill.amendment(applied("one", 1)))
	for id, want := range map[terms.ID][]terms.Table{
		"one": {terms.AppealCases, terms.AmendmentRecords}, "none": nil,
		"pol-appeal": {terms.AppealPolicies}, "pol-amend": {terms.AmendmentPolicies},
	} {
		if tables, err := d.store.Find(t.Context(), id); err != nil || !slices.Equal(tables, want) {
			t.Errorf("%s is in %v, %v", id, tables, err)
		}
	}
}

func TestEveryResultHasItsWord(t *testing.T) {
	t.Parallel()
	for i, word := range importWords {
		if ImportResult(i).String() != word || word == "" {
			t.Errorf("%d is %q", i, word)
		}
	}
	wantSame(t, "an unknown result claims that something was stored", ImportResult(200).String(), "conflict")
}
