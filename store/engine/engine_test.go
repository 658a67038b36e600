package engine_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/engine"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/sqlite"

	"golang.org/x/mod/sumdb/tlog"
)

// update writes the results of the operations over SQLite, with which those of each engine are compared.
var update = flag.Bool("update", false, "write the transcript of the operations")

// An Engine makes databases for tests: one that is empty and not open, and again, which returns the same database once more.
type Engine func(t *testing.T) (db engine.Database, again func() engine.Database)

func onSQLite(t *testing.T) (engine.Database, func() engine.Database) {
	path := filepath.Join(t.TempDir(), "docket.db")
	if err := disk.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	again := func() engine.Database {
		db, err := sqlite.New(sqlite.Options{Path: path, Busy: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	return again(), again
}

func onPostgres(t *testing.T) (engine.Database, func() engine.Database) {
	database := postgrestest.New(t)
	again := func() engine.Database {
		db, err := postgres.New(postgres.Options{DSN: database.DSN(postgrestest.Superuser), Busy: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	return again(), again
}

// moment is the time of all operations.
var moment = terms.InstantOf(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// made returns an open database that holds only one fact.
func (e Engine) made(t *testing.T) (db engine.Database, again func() engine.Database) {
	t.Helper()
	db, again = e(t)
	made, err := db.Create(t.Context(), func(ctx context.Context, tx engine.Tx) error { return tx.Meta().Add(ctx, "made", "once") })
	if err != nil || !made {
		t.Fatalf("made: %v, %v", made, err)
	}
	open(t, db)
	return db, again
}

func open(t *testing.T, db engine.Database) {
	t.Helper()
	if err := db.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// write runs work in a transaction that writes and fails with it.
func write(t *testing.T, db engine.Database, work engine.Work) {
	t.Helper()
	if err := db.Update(t.Context(), work); err != nil {
		t.Fatal(err)
	}
}

// view runs work in a transaction that reads and fails with it.
func view(t *testing.T, db engine.Database, work engine.Work) {
	t.Helper()
	if err := db.View(t.Context(), work); err != nil {
		t.Fatal(err)
	}
}

func TestTheEnginesAreOne(t *testing.T) {
	for name, e := range map[string]Engine{"SQLite": onSQLite, "PostgreSQL": onPostgres} {
		t.Run(name, func(t *testing.T) { testEngine(t, e) })
	}
}

func testEngine(t *testing.T, e Engine) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Engine)
	}{
		{"ADatabaseIsMadeOnce", madeOnce},
		{"WhatIsWrittenComesBackByteForByte", comesBack},
		{"RowsThatAreThereStay", stay},
		{"OnlyTheNextRowOfTheLogIsTaken", next},
		{"APartIsUndoneAlone", parts},
		{"AViewIsOneSnapshot", snapshot},
		{"TransactionsThatWriteAreSerial", serial},
		{"NothingOfAFailedTransactionIsKept", failed},
		{"WhatAStatementErasesIsDeleted", erased},
		{"TheEndOfAWaitIsTheEndOfItsContext", waits},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, e) })
	}
}

func madeOnce(t *testing.T, e Engine) {
	db, again := e(t)
	if state, err := db.Inspect(t.Context()); err != nil || state != engine.Empty {
		t.Fatalf("it is %v, %v", state, err)
	}
	wrong := errors.New("it is not filled")
	if made, err := db.Create(t.Context(), func(context.Context, engine.Tx) error { return wrong }); made || !errors.Is(err, wrong) {
		t.Errorf("made: %v, %v", made, err)
	}
	if state, err := db.Inspect(t.Context()); err != nil || state != engine.Empty {
		t.Errorf("after that it is %v, %v", state, err)
	}
	for i, other := range []engine.Database{db, again()} {
		made, err := other.Create(t.Context(), func(ctx context.Context, tx engine.Tx) error { return tx.Meta().Add(ctx, "made", fmt.Sprint(i)) })
		if err != nil || made != (i == 0) {
			t.Errorf("database %d: made %v, %v", i, made, err)
		}
	}
	if state, err := again().Inspect(t.Context()); err != nil || state != engine.Current {
		t.Errorf("it is %v, %v", state, err)
	}
	open(t, db)
	if !db.IsOpen() || !db.Writes() || db.Obstacle() != nil {
		t.Errorf("open %v, writes %v, %v", db.IsOpen(), db.Writes(), db.Obstacle())
	}
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		if value, err := tx.Meta().Value(ctx, "made"); err != nil || value != "0" {
			t.Errorf("it was filled with %q, %v", value, err)
		}
		if altered, err := tx.Structure().Altered(ctx); err != nil || len(altered) > 0 {
			t.Errorf("altered: %v, %v", altered, err)
		}
		faults, err := tx.Structure().Faults(ctx)
		if faults != 0 {
			t.Errorf("%d faults", faults)
		}
		return err
	})
}

