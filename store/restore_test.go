package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/crypto/ssh"
)

// stated signs a statement as the fixture's reviewer does.
func (d *fixture) stated(due records.LogStatement, change func(*records.LogStatement)) signed.Statement {
	d.t.Helper()
	due.At, due.By, due.KeyFingerprint = terms.InstantOf(noon), d.reviewer.ID, ssh.FingerprintSHA256(d.key.PublicKey())
	if change != nil {
		change(&due)
	}
	return d.signed(due)
}

func (d *fixture) backup() string {
	d.t.Helper()
	path := filepath.Join(d.t.TempDir(), "backup.db")
	must(d.t, d.store.Backup(d.t.Context(), path, nil))
	return path
}

// lost removes the fixture's store, with its key file or without.
func (d *fixture) lost(withKey bool) {
	d.t.Helper()
	ofFile(d.t, d.store.Path())
	key := d.store.KeyFile()
	d.close()
	must(d.t, os.Remove(d.store.Path()))
	if !withKey {
		return
	}
	must(d.t, os.Remove(key))
}

// restored restores a file to the place of the fixture's store, opens it, and makes it the fixture's.
func (d *fixture) restored(source string, o Options, exports ...RestoreExport) records.LogStatement {
	d.t.Helper()
	r := need(PrepareRestore(d.t.Context(), RestoreOptions{Source: source, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost, Exports: exports}))(d.t)
	var erasures []signed.Statement
	for _, again := range r.Erasures {
		erasures = append(erasures, d.stated(again.Due, nil))
	}
	must(d.t, errors.Join(r.Make(d.t.Context(), d.stated(r.Statement, nil), erasures...), r.Close()))
	d.store = openWith(d.t, o)
	wantWriting(d.t, d.store)
	return r.Statement
}

func since(t *testing.T, s *Store, checkpoints ...[]byte) verify.Report {
	t.Helper()
	o := verify.Options{AcceptRestore: true}
	for _, signed := range checkpoints {
		o.Earlier = append(o.Earlier, verify.Earlier{Name: "kept", Signed: signed})
	}
	return need(s.Verify(t.Context(), o))(t)
}

func TestARestoreBeginsANewLogAndSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	backup := d.backup()
	held := d.checkpoint()
	before := need(d.store.Head(t.Context()))(t)
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	beyond := d.checkpoint()
	d.take(d.mill.appealCase(passing("case-6", 1)))
	d.lost(false)
	statement := d.restored(backup, o)
	wantList(t, "found", statement.Found, nil)
	d.take(d.mill.appealCase(passing("case-6", 1)))
	wantNot(t, statement.Size != 12 || statement.Lost() != 2 || statement.Origin != before.Origin ||
		statement.Restore.Known[0].From != records.KnownFromAnchor, "%+v", statement)
	meta := need(d.store.Head(t.Context()))(t)
	wantNot(t, meta.Origin == before.Origin || meta.Origin != statement.Restore.NewOrigin(),
		"%s after %s", meta.Origin, before.Origin)
	kept := need(d.store.LogStatements(t.Context()))(t)
	wantNot(t, len(kept) != 1 || len(kept[0].LogSignature) == 0, "%+v", kept)
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	d.record("case-5", decision{outcome: terms.UpholdDecision})
	wantKinds(t, "afterwards", proven(t, d.store))
	if report := since(t, d.store, held); !report.OK() || len(report.Followed) != 1 || report.Accepted[0].Lost() != 2 {
		t.Errorf("%v, %+v", report.Findings, report.Followed)
	}
	if report := since(t, d.store, held, beyond); !report.OK() || !strings.Contains(report.Followed[len(report.Followed)-1], "; it signs ") {
		t.Errorf("%v", report.Findings)
	}
	d.close()
	wantWriting(t, openWith(t, o))
}

// The same backup is restored twice, and what was recorded in between is lost, too: the second restore goes on from the first.
func TestRestoresOfOneBackupFollowOneAnother(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	backup := d.backup()
	held := d.checkpoint()
	d.lost(true)
	first := d.restored(backup, o)
	between := d.checkpoint()
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	lost := d.checkpoint()
	d.lost(true)
	second := d.restored(backup, o)
	wantNot(t, second.Origin != first.Restore.NewOrigin() || second.Lost() != 1,
		"%+v after %+v", second, first)
	d.record("case-5", decision{outcome: terms.UpholdDecision})
	if report := since(t, d.store, held, between); !report.OK() || len(report.Followed) != 2 || len(report.Lineage) != 3 {
		t.Errorf("%v, %+v", report.Findings, report.Followed)
	}
	if report := since(t, d.store, lost); !report.OK() || !strings.Contains(report.Followed[len(report.Followed)-1], "; it signs ") {
		t.Errorf("%v", report.Findings)
	}
	third := d.backup()
	d.lost(false)
	statement := d.restored(third, o)
	wantNot(t, statement.Size != 15 || statement.Lost() != 0, "%+v", statement)
	report := since(t, d.store, held, between)
	wantNot(t, !report.OK() || len(report.Lineage) != 4, "%v, %+v", report.Findings, report.Lineage)
}

