package store

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify"
)

// at is the service's checkpoint of a size that its log has had.
func (s *service) at(size int64) string {
	s.t.Helper()
	root, err := tlog.TreeHash(size, s)
	if err != nil {
		s.t.Fatal(err)
	}
	signed, err := s.log.Sign(size, root)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(signed.Note)
}

// rolledBack is what is kept where the service shows its log of a size in place of that of another.
func (s *service) rolledBack(known, shown int64) signed.Setback {
	return signed.Setback{Kind: records.LogRolledBack.String(), Known: s.at(known), KnownKey: s.key, Shown: s.at(shown), ShownKey: s.key}
}

// shown keeps that the service showed its log, then an earlier one, and then its log again.
func (d *fixture) shown(s *service) {
	d.t.Helper()
	err := errors.Join(d.store.KeepShown(d.t.Context(), s.at(s.size)), d.store.KeepSetback(d.t.Context(), s.rolledBack(s.size, 0)),
		d.store.KeepShown(d.t.Context(), s.at(s.size)))
	if err != nil {
		d.t.Fatal(err)
	}
}

// grow adds records of nobody to the service's log.
func (s *service) grow(leaves ...string) {
	s.t.Helper()
	for _, leaf := range leaves {
		hashes, err := tlog.StoredHashesForRecordHash(s.size, tlog.RecordHash([]byte(leaf)), s)
		if err != nil {
			s.t.Fatal(err)
		}
		s.hashes, s.size = append(s.hashes, hashes...), s.size+1
	}
}

// boundToService is a console bound to a service.
func boundToService(t *testing.T) (*fixture, *service) {
	t.Helper()
	d, s := newFixture(t), newService(t, "")
	if err := d.store.BindService(t.Context(), s.key); err != nil {
		t.Fatal(err)
	}
	return d, s
}

func TestTheNewestCheckpointOfTheServiceIsKnown(t *testing.T) {
	t.Parallel()
	d, s := boundToService(t)
	known := func() []int64 {
		t.Helper()
		all, err := d.store.KnownOfService(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int64
		for _, c := range all.Checkpoints {
			sizes = append(sizes, c.Size)
		}
		return sizes
	}
	if sizes := known(); len(sizes) > 0 {
		t.Errorf("before it was met, %v is known", sizes)
	}
	s.grow("a", "b", "c")
	for _, size := range []int64{1, 1, 3, 2} { // another process may have met the service meanwhile
		if err := d.store.KeepShown(t.Context(), s.at(size)); err != nil {
			t.Fatal(err)
		}
	}
	if sizes := known(); !slices.Equal(sizes, []int64{3}) {
		t.Errorf("known: %v", sizes)
	}
	other := newService(t, "other")
	if err := d.store.KeepShown(t.Context(), other.at(0)); !errors.Is(err, signed.ErrCheckpoint) {
		t.Errorf("of another key: %v", err)
	}
	if list := proven(t, d.store); len(list) > 0 {
		t.Error(list)
	}
}

func TestASetbackOfTheServiceIsAFindingUntilItIsInOrderAgainAndItsProofStays(t *testing.T) {
	t.Parallel()
	d, s := boundToService(t)
	s.grow("a", "b", "c")
	forked := newService(t, "")
	forked.grow("a", "x", "c", "d")
	stranger := newService(t, "other")
	root, err := tlog.TreeHash(3, forked)
	if err != nil {
		t.Fatal(err)
	}
	path, err := tlog.ProveTree(4, 3, forked)
	if err != nil {
		t.Fatal(err)
	}
	proof := []terms.Hash{merkle.FromTree(root)}
	for _, hash := range path {
		proof = append(proof, merkle.FromTree(hash))
	}
	known := signed.Setback{Known: s.at(3), KnownKey: s.key}
	with := func(kind records.SetbackKind, shown, key, proof string) signed.Setback {
		made := known
		made.Kind, made.Shown, made.ShownKey, made.Proof = kind.String(), shown, key, proof
		return made
	}
	good := []signed.Setback{with(records.LogRolledBack, s.at(2), s.key, ""), with(records.LogForked, forked.at(3), s.key, ""),
		with(records.LogForked, forked.at(4), s.key, signed.WriteProof(proof)), with(records.LogUnproven, forked.at(4), s.key, ""),
		with(records.LogOtherKey, stranger.at(0), stranger.key, "")}
	for i, bad := range []signed.Setback{with(records.LogRolledBack, s.at(3), s.key, ""), with(records.LogForked, s.at(3), s.key, ""),
		with(records.LogForked, forked.at(4), s.key, ""), with(records.LogForked, forked.at(4), s.key, signed.WriteProof(proof[:1])),
		with(records.LogForked, forked.at(4), s.key, signed.WriteProof(append([]terms.Hash{terms.HashOf(nil)}, proof[1:]...))),
		with(records.LogForked, forked.at(4), s.key, signed.WriteProof(proof)+"x"), with(records.LogUnproven, s.at(3), s.key, ""),
		with(records.LogUnproven, forked.at(4), s.key, signed.WriteProof(proof)), with(records.LogOtherKey, s.at(2), s.key, ""),
		with(records.LogRolledBack, stranger.at(0), stranger.key, ""), with(records.LogOtherKey, stranger.at(0), s.key, ""), with(0, s.at(2), s.key, ""),
		{Kind: records.LogOtherKey.String(), Known: stranger.at(0), KnownKey: stranger.key, Shown: s.at(3), ShownKey: s.key}} {
		if err := d.store.KeepSetback(t.Context(), bad); !errors.Is(err, signed.ErrSetback) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := d.store.KeepShown(t.Context(), s.at(3)); err != nil {
		t.Fatal(err)
	}
	for n, setback := range good {
		for range 2 { // the same twice is kept once
			if err := d.store.KeepSetback(t.Context(), setback); err != nil {
				t.Fatal(n, err)
			}
		}
		report, err := d.store.Verify(t.Context(), verify.Options{})
		if err != nil || len(report.Setbacks) != n+1 || report.Count(verify.ServiceSetBack) != 1 || report.Total != 1 || !report.Sound() {
			t.Fatal(n, err, report.Setbacks, report.Findings)
		}
		if told := report.Findings[0].Detail; !strings.Contains(told, report.Setbacks[n].Sentence()) || report.Setbacks[n].Kind.String() != setback.Kind {
			t.Errorf("%d: told %s", n, told)
		}
		if d.store.ReadOnly() {
			t.Error("nothing can be recorded")
		}
		tally, err := d.store.HandInTally(t.Context())
		if err != nil || tally.Setback.Kind.String() != setback.Kind {
			t.Errorf("%d: %v %+v", n, err, tally)
		}
	}
	if err := d.store.KeepShown(t.Context(), s.at(3)); err != nil {
		t.Fatal(err)
	}
	report, err := d.store.Verify(t.Context(), verify.Options{})
	if err != nil || len(report.Setbacks) != len(good) || !report.OK() || !report.Setbacks[0].Settled {
		t.Error(err, report.Setbacks, report.Findings)
	}
	if tally, err := d.store.HandInTally(t.Context()); err != nil || tally.Setback != (records.Setback{}) {
		t.Errorf("%v %+v", err, tally)
	}
}
