package verify_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"github.com/transparency-dev/formats/log"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// recordsVariable says how many records the large tests and the benchmarks make.
const recordsVariable = "DOCKET_BENCH_RECORDS"

// keptVariable names a file in which a stock is kept from one run to the next: making a million records takes minutes.
// It has to be of as many records as the run asks for.
const keptVariable = "DOCKET_BENCH_STORE"

// recordsOr is what the variable says, or the usual number.
func recordsOr(usual int) int {
	count, err := strconv.Atoi(os.Getenv(recordsVariable))
	if err != nil || count < 1 {
		return usual
	}
	return min(count, 1_000_000)
}

const (
	recordsPerCase = 10
	stockBatch     = 10_000
	stockPortion   = 500 // packets imported at once
)

// stock makes a store of many records, ten on each of its cases and amendments, and returns its path. The records are
// real, and so are their signatures and the tree; only they are put into the file in batches, without waiting for the
// disk and past the program.
func stock(t testing.TB, records int) string {
	t.Helper()
	path := os.Getenv(keptVariable)
	if _, err := os.Stat(path); path != "" && err == nil {
		return path
	}
	if path == "" {
		path = filepath.Join(t.TempDir(), "docket.db")
	}
	s := &stocking{t: t, records: int64(records), at: time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC), cases: make([]stockCase, max(1, records/recordsPerCase)),
		who: verifytest.Person(verifytest.Assigned, terms.NeutralReviewer), key: verifytest.Key(verifytest.Assigned)}
	s.importCases(path)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(wal)&_txlock=immediate")
	s.must(err)
	db.SetMaxOpenConns(1)
	for done := 0; done < records; {
		batch := s.decide(done, min(records-done, stockBatch, len(s.cases)))
		tx, err := db.Begin()
		s.must(err)
		for i := range batch {
			s.insert(tx, done+i, &batch[i])
		}
		done += len(batch)
		if done == records {
			s.listSigner(tx)
		}
		s.must(tx.Commit())
	}
	s.must(db.Close())
	return path
}

type stocking struct {
	origin  string // of the log
	t       testing.TB
	records int64
	at      time.Time
	cases   []stockCase
	policy  [2]packets.Packet // of appeals, of amendments
	who     records.Reviewer
	key     ssh.Signer
	hashes  []tlog.Hash
	keyFile string
}

type stockCase struct {
	packet  packets.Packet
	inForce records.RecordID
}

type stockRecord struct {
	record    records.Enforcement
	signature []byte
}

func (s *stocking) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// importCases makes the store with all its packets.
func (s *stocking) importCases(path string) {
	samples := verifytest.New(s.t)
	held := func(table terms.Table, record verifytest.Record) packets.Packet {
		ref := samples.Hold(table, record)
		var reader packets.Reader
		packet, err := reader.ReadStored(samples.Held[ref])
		s.must(err)
		delete(samples.Held, ref)
		return packet
	}
	s.policy[0] = held(terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 1))
	s.policy[1] = held(terms.AmendmentPolicies, verifytest.AmendmentPolicy("amendment-policy", 1))
	packets := s.policy[:]
	for i := range s.cases {
		if i%4 == 3 {
			s.cases[i].packet = held(terms.AmendmentRecords, verifytest.Amendment(fmt.Sprintf("amendment-%d", i), 1))
		} else {
			s.cases[i].packet = held(terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-%d", i), 1))
		}
		packets = append(packets, s.cases[i].packet)
	}
	made, err := store.Open(s.t.Context(), store.Options{Path: path, Now: func() time.Time { return s.at }})
	s.must(err)
	meta, err := made.Head(s.t.Context())
	s.must(err)
	s.origin = meta.Origin
	for len(packets) > 0 {
		some := packets[:min(stockPortion, len(packets))]
		_, err := made.Import(s.t.Context(), some)
		s.must(err)
		packets = packets[len(some):]
	}
	s.keyFile = made.KeyFile()
	s.must(made.Close())
}

const stockSalt packets.Salt = "saltsaltsaltsaltsaltsalt"

// decide makes the next records, on all cores. All of them saw the log as it was before the first.
func (s *stocking) decide(first, count int) []stockRecord {
	root, err := tlog.TreeHash(int64(first), s)
	s.must(err)
	seen := records.LogHead{Origin: s.origin, Size: int64(first), Root: signed.FromTree(root)}
	batch := make([]stockRecord, count)
	everyOne(count, func(i int) error { return s.decideOne(first+i, seen, &batch[i]) }, s.t)
	if s.t.Failed() {
		s.t.FailNow()
	}
	return batch
}