func TestNoOriginSignsTwoRootsOfOneSize(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	signs := map[string]map[int64]string{}
	collect := func() {
		db := raw(t, o.Path)
		for _, query := range []string{"SELECT note FROM docket_checkpoints"} {
			rows := need(db.Query(query))(t)
			for rows.Next() {
				var note string
				must(t, rows.Scan(&note))
				lines := strings.SplitN(note, "\n", 4)
				size := need(strconv.ParseInt(lines[1], 10, 64))(t)
				if signs[lines[0]] == nil {
					signs[lines[0]] = map[int64]string{}
				}
				if other, there := signs[lines[0]][size]; there && other != lines[2] {
					t.Errorf("%s signed %s and %s of %s records", lines[0], other, lines[2], lines[1])
				}
				signs[lines[0]][size] = lines[2]
			}
			must(t, rows.Err())
		}
		must(t, db.Close())
	}
	backup := d.backup()
	for round, id := range []terms.ID{"case-4", "case-5", "case-4"} {
		d.record(id, decision{outcome: terms.UpholdDecision})
		collect()
		d.lost(round == 1)
		d.restored(backup, o)
		collect()
	}
	d.record("case-5", decision{outcome: terms.UpholdDecision})
	collect()
	wantSame(t, "origins", len(signs), 4)
}

func TestARestoreReplacesNothing(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	backup := d.backup()
	mustBe(t, errOf(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder})), ErrExists)
	folder := t.TempDir()
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		target := filepath.Join(folder, "target"+suffix[min(len(suffix), 1):]+".db")
		must(t, os.WriteFile(target+suffix, []byte("mine"), disk.FileMode))
		mustBe(t, errOf(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: target, AnchorFolder: o.AnchorFolder})), ErrExists)
	}
	wantSame(t, "len(entries)", len(need(os.ReadDir(folder))(t)), 4)
}

func TestWhatContradictsASourceRefusesIt(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	backup := d.backup()
	other, otherOptions := anchoredFixture(t)
	target := filepath.Join(t.TempDir(), "docket.db")
	try := func(o RestoreOptions) error {
		o.Target, o.Reason = target, records.StoreDamaged
		r, err := PrepareRestore(t.Context(), o)
		if err == nil {
			return r.Close()
		}
		return err
	}
	mustBe(t, try(RestoreOptions{Source: backup, Checkpoints: []verify.Earlier{{Name: "other", Signed: other.checkpoint()}}}), merkle.ErrOtherOrigin)
	head := need(d.store.Head(t.Context()))(t)
	mustBe(t, try(RestoreOptions{Source: backup, Receipts: []records.Receipt{{TreeSize: 12, Root: terms.HashOf(nil)}}}), records.ErrRefused)
	must(t, try(RestoreOptions{Source: backup, Receipts: []records.Receipt{{TreeSize: 12, Root: head.Root}, {TreeSize: 20, Root: terms.HashOf(nil)}}}))
	// A store whose records are not those of the anchor on this machine.
	forked := filepath.Join(otherOptions.AnchorFolder, merkle.FileName(head.Origin))
	must(t, os.MkdirAll(forked, disk.FolderMode))
	must(t, d.store.key.Unlock(t.Context(), string(need(os.ReadFile(d.store.KeyFile()))(t))))
	var forkedAnchor merkle.Anchored
	must(t, d.store.reading(t.Context(), "read the log", func(ctx context.Context, tx engine.Tx) (err error) {
		forkedAnchor, err = d.store.newestOf(ctx, tx, nil)
		return err
	}))
	forkedAnchor.Checkpoint = need(d.store.key.Sign(2, signed.ToTree(terms.HashOf(nil))))(t)
	must(t, merkle.NewAnchor(otherOptions.AnchorFolder, d.store.key, 0).Renew(forkedAnchor, terms.InstantOf(noon)))
	mustBe(t, try(RestoreOptions{Source: backup, AnchorFolder: otherOptions.AnchorFolder}), records.ErrRefused)
	// A store that somebody changed.
	d.close()
	forge(t, backup, "UPDATE docket_texts SET text = 'another' WHERE owner = 8 AND member = 'note'")
	mustBe(t, try(RestoreOptions{Source: backup, AnchorFolder: o.AnchorFolder}), records.ErrRefused)
	wantSame(t, "left behind", len(need(os.ReadDir(filepath.Dir(target)))(t)), 0)
}

func TestOnlyTheStatementThatIsDueRestores(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	backup := d.backup()
	d.lost(false)
	for name, change := range map[string]func(*records.LogStatement){
		"another size":      func(s *records.LogStatement) { s.Size-- },
		"another root":      func(s *records.LogStatement) { s.Root = terms.HashOf(nil) },
		"another key":       func(s *records.LogStatement) { s.Restore.NewKey = strings.Replace(s.Restore.NewKey, "+", "0+", 1) },
		"nothing was known": func(s *records.LogStatement) { s.Restore.Known = nil },
		"another reason":    func(s *records.LogStatement) { s.Restore.Reason = records.KeyLost },
		"another signer":    func(s *records.LogStatement) { s.KeyFingerprint = "SHA256:another" },
		"an accepted clock": func(s *records.LogStatement) { s.Kind, s.Found = records.ClockAccepted, []string{"x"} },
	} {
		r := need(PrepareRestore(t.Context(), RestoreOptions{Source: backup, Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost}))(t)
		wantErr(t, name, errors.Join(r.Make(t.Context(), d.stated(r.Statement, change)), r.Close()), records.ErrRefused)
		_, err := os.Lstat(o.Path)
		mustNot(t, err == nil, "%s: there is a store", name)
	}
}

