package store

import (
	"errors"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

func TestAStoreIsBoundToOneServiceForGood(t *testing.T) {
	d, first, other := newDesk(t), newService(t, ""), newService(t, "another")
	_, err := d.store.Service(t.Context())
	mustBe(t, err, ErrNotFound)
	own, err := d.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, none := range []string{"", "key", own, first.key + " "} {
		mustBe(t, d.store.BindService(t.Context(), none), signed.ErrKey)
	}
	for range 2 {
		if err := d.store.BindService(t.Context(), first.key); err != nil {
			t.Fatal(err)
		}
	}
	mustBe(t, d.store.BindService(t.Context(), other.key), ErrOtherService)
	if key, err := openAt(t, d.store.Path(), noon).Service(t.Context()); err != nil || key != first.key {
		t.Errorf("bound to %s, %v", key, err)
	}
}

func TestPullingGoesOnWhereItEnded(t *testing.T) {
	d := newDesk(t)
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
		if err := d.store.SavePull(t.Context(), step.cursor, step.complete); err != nil {
			t.Fatal(err)
		}
		want(step.cursor, step.completed)
	}
}

func TestOnlyTheServicesCosignatureOfACheckpointIsKept(t *testing.T) {
	d, s := bound(t)
	other := newService(t, "another")
	d.decided("case-1", "")
	one, err := d.store.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.decided("case-2", "")
	two, err := d.store.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keep := func(size int64, cosignature, key string) error {
		return d.store.KeepCosignature(t.Context(), size, cosignature, key)
	}
	lodged := func(want int64) {
		t.Helper()
		if size, err := d.store.CosignedSize(t.Context()); err != nil || size != want {
			t.Errorf("lodged %d, %v", size, err)
		}
	}
	lodged(0)
	for name, err := range map[string]error{
		"none":                     keep(1, "", s.witnessVerify),
		"of another size":          keep(2, s.cosign(one), s.witnessVerify),
		"of a size that is not":    keep(3, s.cosign(two), s.witnessVerify),
		"by another key":           keep(1, other.cosign(one), s.witnessVerify),
		"with a key that is none":  keep(1, s.cosign(one), "key"),
		"twice":                    keep(1, s.cosign(one)+s.cosign(one), s.witnessVerify),
		"without the end":          keep(1, s.cosign(one)[:20], s.witnessVerify),
		"with the log's signature": keep(1, string(one[len(one)-100:]), s.witnessVerify),
	} {
		if !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	lodged(0)
	if err := errors.Join(keep(2, s.cosign(two), s.witnessVerify), keep(2, s.cosign(two), s.witnessVerify), keep(1, s.cosign(one), s.witnessVerify)); err != nil {
		t.Error(err)
	}
	lodged(2)
	mustBe(t, keep(2, other.cosign(two), other.witnessVerify), ErrOtherService)
	d = withCase(t)
	mustBe(t, d.store.KeepCosignature(t.Context(), 0, "", s.witnessVerify), ErrNotBound)
}

func TestTheStoreOfAServiceIsBoundToNone(t *testing.T) {
	d := serviceDesk(t)
	mustBe(t, d.store.BindService(t.Context(), newService(t, "").key), ErrKind)
}
