package store

import (
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"

	"golang.org/x/crypto/ssh"
)

// somebody acts as a second person at the fixture's store, with a key of a seed.
func (d *fixture) somebody(id terms.ID, seed byte) *fixture {
	d.t.Helper()
	other := *d
	other.key = newKey(d.t, seed)
	other.reviewer = records.Reviewer{ID: id, Role: terms.NeutralReviewer, KeyFingerprint: ssh.FingerprintSHA256(other.key.PublicKey())}
	return &other
}

// Who has no record in a log states nothing about it: neither an erasure, nor that it, its clock or a restore is accepted.
func TestWhoHasNoRecordInALogStatesNothingAboutIt(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	stranger := d.somebody("nobody-99", 9)
	mine, err := d.store.Records(t.Context(), math.MaxInt64, 1)
	if err != nil || len(mine) != 1 {
		t.Fatal(len(mine), err)
	}
	of := mine[0].Record.Members()
	for _, e := range []records.Erasure{{What: records.ErasableStatement, Record: of.RecordID, Reason: records.ErasedMistake},
		{What: records.ErasableNote, Record: of.RecordID, Reason: records.ErasedMistake},
		{What: records.ErasableTexts, Table: terms.RecordTable(of.Area), Key: of.Key, Reason: records.ErasedMistake}} {
		if _, err := d.store.PlanErasure(t.Context(), e, stranger.reviewer); !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", e, err)
		}
	}
	backup := d.backup()
	d.store.options.Now = func() time.Time { return noon.Add(-time.Hour) }
	due, err := d.store.ClockToAccept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	due.By, due.KeyFingerprint = stranger.reviewer.ID, stranger.reviewer.KeyFingerprint
	if err := d.store.AcceptClock(t.Context(), stranger.signed(due)); !errors.Is(err, records.ErrRefused) {
		t.Errorf("a clock: %v", err)
	}
	r, err := PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: filepath.Join(t.TempDir(), "again.db"), AnchorFolder: o.AnchorFolder, Reason: records.StoreLost})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Make(t.Context(), stranger.stated(r.Statement, nil)), r.Close()); !errors.Is(err, records.ErrRefused) {
		t.Errorf("a restore: %v", err)
	}
}