// Documents with texts that databases may mishandle: an escaped U+0000, and a text that looks like one.
const (
	caseDocument   = `{"hashes":{},"record":{"caseId":"case-1","deadline":"2026-04-01T00:00:00Z","filedAt":"2026-03-01T00:00:00Z","neutralReview":{"reviewerId":"rev-1"},"note":"a\u0000b \\u0000","revision":%d,"status":"filed","subjectId":"sub-1"},"table":"trade_appeal_cases"}`
	recordDocument = `{"caseId":"case-1","caseRevision":1,"carriedBlockers":[],"computedBlockers":["a_b","c_d"],"note":"\u0000","recordId":"%s","recordedAt":"2026-03-14T12:00:00Z","reviewer":{"id":"rev-1","keyFingerprint":"SHA256:x"},"reviewerBlockers":["e_f"],"supersedes":""}`
)

// recordID returns the id of the record with a number.
func recordID(number int) records.RecordID {
	return records.NewRecordID(moment, [10]byte{9: byte(number)})
}

// hashOf returns the hash of a number.
func hashOf(number int) tlog.Hash { return tlog.Hash{31: byte(number)} }

// appendRecord appends a record with all that is stored with it.
func appendRecord(ctx context.Context, tx engine.Tx, number int) error {
	hash := hashOf(number)
	id := recordID(number)
	err := tx.Log().Append(ctx, engine.NewEntry{Position: int64(number), Kind: records.RecordEntry, Table: terms.AppealEnforcements, Subject: string(id), Leaf: hash, Signature: "signed"})
	if err != nil {
		return err
	}
	return errors.Join(
		tx.Log().AddHashes(ctx, tlog.StoredHashIndex(0, int64(number)), []tlog.Hash{hash}),
		tx.Records().Add(ctx, &engine.Record{Sequence: int64(number), Table: terms.AppealEnforcements, Document: fmt.Appendf(nil, recordDocument, id),
			PacketSalt: "salt", Statement: records.Statement{Salt: "its", Text: "reasons \x00 here"}, Note: records.Note{Salt: "own", Text: "n\x00"}}),
		tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: int64(number), Note: fmt.Appendf(nil, "size %d", number)}))
}

// state appends a statement.
func state(ctx context.Context, tx engine.Tx, position int64, text string) error {
	statement := signed.Statement{Text: text, Signature: []byte("s\n"), LogSignature: []byte("— l\n")}
	return tx.Log().Append(ctx, engine.NewEntry{Position: position, Kind: records.StatementEntry, Subject: "erasure", At: moment.String(),
		Body: text, Signature: statement.Signatures()})
}

// fill writes a row of each kind.
func fill(ctx context.Context, tx engine.Tx) error {
	if err := appendRecord(ctx, tx, 0); err != nil {
		return err
	}
	for revision := int64(1); revision <= 2; revision++ {
		err := tx.Log().Append(ctx, engine.NewEntry{Position: revision, Kind: records.PacketEntry, Table: terms.AppealCases,
			Subject: fmt.Sprintf("case-1 %d", revision), At: moment.String()})
		if err == nil {
			err = tx.Packets().Add(ctx, terms.AppealCases, revision, fmt.Appendf(nil, caseDocument, revision), []byte(`{"a":"\u0000"}`))
		}
		if err != nil {
			return fmt.Errorf("revision %d: %w", revision, err)
		}
	}
	own := engine.Own{Reviewer: "rev-1", Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}}
	return errors.Join(
		state(ctx, tx, 3, "a statement\n"),
		tx.Cosignatures().Add(ctx, engine.Cosigned{Checkpoint: []byte("c\n"), Line: []byte("line\n"), Key: "witness"}, moment),
		tx.Keys().AddSigner(ctx, engine.Signer{Reviewer: "rev-1", Fingerprint: "SHA256:x", PublicKey: "ssh-ed25519 A", Since: moment.String()}),
		tx.Service().AddToken(ctx, engine.Token{ID: "tok", Digest: make([]byte, 32), Principal: "rev-1", Role: "neutral_reviewer", Owners: []byte("[]"), Created: "c", Expires: "e"}),
		tx.Service().RevokeToken(ctx, "tok", moment),
		tx.Service().AddMove(ctx, "o", moment),
		tx.Service().Receive(ctx, engine.Received{Sequence: 0, Head: records.LogHead{Origin: "o", Size: 3}, RecordID: recordID(0)}),
		tx.Local().Skip(ctx, own, "later \x00", moment),
		tx.Answers().Bind(ctx, "key", moment),
		tx.Answers().Show(ctx, engine.ShownCheckpoint{Checkpoint: "c", Key: "k", At: moment.String()}),
		tx.Answers().Accept(ctx, engine.Acceptance{Leaf: engine.Leaf{Sequence: 0}, Origin: "o", TreeSize: 1, Receipt: "r", Proof: "p", Checkpoint: "c"}, moment),
		tx.Local().Reassign(ctx, terms.AppealCases, packets.Key{ID: "case-1", Number: 3}, moment),
		tx.Local().SetPull(ctx, "cursor", moment))
}