// forgedRestores are forgeries of a restored store: rows of the restore are changed, removed or added.
var forgedRestores = []forgery{
	{"restored: nothing was known", []string{"UPDATE docket_log SET body = substr(body, 1, instr(body, 'anchor ') - 1) WHERE kind = 'statement'"}},
	{"restored: the statement is gone", []string{"DELETE FROM docket_log WHERE kind = 'statement'"}},
	{"restored: no signature", []string{"UPDATE docket_log SET signature = '' WHERE kind = 'statement'"}},
	{"restored: another log signature", []string{"UPDATE docket_log SET signature = signature || signature WHERE kind = 'statement'"}},
	{"restored: filed as another statement", []string{"UPDATE docket_log SET subject = 'erasure' WHERE kind = 'statement'"}},
	{"restored: no first checkpoint", []string{"DELETE FROM docket_checkpoints WHERE size = (SELECT max(position) + 1 FROM docket_log WHERE kind = 'statement')"}},
	{"restored: another checkpoint", []string{"UPDATE docket_checkpoints SET note = (SELECT note FROM docket_checkpoints WHERE size = 10) WHERE size = (SELECT max(position) + 1 FROM docket_log WHERE kind = 'statement')"}},
	{"restored: a statement once more", []string{"INSERT INTO docket_log SELECT position + 1, kind, tableName, subject, number, at, leafHash, body, signature FROM docket_log WHERE kind = 'statement'"}},
}

// restoredStore is a closed store that was restored without its newest record.
func restoredStore(t testing.TB) Options {
	t.Helper()
	d, o := anchoredFixture(t)
	backup := d.backup()
	d.record("case-4", decision{outcome: terms.UpholdDecision})
	d.lost(false)
	d.restored(backup, o)
	d.close()
	return o
}

func TestAKilledRestoreLeavesAWholeStoreOrNone(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		stage := RestoreStage(folder[0] - '0')
		o := faultOptions(folder[1:])
		d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(filepath.Dir(o.Path), "elsewhere.db")}))
		r := need(PrepareRestore(t.Context(), RestoreOptions{Source: o.Path + ".backup", Target: o.Path, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost,
			Progress: func(at RestoreStage, done, total int64) {
				if at == stage && done == total {
					process, err := os.FindProcess(os.Getpid())
					if err == nil {
						err = process.Kill()
					}
					t.Error(err)
					select {}
				}
			}}))(t)
		t.Fatal(r.Make(t.Context(), d.stated(r.Statement, nil)))
	}
	for stage := CheckingSource; stage <= NamingStore; stage++ {
		o := faultOptions(t.TempDir())
		d := fixtureAt(t, openWith(t, o))
		d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)), d.mill.appealCase(passing("case-2", 1)))
		d.record("case-1", decision{outcome: terms.UpholdDecision})
		must(t, d.store.Backup(t.Context(), o.Path+".backup", nil))
		d.lost(false)
		out, err := again(t, t.Name(), string('0'+rune(stage))+filepath.Dir(o.Path)).CombinedOutput()
		mustNot(t, err == nil || bytes.Contains(out, []byte("FAIL")),
			"stage %d: %v\n%s", stage, err, out)
		_, err = os.Lstat(o.Path)
		there := err == nil
		mustNot(t, there != (stage == NamingStore), "killed at stage %d: %v", stage, err)
		if stage != NamingStore {
			d.restored(o.Path+".backup", o)
		} else {
			d.store = openWith(t, o)
		}
		d.record("case-2", decision{outcome: terms.UpholdDecision})
		wantKinds(t, stage, proven(t, d.store))
		d.close()
	}
}

func TestARestoreThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not remove a file that is open")
	}
	d, o := anchoredFixture(t)
	backup := d.backup()
	for stage := CopyingSource; stage <= CheckingCopy; stage++ {
		ctx, cancel := context.WithCancel(t.Context())
		target := filepath.Join(t.TempDir(), "docket.db")
		r := need(PrepareRestore(ctx, RestoreOptions{Source: backup, Target: target, AnchorFolder: o.AnchorFolder, Reason: records.StoreLost,
			Progress: func(at RestoreStage, _, _ int64) {
				if at == stage {
					cancel()
				}
			}}))(t)
		wantErr(t, stage, r.Make(ctx, d.stated(r.Statement, nil)), context.Canceled)
		wantSame(t, stage, len(need(os.ReadDir(filepath.Dir(target)))(t)), 0)
		cancel()
		must(t, r.Close())
	}
}
