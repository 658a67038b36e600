package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// given is what a service says of a case that it gave to somebody else.
func given(id terms.ID, revision int64) []verify.Ref {
	return []verify.Ref{{Table: terms.AppealCases, Key: packets.Key{ID: id, Number: revision}}}
}

// reassign keeps what the service says, and fails unless so much of it is held.
func (d *fixture) reassign(list []verify.Ref, afresh bool, held int) {
	d.t.Helper()
	if kept, err := d.store.KeepReassigned(d.t.Context(), list, afresh); err != nil || len(kept) != held {
		d.t.Fatal(kept, err)
	}
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
	if !row.Reassigned || row.Open() || !row.Draft {
		t.Errorf("%+v", row)
	}
	wantSame(t, "the top of the queue is", len(d.top(terms.Appeals, 5)), 0)
	after := d.caseFile(terms.AppealCases, "case-1")
	summed := after.Row()
	if after.Reassigned != 2 || after.Draft.Statement != draft.Statement || summed.Open() {
		t.Errorf("revision %d, draft %+v", after.Reassigned, after.Draft)
	}
	// What was judged before the pull is not recorded either.
	if _, err := d.store.Append(t.Context(), sub); !errors.Is(err, records.ErrRefused) || !strings.Contains(err.Error(), "somebody else") {
		t.Errorf("it is recorded: %v", err)
	}
	if news, err := d.store.QueueChanges(t.Context(), terms.Appeals, mark); err != nil || news.Everything || !slices.Contains(news.IDs, "case-1") {
		t.Errorf("%+v, %v", news, err)
	}

	// It is given back with a later revision, and the one that was somebody else's comes with it.
	d.take(d.mill.appealCase(passing("case-1", 2).with(members{"neutralReview": review("rev-other")})), d.mill.appealCase(passing("case-1", 3)))
	if row := d.queue(terms.Appeals, reviewerID)["case-1"]; row.Reassigned || !row.Open() {
		t.Errorf("%+v", row)
	}
	caseFile := d.caseFile(terms.AppealCases, "case-1")
	if _, err := d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})); err != nil || caseFile.Reassigned != 0 {
		t.Errorf("%d, %v", caseFile.Reassigned, err)
	}
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
	if news, err := d.store.QueueChanges(t.Context(), terms.Appeals, mark); err != nil || !slices.Contains(news.IDs, "case-1") {
		t.Errorf("%+v, %v", news, err)
	}
}

func TestARejectedRecordOnACaseOfSomebodyElseIsNotToBeJudgedAgain(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	d.take(d.mill.appealCase(passing("case-2", 1)))
	s := newService(t, "")
	must(t, d.store.BindService(t.Context(), s.key))
	d.rejected(s, d.decided("case-1", ""), "")
	d.rejected(s, d.decided("case-2", ""), "")
	open := func() int64 {
		t.Helper()
		tally := need(d.store.HandInTally(t.Context()))(t)
		return tally.Rejected
	}
	if n := open(); n != 2 {
		t.Fatalf("%d are to be judged again", n)
	}
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

func TestAServiceIsToldNothingOfWhatItGaveAway(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	mustBe(t, errOf(d.store.KeepReassigned(t.Context(), given("case-1", 2), false)), ErrKind)
}

// TestWhomACaseWasGivenToIsNotTold: the page names the case and its revision. Everything else is the new reviewer's.
func TestWhomACaseWasGivenToIsNotTold(t *testing.T) {
	t.Parallel()
	d := serviceWithCase(t)
	before := need(d.store.Page(t.Context(), assignedRights, "", 9))(t)
	d.take(d.mill.appealCase(passing("case-1", 2).with(members{"neutralReview": review("rev-other")})))
	page, err := d.store.Page(t.Context(), assignedRights, before.Cursor, 9)
	if err != nil || len(page.Packets) != 0 || !slices.Equal(page.Reassigned, given("case-1", 2)) {
		t.Errorf("%+v, %v", page, err)
	}
	for name, rights := range map[string]Permissions{
		"the new reviewer": {"rev-other", terms.NeutralReviewer, nil}, "a stranger": {"rev-third", terms.NeutralReviewer, nil},
		"a safety admin": {assignedRights.ID, terms.SafetyAdmin, nil}, "nobody": {},
	} {
		wantSame(t, name, len(need(d.store.Page(t.Context(), rights, "", 9))(t).Reassigned), 0)
	}
}
