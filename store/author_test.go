package store

import (
	"errors"
	"math"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"

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
		wantErr(t, e, errOf(d.store.PlanErasure(t.Context(), e, stranger.reviewer)), records.ErrRefused)
	}
	backup := d.backup()
	d.store.options.Now = func() time.Time { return noon.Add(-time.Hour) }
	due := need(d.store.ClockToAccept(t.Context()))(t)
	due.By, due.KeyFingerprint = stranger.reviewer.ID, stranger.reviewer.KeyFingerprint
	wantErr(t, "a clock", d.store.AcceptClock(t.Context(), stranger.signed(due)), records.ErrRefused)
	r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: filepath.Join(t.TempDir(), "again.db"), AnchorFolder: o.AnchorFolder, Reason: records.StoreLost}))(t)
	wantErr(t, "a restore", errors.Join(r.Make(t.Context(), stranger.stated(r.Statement, nil)), r.Close()), records.ErrRefused)
}

// What was erased and is put back beside the statement of its erasure, and a row that holds a case back without a service, are found.
func TestWhatIsThereAgainAfterItsErasureIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		erase records.Erasable
		table string
		code  verify.Code
	}{
		"a note":      {records.ErasableNote, "docket_notes", verify.NoteAltered},
		"a statement": {records.ErasableStatement, "docket_statements", verify.StatementDiffers},
		"texts":       {records.ErasableTexts, "docket_packet_texts", verify.PacketAltered},
	} {
		d, path, record := erasableFixture(t)
		before := d.backup()
		e := records.Erasure{What: c.erase, Record: record.RecordID, Reason: records.ErasedMistake}
		if c.erase == records.ErasableTexts {
			e = records.Erasure{What: c.erase, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedMistake}
		}
		d.erase(e)
		d.close()
		forge(t, path, "ATTACH '"+before+"' AS before", "INSERT INTO main."+c.table+" SELECT * FROM before."+c.table+" AS was WHERE NOT EXISTS (SELECT 1 FROM main."+c.table+" AS held WHERE held.rowid = was.rowid)")
		wantKinds(t, name, proven(t, openAt(t, path, noon)), c.code)
	}
	d := filled(t)
	path := d.store.Path()
	d.close()
	forge(t, path, "INSERT INTO docket_handin_reassigned VALUES (0, 'trade_appeal_cases', 'case-1', 9, '2026-03-01T12:00:00Z')")
	wantKinds(t, "a case held back", proven(t, openAt(t, path, noon)), verify.RecordWithoutLeaf)
}
