package store

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/verify"
)

// at is the service's checkpoint of a size that its log has had.
func (s *service) at(size int64) string {
	s.t.Helper()
	root := need(tlog.TreeHash(size, s))(s.t)
	signed := need(s.log.Sign(size, root))(s.t)
	return string(signed.Note)
}

// shown has the service show its log and then an empty one, and has the person accept that one. What the service answers is of that log.
func (d *fixture) shown(s *service) {
	d.t.Helper()
	s.grow("lost")
	err := errors.Join(d.store.KeepShown(d.t.Context(), s.at(s.size)), d.store.KeepSetback(d.t.Context(), records.LogRolledBack, s.at(0), s.key))
	s.hashes, s.size = nil, 0
	must(d.t, errors.Join(err, d.acceptService(s.key, s.at(0))))
}

// acceptService has the reviewer accept the log of a service with the key and the checkpoint.
func (d *fixture) acceptService(key, checkpoint string) error {
	d.t.Helper()
	due, err := d.store.ServiceToAccept(d.t.Context(), key, checkpoint)
	if err != nil {
		return err
	}
	return d.store.AcceptService(d.t.Context(), d.stated(due, nil), checkpoint)
}

// grow adds records of nobody to the service's log.
func (s *service) grow(leaves ...string) {
	s.t.Helper()
	for _, leaf := range leaves {
		hashes := need(tlog.StoredHashesForRecordHash(s.size, tlog.RecordHash([]byte(leaf)), s))(s.t)
		s.hashes, s.size = append(s.hashes, hashes...), s.size+1
	}
}

// boundToService is a console bound to a service.
func boundToService(t *testing.T) (*fixture, *service) {
	t.Helper()
	d, s := newFixture(t), newService(t, "")
	must(t, d.store.BindService(t.Context(), s.key))
	return d, s
}

func TestTheNewestCheckpointOfTheServiceIsKnown(t *testing.T) {
	t.Parallel()
	d, s := boundToService(t)
	known := func() []int64 {
		t.Helper()
		all := need(d.store.KnownOfService(t.Context()))(t)
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
		must(t, d.store.KeepShown(t.Context(), s.at(size)))
	}
	wantList(t, "known", known(), []int64{3})
	other := newService(t, "other")
	wantErr(t, "of another key", d.store.KeepShown(t.Context(), other.at(0)), signed.ErrCheckpoint)
	wantKinds(t, "afterwards", proven(t, d.store))
}

func TestAServiceThatIsSetBackStopsTheConsoleUntilAPersonAcceptsIt(t *testing.T) {
	t.Parallel()
	forked, stranger := newService(t, ""), newService(t, "other")
	forked.grow("a", "x", "c", "d")
	for kind, shown := range map[records.SetbackKind]struct {
		by   *service
		size int64
	}{records.LogRolledBack: {forked, 0}, records.LogForked: {forked, 3}, records.LogUnproven: {forked, 4}, records.LogOtherKey: {stranger, 0}} {
		d, s := boundToService(t)
		s.grow("a", "b", "c")
		checkpoint := shown.by.at(shown.size)
		wantErr(t, kind, d.store.KeepSetback(t.Context(), kind, checkpoint, shown.by.key), ErrNotBound)
		wantErr(t, kind, d.acceptService(shown.by.key, checkpoint), records.ErrRefused)
		must(t, d.store.KeepShown(t.Context(), s.at(3)))
		wantErr(t, kind, d.store.KeepSetback(t.Context(), kind, checkpoint, newService(t, "third").key), signed.ErrCheckpoint)
		for range 2 { // the second changes nothing
			must(t, d.store.KeepSetback(t.Context(), kind, checkpoint, shown.by.key))
		}
		wantErr(t, kind, d.store.KeepShown(t.Context(), s.at(3)), ErrOtherService)
		report, err := d.store.Verify(t.Context(), verify.Options{})
		if err != nil || report.Count(verify.ServiceSetBack) != 1 || report.Total != 1 || !report.Sound() || d.store.ReadOnly() {
			t.Fatal(kind, err, report.Findings)
		}
		tally, err := d.store.HandInTally(t.Context())
		if err != nil || tally.Setback.Kind != kind || tally.Setback.Known.Size != 3 || tally.Setback.Shown.Size != shown.size ||
			!strings.Contains(report.Findings[0].Detail, tally.Setback.Sentence()) {
			t.Errorf("%s: %v %+v", kind, err, tally)
		}
		if err := d.acceptService(s.key, checkpoint); shown.by == stranger && !errors.Is(err, signed.ErrCheckpoint) {
			t.Errorf("with another key: %v", err)
		}
		due, err := d.store.ServiceToAccept(t.Context(), shown.by.key, checkpoint)
		if shown.by != stranger {
			continue
		}
		must(t, err)
		other := d.stated(due, func(s *records.LogStatement) { s.Found[1] = "2" })
		wantErr(t, "another log than the one that was known", d.store.AcceptService(t.Context(), other, checkpoint), records.ErrRefused)
		wantErr(t, "without a signature", d.store.AcceptService(t.Context(), signed.Statement{Text: d.stated(due, nil).Text}, checkpoint), records.ErrRefused)
		if err := d.acceptService(shown.by.key, checkpoint); err != nil {
			t.Fatal(kind, err)
		}
		wantSame(t, "bound to", need(d.store.Service(t.Context()))(t), shown.by.key)
		report, err = d.store.Verify(t.Context(), verify.Options{})
		if err != nil || !report.OK() || len(report.Accepted) != 1 || !strings.HasPrefix(report.Accepted[0].Sentence(), "service accepted at ") {
			t.Error(kind, err, report.Findings, report.Accepted)
		}
		if tally, err := d.store.HandInTally(t.Context()); err != nil || tally.Setback.Kind.Present() {
			t.Errorf("%s: %v %+v", kind, err, tally)
		}
	}
}
