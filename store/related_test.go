package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
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
		d.mill.appealCase(passing("case-3", 1).with(other)), d.mill.appealCase(passing("case-4", 1)),
		d.mill.appealCase(passing("case-4", 2).with(other)), d.mill.appealCase(passing("case-6", 1).with(members{"subjectId": nil})))
	got := d.caseFile(terms.AppealCases, "case-1")
	if ids := relatedIDs(&got); fmt.Sprint(ids) != "[case-5 case-9]" || got.Unlisted {
		t.Fatalf("related %v", ids)
	}
	if row := got.Related[1]; row.Revision != 2 || row.Gate != terms.Pass || row.Decided {
		t.Errorf("row %+v", row)
	}
	wantSame(t, relatedIDs(&got), len(d.caseFile(terms.AppealCases, "case-6").Related), 0)
	d.record("case-9", decision{outcome: terms.UpholdDecision})
	if got := d.caseFile(terms.AppealCases, "case-5"); len(got.Related) != 2 || !got.Related[1].Decided {
		t.Errorf("after a decision %+v", got.Related)
	}
}

func TestADossierListsTheOtherAmendmentsOfItsAgreement(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.take(d.mill.amendmentPolicy(1), d.mill.amendment(applied("amd-1", 1)), d.mill.amendment(applied("amd-2", 1)),
		d.mill.amendment(applied("amd-3", 1).with(members{"agreementId": "agr-2"})))
	got := d.caseFile(terms.AmendmentRecords, "amd-1")
	wantSame(t, "related", fmt.Sprint(relatedIDs(&got)), "[amd-2]")
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
	if len(got.Records) != 0 || len(got.Elsewhere) != 1 || got.Elsewhere[0].Record.Members().Key.Number != 1 || got.InForce.Present() {
		t.Errorf("records %+v, elsewhere %+v", got.Records, got.Elsewhere)
	}
	if len(got.Arrived) != 2 || !got.Arrived[0].Present() || got.Arrived[1].Before(got.Arrived[0]) {
		t.Errorf("arrived %v", got.Arrived)
	}
}

func BenchmarkDossierAmong100000(b *testing.B) {
	d := fixtureAt(b, openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1))
	const count = 100_000
	for from := 0; from < count; from += portion * 4 {
		var packets []packets.Packet
		for i := from; i < from+portion*4; i++ {
			packets = append(packets, d.mill.appealCase(passing(fmt.Sprintf("case-%07d", i), 1).with(members{
				"subjectId": fmt.Sprintf("item-%d", i%(count/4))})))
		}
		d.take(packets...)
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		got, err := d.store.CaseFile(context.Background(), terms.AppealCases, terms.ID(fmt.Sprintf("case-%07d", i*7919%count)), 0,
			terms.InstantOf(noon), reviewerID)
		if err != nil || len(got.Related) != 3 {
			b.Fatal(len(got.Related), err)
		}
	}
}
