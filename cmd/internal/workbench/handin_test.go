package workbench_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	checkpoint "github.com/transparency-dev/formats/log"

	"docket/cmd/internal/workbench"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// foreign is a record that another console handed in.
const foreign = records.RecordID("019ecb6a-4e00-7abc-8def-0123456789ab")

// A walk is a workbench that hands in what it records.
type walk struct {
	t *testing.T
	*workbench.Workbench
	service verifytest.Service
	leaves  []tlog.Hash // of the service's log
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	w := &walk{t: t, Workbench: atWork(t), service: verifytest.NewService("")}
	w.must(w.Store.BindService(t.Context(), w.service.Key))
	return w
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// decide records a decision on the sample case, superseding what the console says is in force.
func (w *walk) decide() records.Enforcement {
	w.t.Helper()
	logged, err := w.Store.Record(w.t.Context(), decide(w.t, w.Workbench, passing).RecordID)
	w.must(err)
	return logged.Record
}

// reader reads the stored hashes of a tree.
type reader []tlog.Hash

func (r reader) ReadHashes(positions []int64) (hashes []tlog.Hash, err error) {
	for _, position := range positions {
		hashes = append(hashes, r[position])
	}
	return hashes, nil
}

func (w *walk) accept(record records.Enforcement) {
	w.t.Helper()
	w.leaves = append(w.leaves, tlog.RecordHash(record.Document()))
	var stored reader
	for n, leaf := range w.leaves {
		hashes, err := tlog.StoredHashesForRecordHash(int64(n), leaf, stored)
		w.must(err)
		stored = append(stored, hashes...)
	}
	root, err := tlog.TreeHash(int64(len(w.leaves)), stored)
	w.must(err)
	text := checkpoint.Checkpoint{Origin: verifytest.ServiceOrigin, Size: uint64(len(w.leaves)), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, w.service.Signer)
	w.must(err)
	hash := func(h tlog.Hash) terms.Hash {
		parsed, _ := terms.ParseHash(fmt.Sprintf("sha256:%x", h[:]))
		return parsed
	}
	size := int64(len(w.leaves))
	path, err := tlog.ProveRecord(size, size-1, stored)
	w.must(err)
	var proof []terms.Hash
	for _, h := range path {
		proof = append(proof, hash(h))
	}
	w.must(w.Store.KeepAcceptance(w.t.Context(), record.Members().RecordID, records.Receipt{RecordID: record.Members().RecordID,
		Sequence: size - 1, LeafHash: hash(w.leaves[size-1]), TreeSize: size, Root: hash(root)}, proof, signed))
}

func (w *walk) reject(record records.Enforcement, inForce records.RecordID) {
	w.t.Helper()
	r := verifytest.Rejection(record, inForce)
	w.must(w.Store.KeepRejection(w.t.Context(), r.RecordID, string(w.service.Sign(r)), []string{"what was judged has changed"}))
}

// found is what checking the live store comes to.
func found(t *testing.T, s *store.Store) []string {
	t.Helper()
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, f := range report.Findings {
		kinds = append(kinds, f.Code.String())
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// verify fails unless the live store and an export of it verify.
func (w *walk) verify() {
	w.t.Helper()
	if kinds := found(w.t, w.Store); len(kinds) > 0 {
		w.t.Errorf("in the store: %v", kinds)
	}
	dir := filepath.Join(w.t.TempDir(), "bundle")
	if _, err := w.Export(w.t.Context(), dir, func(string, int64, int64) {}); err != nil {
		w.t.Fatal(err)
	}
	report, err := bundle.Check(w.t.Context(), dir, verify.Options{ServiceKeys: []string{w.service.Key}})
	if err != nil || !report.OK() {
		w.t.Errorf("in the bundle: %v, %v", report.Findings, err)
	}
}

func (w *walk) inForce() records.RecordID {
	w.t.Helper()
	dossier, err := w.Open(w.t.Context(), terms.AppealCases, passing, 0)
	w.must(err)
	return dossier.InForce
}

func (w *walk) wantTally(want records.HandInTally) {
	w.t.Helper()
	want.Service = verifytest.ServiceOrigin
	if tally, err := w.HandIns(w.t.Context()); err != nil || tally.By.Present() != (want.Waiting > 0) || withoutTime(tally) != want {
		w.t.Errorf("%+v, %v", tally, err)
	}
}

// withoutTime is the tally without the time by which a record has to be handed in.
func withoutTime(tally records.HandInTally) records.HandInTally {
	tally.By = terms.Instant{}
	return tally
}

// walks are ways of records to the service; each returns what then is in force.
var walks = map[string]func(*walk) records.RecordID{
	"accepted": func(w *walk) records.RecordID {
		record := w.decide()
		w.accept(record)
		w.wantTally(records.HandInTally{Accepted: 1})
		return record.Members().RecordID
	},
	"stale with nothing in force, judged again, accepted": func(w *walk) records.RecordID {
		w.reject(w.decide(), "")
		w.wantTally(records.HandInTally{Rejected: 1})
		again := w.decide()
		w.wantTally(records.HandInTally{Waiting: 1})
		w.accept(again)
		return again.Members().RecordID
	},
	"another's record in force, judged again naming it": func(w *walk) records.RecordID {
		w.reject(w.decide(), foreign)
		if w.inForce() != foreign {
			w.t.Errorf("in force is %s", w.inForce())
		}
		again := w.decide()
		if again.Members().Supersedes != foreign {
			w.t.Errorf("it supersedes %s", again.Members().Supersedes)
		}
		w.accept(again)
		return again.Members().RecordID
	},
	"a rejected record on top of an accepted one, judged again": func(w *walk) records.RecordID {
		first := w.decide()
		w.accept(first)
		w.reject(w.decide(), first.Members().RecordID)
		again := w.decide()
		if again.Members().Supersedes != first.Members().RecordID {
			w.t.Errorf("it supersedes %s", again.Members().Supersedes)
		}
		return again.Members().RecordID
	},
	"rejected twice": func(w *walk) records.RecordID {
		w.reject(w.decide(), "")
		w.reject(w.decide(), foreign)
		return foreign
	},
	"two in a row rejected, judged again": func(w *walk) records.RecordID {
		first, second := w.decide(), w.decide()
		w.reject(first, foreign)
		w.reject(second, foreign)
		return w.decide().Members().RecordID
	},
}

func TestWhateverBecomesOfARecordTheLogVerifies(t *testing.T) {
	for name, walked := range walks {
		t.Run(name, func(t *testing.T) {
			w := newWalk(t)
			want := walked(w)
			if w.inForce() != want {
				t.Errorf("in force is %s, want %s", w.inForce(), want)
			}
			w.verify()
		})
	}
}

// rejectionTable is written out: the test is somebody who gets at the file with another program.
const rejectionTable = "docket_handin_rejections"

// edited closes the store, runs a statement on the table with its triggers out of the way, and opens it again.
func (w *walk) edited(statement string, args ...any) *store.Store {
	w.t.Helper()
	path := w.Store.Path()
	w.must(w.Store.Close())
	db, err := sql.Open("sqlite", "file:"+path)
	w.must(err)
	rows, err := db.Query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", rejectionTable)
	w.must(err)
	var drop, restore []string
	for rows.Next() {
		var name, text string
		w.must(rows.Scan(&name, &text))
		drop, restore = append(drop, "DROP TRIGGER "+name), append(restore, text)
	}
	w.must(rows.Close())
	for _, each := range drop {
		_, err := db.Exec(each)
		w.must(err)
	}
	_, err = db.Exec(statement, args...)
	w.must(err)
	for _, each := range restore {
		_, err := db.Exec(each)
		w.must(err)
	}
	w.must(db.Close())
	s, err := store.Open(w.t.Context(), store.Options{Path: path, Now: w.Clock})
	w.must(err)
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestAForgedRejectionIsFoundInTheStore(t *testing.T) {
	for name, c := range map[string]struct {
		statement string
		signed    func(w *walk, judged, other records.Enforcement) []byte
		want      []string
	}{
		"edited": {"UPDATE " + rejectionTable + " SET signed = replace(signed, 'record_superseded', 'packet_stale')", nil,
			[]string{"rejection_unsigned", "supersedes_unknown"}},
		"of another record": {"UPDATE " + rejectionTable + " SET signed = ?",
			func(w *walk, _, other records.Enforcement) []byte {
				return w.service.Sign(verifytest.Rejection(other, foreign))
			},
			[]string{"rejection_stray", "supersedes_unknown"}},
		"signed by another key": {"UPDATE " + rejectionTable + " SET signed = ?",
			func(_ *walk, judged, _ records.Enforcement) []byte {
				return verifytest.NewService("another").Sign(verifytest.Rejection(judged, foreign))
			},
			[]string{"rejection_unsigned", "supersedes_unknown"}},
		"naming another record": {"UPDATE " + rejectionTable + " SET signed = ?",
			func(w *walk, judged, _ records.Enforcement) []byte {
				return w.service.Sign(verifytest.Rejection(judged, ""))
			},
			[]string{"answer_altered", "supersedes_unknown"}},
		"removed": {"DELETE FROM " + rejectionTable, nil, []string{"supersedes_unknown"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWalk(t)
			judged := w.decide()
			w.reject(judged, foreign)
			other := w.decide()
			var args []any
			if c.signed != nil {
				args = append(args, string(c.signed(w, judged, other)))
			}
			s := w.edited(c.statement, args...)
			kinds := found(t, s)
			if !slices.Equal(kinds, c.want) {
				t.Errorf("found %v, want %v", kinds, c.want)
			}
			forged := &workbench.Workbench{Store: s, Identity: w.Identity, Clock: w.Clock}
			_, err := forged.Export(t.Context(), filepath.Join(t.TempDir(), "bundle"), func(string, int64, int64) {})
			if err == nil || !strings.Contains(err.Error(), "export") {
				t.Errorf("it is exported: %v", err)
			}
		})
	}
}
