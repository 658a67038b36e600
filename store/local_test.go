package store

import (
	"errors"
	"testing"

	"docket/domain/signed"
	"docket/domain/terms"
)

func TestAStoreIsBoundToOneServiceForGood(t *testing.T) {
	t.Parallel()
	d, first, other := newFixture(t), newService(t, ""), newService(t, "another")
	mustBe(t, errOf(d.store.Service(t.Context())), ErrNotFound)
	own := need(d.store.Verifier(t.Context()))(t)
	for _, none := range []string{"", "key", own, first.key + " "} {
		mustBe(t, d.store.BindService(t.Context(), none), signed.ErrKey)
	}
	for range 2 {
		must(t, d.store.BindService(t.Context(), first.key))
	}
	mustBe(t, d.store.BindService(t.Context(), other.key), ErrOtherService)
	wantSame(t, "bound to", need(openAt(t, d.store.Path(), noon).Service(t.Context()))(t), first.key)
}

func TestPullingGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	mustBe(t, d.store.SavePull(t.Context(), "1", true), ErrNotBound)
	d, _ = bound(t)
	want := func(cursor string, completed terms.Instant) {
		t.Helper()
		got, at, err := d.store.PullCursor(t.Context())
		if err != nil || got != cursor || at != completed {
			t.Errorf("%q at %s, %v", got, at, err)
		}
	}
	want("", terms.Instant{})
	for _, step := range []struct {
		cursor    string
		complete  bool
		completed terms.Instant
	}{{"1", false, terms.Instant{}}, {"2", true, terms.InstantOf(noon)}, {"3", false, terms.InstantOf(noon)}} {
		must(t, d.store.SavePull(t.Context(), step.cursor, step.complete))
		want(step.cursor, step.completed)
	}
}

func TestTheStoreOfAServiceIsBoundToNone(t *testing.T) {
	t.Parallel()
	d := serviceFixture(t)
	mustBe(t, d.store.BindService(t.Context(), newService(t, "").key), ErrKind)
}

func TestAVisitOfTheQueueIsTheReviewersOwn(t *testing.T) {
	t.Parallel()
	d := withCase(t)
	left := func(reviewer terms.ID) terms.Instant {
		t.Helper()
		at, err := d.store.LeftQueue(t.Context(), reviewer)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if at := left(reviewerID); at.Present() {
		t.Errorf("left at %s before any visit", at)
	}
	if err := errors.Join(d.store.LeaveQueue(t.Context(), ""), d.store.LeaveQueue(t.Context(), reviewerID)); err != nil {
		t.Fatal(err)
	}
	row := d.queue(terms.Appeals, reviewerID)["case-1"]
	if at := left(reviewerID); at.String() != terms.InstantOf(d.store.now()).String() || !row.ImportedAt.NotAfter(at) || row.CameAfter(at) || row.Skipped != "" {
		t.Errorf("left at %s, came at %s", at, row.ImportedAt)
	}
	if at := left("rev-other"); at.Present() {
		t.Errorf("another reviewer left at %s", at)
	}
	if at := left(""); at.Present() {
		t.Errorf("nobody left at %s", at)
	}
}
