package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"
	"docket/store/verify/verifytest"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A service is what a console's store is bound to: a log of its own and the key of it.
type service struct {
	t      testing.TB
	key    string // of its log
	log    *merkle.Key
	hashes []tlog.Hash
	size   int64
}

// newService is the service that goes with a seed. All have the same origin.
func newService(t testing.TB, seed string) *service {
	t.Helper()
	return newServiceOf(t, seed, "docket/service/0123456789abcdef0123456789abcdef")
}

// newServiceOf is a service whose log has that origin.
func newServiceOf(t testing.TB, seed, origin string) *service {
	t.Helper()
	random := sha256.Sum256([]byte("log " + seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), origin)
	must(t, err)
	key := need(merkle.ParseKey(origin, public))(t)
	must(t, key.Unlock(t.Context(), private+"\n"))
	return &service{t: t, key: public, log: key}
}

// ReadHashes implements tlog.HashReader.
func (s *service) ReadHashes(positions []int64) (hashes []tlog.Hash, err error) {
	for _, position := range positions {
		hashes = append(hashes, s.hashes[position])
	}
	return hashes, nil
}

// accept appends the record and returns what the service answers.
func (s *service) accept(record records.Enforcement) (records.Receipt, []byte) {
	s.t.Helper()
	leaf := tlog.RecordHash(record.Document())
	hashes := need(tlog.StoredHashesForRecordHash(s.size, leaf, s))(s.t)
	s.hashes, s.size = append(s.hashes, hashes...), s.size+1
	root := need(tlog.TreeHash(s.size, s))(s.t)
	signed := need(s.log.Sign(s.size, root))(s.t)
	return records.Receipt{RecordID: record.Members().RecordID, Sequence: s.size - 1, LeafHash: merkle.FromTree(leaf), TreeSize: s.size,
		Root: merkle.FromTree(root)}, signed.Note
}

// proof proves that the record of a receipt is the last one of the receipt's tree.
func (s *service) proof(receipt records.Receipt) (proof []terms.Hash) {
	s.t.Helper()
	path := need(tlog.ProveRecord(receipt.TreeSize, receipt.Sequence, s))(s.t)
	for _, hash := range path {
		proof = append(proof, merkle.FromTree(hash))
	}
	return proof
}

// rejection is the statement that turns the record away.
func (s *service) rejection(record records.Enforcement, inForce records.RecordID) records.Rejection {
	return records.Rejection{Origin: s.log.Origin, RecordID: record.Members().RecordID, LeafHash: merkle.FromTree(tlog.RecordHash(record.Document())),
		Reason: records.PacketStale, InForce: inForce, At: terms.InstantOf(noon.Add(time.Hour))}
}

func (s *service) sign(r records.Rejection) string {
	s.t.Helper()
	signed := need(s.log.SignNote(r.Text()))(s.t)
	return string(signed)
}

// bound is a fixture with cases, case-1 to case-4, whose store is bound to a service.
func bound(t testing.TB) (*fixture, *service) {
	t.Helper()
	d, s := newFixture(t), newService(t, "")
	d.take(d.mill.appealPolicy(1))
	for i := range 4 {
		d.take(d.mill.appealCase(passing(fmt.Sprintf("case-%d", i+1), 1)))
	}
	must(t, d.store.BindService(t.Context(), s.key))
	return d, s
}

// decided records a decision and returns the record.
func (d *fixture) decided(id terms.ID, supersedes records.RecordID) records.Enforcement {
	d.t.Helper()
	receipt := d.record(id, decision{outcome: terms.UpholdDecision, supersedes: supersedes})
	logged := need(d.store.Record(context.Background(), receipt.RecordID))(d.t)
	return logged.Record
}

// accepted hands a record in to a service that takes it.
func (d *fixture) accepted(s *service, record records.Enforcement) {
	d.t.Helper()
	receipt, checkpoint := s.accept(record)
	must(d.t, d.store.KeepAcceptance(context.Background(), record.Members().RecordID, receipt, s.proof(receipt), checkpoint))
}

// rejected hands a record in to a service that turns it away.
func (d *fixture) rejected(s *service, record records.Enforcement, inForce records.RecordID) {
	d.t.Helper()
	signed := s.sign(s.rejection(record, inForce))
	must(d.t, d.store.KeepRejection(context.Background(), record.Members().RecordID, signed, []string{"revision 2 has arrived"}))
}

// served is a filled fixture with a row in every table of the service's answers, too.
func served(t testing.TB) *fixture {
	t.Helper()
	d, s := filled(t), newService(t, "")
	must(t, d.store.BindService(t.Context(), s.key))
	d.shown(s)
	must(t, d.store.SavePull(t.Context(), "7", true))
	entries, err := d.store.NotHandedIn(t.Context(), -1, 2)
	if err != nil || len(entries) != 2 {
		t.Fatal(len(entries), err)
	}
	for i, answer := range []func(*service, records.Enforcement){d.accepted, func(s *service, r records.Enforcement) { d.rejected(s, r, "") }} {
		logged := need(d.store.Record(t.Context(), entries[i].RecordID))(t)
		answer(s, logged.Record)
	}
	d.elsewhere(s, "case-1", decision{})
	must(t, d.store.KeepShown(t.Context(), s.at(s.size)))
	checkpoint := need(d.store.Checkpoint(t.Context()))(t)
	d.cosigned(verifytest.NewWitness(t, "example.org/witness"), checkpoint, noon)
	return d
}