func (s *stocking) decideOne(sequence int, seen records.LogHead, made *stockRecord) (err error) {
	on := &s.cases[sequence%len(s.cases)]
	policy := s.policy[0]
	choice := records.Choice{OpenedAt: terms.InstantOf(s.at),
		SectionsViewed: []views.SectionName{views.SectionGate, views.SectionReview}, Supersedes: on.inForce}
	if on.packet.Table() == terms.AmendmentRecords {
		policy = s.policy[1]
	}
	at := s.at.Add(time.Duration(sequence) * time.Second)
	view := views.New(policy, on.packet, rules.Latest{PolicyVersion: 1, Revision: 1}, terms.InstantOf(at))
	if view.Area() == terms.Appeals {
		choice.Outcome, choice.Factors = records.Advised(&view, 0), terms.SetOf(terms.HumanReviewRequired)
	}
	recordedAt := terms.InstantOf(at.Add(time.Millisecond))
	made.record, err = records.Decide(&view, choice, records.Stamp{Reviewer: s.who, LogHead: seen,
		RecordID: records.NewRecordID(recordedAt, [10]byte{}), RecordedAt: recordedAt, PacketSalt: stockSalt})
	if err != nil {
		return err
	}
	on.inForce = made.record.Members().RecordID
	signature, err := sshsig.Sign(bytes.NewReader(made.record.Document()), s.key, sshsig.HashSHA512, records.SignatureNamespace)
	made.signature = sshsig.Armor(signature)
	return err
}

// ReadHashes implements tlog.HashReader.
func (s *stocking) ReadHashes(positions []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(positions))
	for i, position := range positions {
		hashes[i] = s.hashes[position]
	}
	return hashes, nil
}

func (s *stocking) insert(tx *sql.Tx, sequence int, made *stockRecord) {
	document, table := made.record.Document(), made.record.Table()
	leaf := tlog.RecordHash(document)
	hashes, err := tlog.StoredHashesForRecordHash(int64(sequence), leaf, s)
	s.must(err)
	s.execute(tx, "INSERT INTO docket_log (sequence, tableName, recordId, leafHash) VALUES (?, ?, ?, ?)", sequence,
		table.String(), string(made.record.Members().RecordID), leaf[:])
	for _, hash := range hashes {
		s.execute(tx, "INSERT INTO docket_log_hashes (position, hash) VALUES (?, ?)", len(s.hashes), hash[:])
		s.hashes = append(s.hashes, hash)
	}
	s.execute(tx, "INSERT INTO "+table.String()+" (sequence, document) VALUES (?, ?)", sequence, string(document))
	s.execute(tx, "INSERT INTO docket_signatures (sequence, signature) VALUES (?, ?)", sequence, string(made.signature))
	s.execute(tx, "INSERT INTO docket_packet_salts (sequence, salt) VALUES (?, ?)", sequence, string(stockSalt))
	s.execute(tx, "INSERT INTO docket_checkpoints (size, note) VALUES (?, ?)", sequence+1, s.checkpoint(int64(sequence+1)))
}

// checkpoint signs the log at its last size only: a check reads no other one.
func (s *stocking) checkpoint(size int64) string {
	if size < s.records {
		return "not signed"
	}
	private, err := os.ReadFile(s.keyFile)
	s.must(err)
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	s.must(err)
	root, err := tlog.TreeHash(size, s)
	s.must(err)
	text := log.Checkpoint{Origin: s.origin, Size: uint64(size), Hash: root[:]}.Marshal()
	signed, err := note.Sign(&note.Note{Text: string(text)}, signer)
	s.must(err)
	return string(signed)
}

func (s *stocking) execute(tx *sql.Tx, statement string, args ...any) {
	_, err := tx.Exec(statement, args...)
	s.must(err)
}

func (s *stocking) listSigner(tx *sql.Tx) {
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(s.key.PublicKey())))
	s.execute(tx, "INSERT INTO docket_signers (position, reviewerId, fingerprint, publicKey, since) VALUES (0, ?, ?, ?, ?)",
		string(s.who.ID), s.who.KeyFingerprint, line, terms.InstantOf(s.at.Add(time.Millisecond)).String())
}

// mostGrowth is how many bytes of live memory a check may take more at its end than at its beginning, for any number of
// records: the batches under way and the hashes of the latest leaves. growthEach is what each record may add.
const (
	mostGrowth = 12 << 20
	growthEach = 192
)

func TestCheckingAStoreTakesFewBytesARecord(t *testing.T) {
	records := recordsOr(2_000)
	log := need(openStock(t, stock(t, records)).Snapshot(t.Context()))(t)
	var first, most, next int64
	need(verify.Check(context.Background(), log, verify.Options{Progress: func(done, total int64) {
		if done < next {
			return
		}
		next += max(1, total/10)
		if first == 0 {
			first = verify.LiveHeap()
		}
		most = max(most, verify.LiveHeap())
	}}))(t)
	t.Logf("%d bytes at the beginning, at most %d over %d records", first, most, records)
	if most-first > mostGrowth+growthEach*int64(records) {
		t.Errorf("%d bytes more than at the beginning", most-first)
	}
}