func comesBack(t *testing.T, e Engine) {
	db, _ := e.made(t)
	write(t, db, fill)
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		if _, first := db.(*sqlite.DB); !first || !*update {
			return nil
		}
		return os.WriteFile(transcriptFile, []byte(Transcript(ctx, tx)), 0o644)
	})
	comesBackAs(t, db)
}

// refused runs work and fails unless it ends in an error and its writes are undone.
func refused(t *testing.T, db engine.Database, what string, work engine.Work) {
	t.Helper()
	if err := db.Update(t.Context(), work); err == nil {
		t.Errorf("%s: no error", what)
	}
}

func stay(t *testing.T, e Engine) {
	db, _ := e.made(t)
	write(t, db, fill)
	for what, work := range map[string]engine.Work{
		"a fact": func(ctx context.Context, tx engine.Tx) error { return tx.Meta().Add(ctx, "made", "again") },
		"a case": func(ctx context.Context, tx engine.Tx) error {
			return tx.Packets().Add(ctx, terms.AppealCases, 1, fmt.Appendf(nil, caseDocument, 1), nil)
		},
		"a leaf": func(ctx context.Context, tx engine.Tx) error { return appendRecord(ctx, tx, 0) },
		"a signer": func(ctx context.Context, tx engine.Tx) error {
			return tx.Keys().AddSigner(ctx, engine.Signer{Reviewer: "rev-1", Fingerprint: "SHA256:x"})
		},
		"a token": func(ctx context.Context, tx engine.Tx) error {
			return tx.Service().AddToken(ctx, engine.Token{ID: "tok", Digest: make([]byte, 32), Owners: []byte("[]")})
		},
		"a move": func(ctx context.Context, tx engine.Tx) error { return tx.Service().AddMove(ctx, "o", moment) },
		"a note": func(ctx context.Context, tx engine.Tx) error {
			_, err := tx.Records().Erase(ctx, records.Erasure{What: records.ErasableNote, Record: recordID(0)}, "rev-1", 0)
			return err
		},
	} {
		refused(t, db, what, work)
	}
	comesBackAs(t, db)
}

// transcriptFile has the transcript of the rows that fill writes.
var transcriptFile = filepath.Join("testdata", "transcript.txt")

func comesBackAs(t *testing.T, db engine.Database) {
	t.Helper()
	due, err := os.ReadFile(transcriptFile)
	if err != nil {
		t.Fatal(err)
	}
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		got, wanted := strings.Split(Transcript(ctx, tx), "\n"), strings.Split(string(due), "\n")
		for i := range max(len(got), len(wanted)) {
			if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
				t.Errorf("line %d of %d, and of %d that are due:\n%s\n%s", i+1, len(got), len(wanted), got[min(i, len(got)-1)], wanted[min(i, len(wanted)-1)])
				break
			}
		}
		return nil
	})
}

