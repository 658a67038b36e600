package store

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// A fixture is a store with packets in it and a reviewer who can sign.
type fixture struct {
	t        testing.TB
	store    *Store
	mill     *mill
	reviewer records.Reviewer
	key      ssh.Signer
	clock    time.Time // of the reviewer
}

func openAt(t testing.TB, path string, at time.Time) *Store {
	t.Helper()
	return openWith(t, Options{Path: path, Now: func() time.Time { return at }})
}

func openWith(t testing.TB, o Options) *Store {
	t.Helper()
	s := need(Open(t.Context(), onEngine(t, o)))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func newKey(t testing.TB, seed byte) ssh.Signer {
	t.Helper()
	key := need(ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))))(t)
	return key
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	return fixtureAt(t, openAt(t, filepath.Join(t.TempDir(), "docket.db"), noon))
}

func fixtureAt(t testing.TB, s *Store) *fixture {
	t.Helper()
	key, clock := newKey(t, 1), noon
	if s.options.Now != nil {
		clock = s.now()
	}
	return &fixture{t: t, store: s, mill: &mill{t: t}, key: key, clock: clock, reviewer: records.Reviewer{
		ID: reviewerID, Role: terms.NeutralReviewer, KeyFingerprint: ssh.FingerprintSHA256(key.PublicKey())}}
}

// take imports packets and fails unless all of them are new.
func (d *fixture) take(packets ...packets.Packet) {
	d.t.Helper()
	results := need(d.store.Import(context.Background(), packets))(d.t)
	for i, result := range results {
		if result != Imported {
			d.t.Fatalf("packet %d is %v", i, result)
		}
	}
}

func (d *fixture) caseFile(table terms.Table, id terms.ID) queue.CaseFile {
	d.t.Helper()
	caseFile := need(d.store.CaseFile(context.Background(), table, id, 0, terms.InstantOf(d.clock), d.reviewer.ID))(d.t)
	return caseFile
}

// A decision is what a test wants to record.
type decision struct {
	outcome    terms.Outcome
	added      []terms.Blocker
	supersedes records.RecordID
	note       records.Note
	statement  records.Statement
	head       *records.LogHead // nil: as it is
	id         records.RecordID // "": a new one
}

// newRecordID is an id of a moment.
func newRecordID(at time.Time) records.RecordID {
	var random [10]byte
	rand.Read(random[:])
	return records.NewRecordID(terms.InstantOf(at), random)
}

// packetSalt is that of every packetDigest.
const packetSalt packets.Salt = "saltsaltsaltsaltsaltsalt"

// decide makes a signed record about the packet in view.
func (d *fixture) decide(view *views.View, made decision) Submission {
	d.t.Helper()
	if made.id == "" {
		made.id = newRecordID(d.clock)
	}
	head := need(d.store.Head(context.Background()))(d.t)
	if made.head != nil {
		head = *made.head
	}
	choice := records.Choice{Outcome: made.outcome, Factors: terms.SetOf(terms.HumanReviewRequired),
		AddedBlockers: terms.SetOf(made.added...), OpenedAt: view.EvaluatedAt(), Supersedes: made.supersedes,
		SectionsViewed: []views.SectionName{views.SectionGate}, Statement: made.statement, NoteDigest: made.note.Digest()}
	if view.Area() == terms.Amendments {
		choice.Factors = 0
	}
	if !made.statement.Present() && records.StatementRequired(view, &choice) != "" {
		made.statement = records.Statement{Salt: packetSalt, Text: "The notice does not say who was told."}
		choice.Statement = made.statement
	}
	record := need(records.Decide(view, choice, records.Stamp{RecordID: made.id, Reviewer: d.reviewer, LogHead: head,
		RecordedAt: terms.InstantOf(d.clock), PacketSalt: packetSalt}))(d.t)
	return Submission{Record: record, Signature: sign(d.t, d.key, record.Document(), records.SignatureNamespace), Note: made.note,
		PacketSalt: packetSalt, Statement: made.statement}
}

func sign(t testing.TB, key ssh.Signer, document []byte, namespace string) []byte {
	t.Helper()
	signature := need(sshsig.Sign(bytes.NewReader(document), key, sshsig.HashSHA512, namespace))(t)
	return sshsig.Armor(signature)
}

// record decides on the latest revision of a case and appends.
func (d *fixture) record(id terms.ID, made decision) records.Receipt {
	d.t.Helper()
	caseFile := d.caseFile(terms.AppealCases, id)
	receipt := need(d.store.Append(context.Background(), d.decide(&caseFile.View, made)))(d.t)
	return receipt
}

// withCase is a fixture with one case, case-1, that passes.
func withCase(t testing.TB) *fixture {
	t.Helper()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	return d
}
