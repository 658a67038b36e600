package store

import (
	"errors"
	"slices"
	"testing"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// What a person added ends with its revision, but not in silence: each place names it, and the record that does not add it again says why.
func TestABlockerThatAPersonAddedIsAnsweredOnTheNextRevision(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	first := d.record("case-1", decision{outcome: terms.BlockReliance, added: []terms.Blocker{terms.NoticeMissing}})
	notice := terms.SetOf(terms.NoticeMissing)
	if on := d.caseFile(terms.AppealCases, "case-1"); !on.View.Unanswered().Empty() || on.View.Carried() != notice {
		t.Errorf("on its own revision: %v, carried %v", on.View.Unanswered(), on.View.Carried())
	}
	d.take(d.mill.appealCase(passing("case-1", 2)))
	on := d.caseFile(terms.AppealCases, "case-1")
	if len(on.Unanswered) != 1 || on.Unanswered[0].Record != first.RecordID || on.Unanswered[0].Reviewer != d.reviewer.ID ||
		on.Unanswered[0].Revision != 1 || on.View.Unanswered() != notice || !on.View.Carried().Empty() {
		t.Fatalf("%+v", on.Unanswered)
	}
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	if row.Gate != terms.Pass || row.Added.Set != notice || row.Unanswered().Set != notice {
		t.Errorf("the row: %+v", row)
	}
	docket := queue.New(terms.Appeals, []queue.Row{row})
	at := slices.IndexFunc(docket.ByBlocker(), func(b queue.BlockerTally) bool { return b.Code == terms.NoticeMissing })
	if one := docket.ByBlocker()[at]; one.Count != 0 || one.Earlier != 1 {
		t.Errorf("the board: %+v", one)
	}

	// A record that says nothing of it, made by a console that did not know of it.
	unknowing := views.New(on.View.Policy(), on.View.Record(), on.View.Latest(), on.View.EvaluatedAt())
	_, err := d.store.Append(t.Context(), d.decide(&unknowing, decision{outcome: records.Advised(&on.View, 0)}))
	if stale := (*records.StaleError)(nil); !errors.As(err, &stale) || stale.Superseded {
		t.Errorf("in silence: %v", err)
	}
	d.record("case-1", decision{outcome: records.Advised(&on.View, 0)}) // the fixture states why where it is required
	if on := d.caseFile(terms.AppealCases, "case-1"); len(on.Unanswered) != 0 || !on.View.Unanswered().Empty() {
		t.Errorf("after the answer: %+v", on.Unanswered)
	}
	d.take(d.mill.appealCase(passing("case-1", 3)))
	wantSame(t, "on the revision after the answer", len(d.caseFile(terms.AppealCases, "case-1").Unanswered), 0)
	wantKinds(t, "after all", proven(t, d.store))
}

func TestABlockerThatTheServiceKnowsOfIsAnsweredToo(t *testing.T) {
	t.Parallel()
	d, s := bound(t)
	theirs := d.elsewhere(s, "case-1", decision{})
	d.take(d.mill.appealCase(passing("case-1", 2)))
	on := d.caseFile(terms.AppealCases, "case-1")
	if len(on.Unanswered) != 1 || on.Unanswered[0].Record != theirs.Members().RecordID || on.View.Unanswered() != terms.SetOf(terms.ScopeMissing) {
		t.Errorf("%+v", on.Unanswered)
	}
}