func next(t *testing.T, e Engine) {
	db, _ := e.made(t)
	hash := hashOf(1)
	refused(t, db, "a gap in the log", func(ctx context.Context, tx engine.Tx) error { return appendRecord(ctx, tx, 1) })
	refused(t, db, "a gap in the hashes", func(ctx context.Context, tx engine.Tx) error { return tx.Log().AddHashes(ctx, 1, []tlog.Hash{hash}) })
	refused(t, db, "a checkpoint of a smaller log", func(ctx context.Context, tx engine.Tx) error {
		return errors.Join(tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: 2}), tx.Log().AddCheckpoint(ctx, engine.Checkpoint{Size: 1}))
	})
	refused(t, db, "a packet without its entry", func(ctx context.Context, tx engine.Tx) error {
		return tx.Packets().Add(ctx, terms.AppealCases, 0, fmt.Appendf(nil, caseDocument, 1), nil)
	})
	refused(t, db, "a record without its leaf", func(ctx context.Context, tx engine.Tx) error {
		return tx.Records().Add(ctx, &engine.Record{Table: terms.AppealEnforcements, Document: fmt.Appendf(nil, recordDocument, recordID(0))})
	})
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		last, err := tx.Log().Last(ctx)
		if last != -1 {
			t.Errorf("the last leaf is %d", last)
		}
		return err
	})
}

func parts(t *testing.T, e Engine) {
	db, _ := e.made(t)
	wrong := errors.New("wrong")
	write(t, db, func(ctx context.Context, tx engine.Tx) error {
		add := func(name string, err error) error {
			return tx.Nested(ctx, func(ctx context.Context, tx engine.Tx) error {
				return errors.Join(tx.Meta().Add(ctx, name, ""), err)
			})
		}
		if err := add("kept", nil); err != nil {
			t.Error(err)
		}
		if err := add("undone", wrong); !errors.Is(err, wrong) {
			t.Errorf("the error is %v", err)
		}
		err := tx.Nested(ctx, func(ctx context.Context, tx engine.Tx) error {
			if _, err := tx.Meta().Values(ctx, 9); err != nil {
				return err
			}
			return errors.Join(tx.Meta().Add(ctx, "read", ""), tx.Meta().Add(ctx, "made", "twice"))
		})
		if err == nil || db.Broken(err) {
			t.Errorf("what the database refuses: %v", err)
		}
		err = tx.Nested(ctx, func(ctx context.Context, tx engine.Tx) error {
			inner := tx.Nested(ctx, func(ctx context.Context, tx engine.Tx) error {
				return errors.Join(tx.Meta().Add(ctx, "inner", ""), wrong)
			})
			if !errors.Is(inner, wrong) {
				t.Errorf("the error is %v", inner)
			}
			return tx.Meta().Add(ctx, "outer", "")
		})
		return errors.Join(err, add("last", nil))
	})
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		values, err := tx.Meta().Values(ctx, 9)
		var names []string
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		if got := fmt.Sprint(names); got != "[kept last made outer]" {
			t.Errorf("there are %s", got)
		}
		return err
	})
}

func snapshot(t *testing.T, e Engine) {
	db, again := e.made(t)
	other := again()
	open(t, other)
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		if last, err := tx.Log().Last(ctx); err != nil || last != -1 {
			t.Errorf("the last leaf is %d, %v", last, err)
		}
		write(t, other, func(ctx context.Context, tx engine.Tx) error { return appendRecord(ctx, tx, 0) })
		if last, err := tx.Log().Last(ctx); err != nil || last != -1 {
			t.Errorf("then the last leaf is %d, %v", last, err)
		}
		_, err := tx.Log().Leaf(ctx, recordID(0))
		if !errors.Is(err, engine.ErrNoRow) {
			t.Errorf("its leaf: %v", err)
		}
		return nil
	})
	comes := func(ctx context.Context, tx engine.Tx) error {
		if last, err := tx.Log().Last(ctx); err != nil || last != 0 {
			t.Errorf("after it the last leaf is %d, %v", last, err)
		}
		return nil
	}
	view(t, db, comes)
	readers, err := db.OpenReaders(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(readers.View(t.Context(), comes), readers.Close()); err != nil {
		t.Error(err)
	}
}

// Two databases that are open on the same store append in turn and at once: each reads the end of the log before it appends.
func serial(t *testing.T, e Engine) {
	db, again := e.made(t)
	other := again()
	open(t, other)
	const each = 20
	done := make(chan error)
	for _, one := range []engine.Database{db, other} {
		go func() {
			var err error
			for i := 0; i < each && err == nil; i++ {
				err = one.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
					last, err := tx.Log().Last(ctx)
					if err != nil {
						return err
					}
					hash := hashOf(0)
					return tx.Log().Append(ctx, engine.NewEntry{Position: last + 1, Kind: records.RecordEntry, Table: terms.AppealEnforcements, Subject: string(recordID(int(last) + 1)), Leaf: hash})
				})
			}
			done <- err
		}()
	}
	if err := errors.Join(<-done, <-done); err != nil {
		t.Fatal(err)
	}
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		due := int64(0)
		err := tx.Log().Leaves(ctx, 0, 1000, func(l *engine.NumberedLeaf) error {
			if l.Sequence != due {
				t.Errorf("leaf %d is at %d", due, l.Sequence)
			}
			due++
			return nil
		})
		if due != 2*each {
			t.Errorf("there are %d leaves", due)
		}
		return err
	})
}

func failed(t *testing.T, e Engine) {
	db, _ := e.made(t)
	wrong := errors.New("wrong")
	err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return errors.Join(fill(ctx, tx), wrong)
	})
	if !errors.Is(err, wrong) || db.Broken(err) || db.Passing(err) {
		t.Errorf("the error is %v, broken %v, passing %v", err, db.Broken(err), db.Passing(err))
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
			if err := fill(ctx, tx); err != nil {
				t.Error(err)
			}
			panic("in the middle")
		})
	}()
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		last, err := tx.Log().Last(ctx)
		if count, failed := tx.Statements().End(ctx); last != -1 || count != 0 || failed != nil {
			t.Errorf("the last leaf is %d, statements %d, %v", last, count, failed)
		}
		return err
	})
	write(t, db, fill)
}

func erased(t *testing.T, e Engine) {
	db, _ := e.made(t)
	write(t, db, fill)
	note := records.Erasure{What: records.ErasableNote, Record: recordID(0)}
	write(t, db, func(ctx context.Context, tx engine.Tx) error {
		if own, salts, err := tx.Records().Erasable(ctx, note, "rev-1", 1); err != nil || own != 1 || salts != 0 {
			t.Errorf("%d and %d rows, %v", own, salts, err)
		}
		text := fmt.Sprintf("docket-log-statement/v1\nerasure\nnote %s \n", recordID(0))
		if err := state(ctx, tx, 4, text); err != nil {
			return err
		}
		count, err := tx.Records().Erase(ctx, note, "rev-1", 1)
		if count != 1 {
			t.Errorf("%d rows were deleted", count)
		}
		return err
	})
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		if _, err := tx.Records().Note(ctx, recordID(0)); !errors.Is(err, engine.ErrNoRow) {
			t.Errorf("the note: %v", err)
		}
		_, err := tx.Records().Statement(ctx, recordID(0))
		return err
	})
	if err := db.Scrub(t.Context()); err != nil {
		t.Error(err)
	}
}

func waits(t *testing.T, e Engine) {
	db, again := e.made(t)
	other := again()
	open(t, other)
	write(t, db, func(context.Context, engine.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err := other.Update(ctx, func(context.Context, engine.Tx) error {
			t.Error("it has the lock, too")
			return nil
		})
		if !errors.Is(err, context.DeadlineExceeded) || other.Broken(err) {
			t.Errorf("the error is %v, broken %v", err, other.Broken(err))
		}
		return nil
	})
	write(t, other, func(ctx context.Context, tx engine.Tx) error { return tx.Meta().Add(ctx, "after", "") })
}

// The records on what is assigned to somebody, and those on a revision, are found through indexes, in both tables.
func TestRecordsAreFoundByIndex(t *testing.T) {
	db, _ := Engine(onSQLite).made(t)
	view(t, db, func(ctx context.Context, tx engine.Tx) error {
		for _, table := range []terms.Table{terms.AppealEnforcements, terms.AmendmentEnforcements} {
			for which, name := range map[string]string{"{ofAssignee}": "SequencesAfter", "{ofAssigneeAtEnd}": "SequencesAfter", "{onRevision =}": "Logged"} {
				var plan []string
				err := tx.EachRow(ctx, "EXPLAIN QUERY PLAN "+tx.Query(name, table, "which", which), func(scan engine.Scan) error {
					var id, parent, unused int
					var step string
					err := scan(&id, &parent, &unused, &step)
					plan = append(plan, step)
					return err
				}, "reviewer", 5, 9)
				if err != nil {
					return err
				}
				if len(plan) < 3 || slices.ContainsFunc(plan, regexp.MustCompile("^SCAN (leaf|held|recorded|new)").MatchString) {
					t.Errorf("%s, %s: %q", table, which, plan)
				}
			}
		}
		return nil
	})
}
