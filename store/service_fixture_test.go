package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/merkle"
	"docket/store/verify/verifytest"
)

func serviceFixture(t testing.TB) *fixture {
	t.Helper()
	o := anchoredOptions(t)
	o.Service = true
	return fixtureAt(t, openWith(t, o))
}

func (d *fixture) nameOperator() {
	d.t.Helper()
	due := need(d.store.OperatorToName(d.t.Context()))(d.t)
	must(d.t, d.store.NameOperator(d.t.Context(), d.stated(due, nil)))
}

func serviceWithCase(t testing.TB) *fixture {
	t.Helper()
	d := serviceFixture(t)
	d.register()
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	return d
}

func (d *fixture) register() {
	d.t.Helper()
	need(d.store.AddKey(d.t.Context(), d.reviewer.ID, signed.AuthorizedKey(d.key.PublicKey())))(d.t)
	d.grant(d.reviewer)
}

// grant returns the id of a token of the reviewer, which it makes where there is none. A store that is no service's has none.
func (d *fixture) grant(reviewer records.Reviewer) string {
	d.t.Helper()
	t := Token{ID: fmt.Sprintf("tok-%s-%s", reviewer.ID, reviewer.Role), Principal: reviewer.ID, Role: reviewer.Role,
		Created: terms.InstantOf(noon.AddDate(-1, 0, 0)), Expires: terms.InstantOf(noon.AddDate(100, 0, 0))}
	t.Digest = sha256.Sum256([]byte(t.ID))
	if _, err := d.store.TokenOf(context.Background(), t.Digest); errors.Is(err, ErrNotFound) {
		err = d.store.AddToken(context.Background(), t)
		if err != nil && !errors.Is(err, ErrKind) && !errors.Is(err, ErrReadOnly) && !errors.Is(err, ErrTaken) {
			d.t.Error(err)
		}
	}
	return t.ID
}

// submit hands a record in with a token of its reviewer.
func (d *fixture) submit(sub Submission) (Acceptance, error) {
	if m := sub.Record.Members(); m.Reviewer.Known() {
		sub.Token = d.grant(m.Reviewer)
	}
	return d.store.HandIn(context.Background(), sub)
}

// consoleHead is the head of a log that the service knows nothing of.
var consoleHead = records.LogHead{Origin: "docket/0123456789abcdef", Size: 41, Root: terms.HashOf([]byte("a console's log"))}

// judged makes a record on the latest revision of a case, as a console would.
func (d *fixture) judged(id terms.ID, made decision) Submission {
	d.t.Helper()
	if made.head == nil {
		made.head = &consoleHead
	}
	if made.outcome == 0 {
		made.outcome = terms.UpholdDecision
	}
	return d.submission(id, made)
}

func (d *fixture) handIn(sub Submission) Acceptance {
	d.t.Helper()
	sub.Note = records.Note{}
	return need(d.submit(sub))(d.t)
}

// refusing hands a record in and fails unless it is refused, and nothing is written.
func (d *fixture) refusing(sub Submission) error {
	d.t.Helper()
	before := need(d.store.Head(context.Background()))(d.t)
	taken, err := d.submit(sub)
	mustNot(d.t, err == nil || taken.Receipt != (records.Receipt{}) || taken.Checkpoint != nil || taken.Again,
		"it is taken: %+v, %v", taken.Receipt, err)
	wantSame(d.t, "the log", need(d.store.Head(context.Background()))(d.t), before)
	return err
}

// alteredIfReadable is a record of which members say something else, signed by the reviewer all the same; nil takes one
// out. It may be that nothing can be read as such a record.
func (d *fixture) alteredIfReadable(sub Submission, changes members) (Submission, bool) {
	d.t.Helper()
	var m members
	must(d.t, json.Unmarshal(sub.Record.Document(), &m))
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	must(d.t, encoder.Encode(m.With(changes)))
	document := bytes.TrimSpace(written.Bytes())
	record, err := records.ReadEnforcement(&packets.Reader{}, sub.Record.Members().Area, document)
	if err != nil {
		return Submission{}, false
	}
	return Submission{Record: record, Signature: sign(d.t, d.key, document, records.SignatureNamespace), PacketSalt: packetSalt,
		Statement: sub.Statement}, true
}

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

func newServiceOf(t testing.TB, seed, origin string) *service {
	t.Helper()
	random := sha256.Sum256([]byte("log " + seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), origin)
	must(t, err)
	key := need(merkle.ParseKey(origin, public))(t)
	must(t, key.Unlock(t.Context(), private+"\n"))
	return &service{t: t, key: public, log: key}
}

func (s *service) ReadHashes(positions []int64) (hashes []tlog.Hash, err error) {
	for _, position := range positions {
		hashes = append(hashes, s.hashes[position])
	}
	return hashes, nil
}

func (s *service) accept(record records.Enforcement) (records.Receipt, []byte) {
	s.t.Helper()
	at := records.LogTime(terms.InstantOf(noon))
	s.grow(string(records.LeafData(records.RecordEntry, at, record.Document())))
	root := signed.FromTree(need(tlog.TreeHash(s.size, s))(s.t))
	return records.Receipt{RecordID: record.Members().RecordID, Sequence: s.size - 1, Root: root, TreeSize: s.size,
		At: at, LeafHash: signed.FromTree(signed.LeafHash(records.RecordEntry, at, record.Document()))}, []byte(s.at(s.size))
}

func (s *service) proof(receipt records.Receipt) []terms.Hash {
	s.t.Helper()
	return hashesIn(need(tlog.ProveRecord(receipt.TreeSize, receipt.Sequence, s))(s.t))
}

func (s *service) rejection(record records.Enforcement, inForce records.RecordID) records.Rejection {
	return records.Rejection{Origin: s.log.Origin, RecordID: record.Members().RecordID, Digest: terms.HashOf(record.Document()),
		Reason: records.PacketStale, InForce: inForce, At: terms.InstantOf(noon.Add(time.Hour))}
}

func (s *service) sign(r records.Rejection) string {
	s.t.Helper()
	return string(need(s.log.SignNote(r.Text()))(s.t))
}

// bind has the reviewer name the service with the key.
func (d *fixture) bind(key string) error {
	d.t.Helper()
	due, err := d.store.ServiceToName(d.t.Context(), key)
	if err != nil || !due.Kind.Present() {
		return err
	}
	return d.store.BindService(d.t.Context(), d.stated(due, func(s *records.LogStatement) { s.At = terms.InstantOf(d.store.now()) }))
}

// bound is a fixture with cases, case-1 to case-4, whose store is bound to a service.
func bound(t testing.TB) (*fixture, *service) {
	t.Helper()
	d, s := newFixture(t), newService(t, "")
	d.take(d.mill.appealPolicy(1))
	d.takeCases("case-1", "case-2", "case-3", "case-4")
	must(t, d.bind(s.key))
	return d, s
}

func (d *fixture) decided(id terms.ID, supersedes records.RecordID) records.Enforcement {
	d.t.Helper()
	receipt := d.record(id, decision{outcome: terms.UpholdDecision, supersedes: supersedes})
	return need(d.store.Record(context.Background(), receipt.RecordID))(d.t).Record
}

func (d *fixture) accepted(s *service, record records.Enforcement) {
	d.t.Helper()
	receipt, checkpoint := s.accept(record)
	must(d.t, d.store.KeepAcceptance(context.Background(), record.Members().RecordID, receipt, s.proof(receipt), checkpoint))
}

func (d *fixture) rejected(s *service, record records.Enforcement, inForce records.RecordID) {
	d.t.Helper()
	signed := s.sign(s.rejection(record, inForce))
	must(d.t, d.store.KeepRejection(context.Background(), record.Members().RecordID, signed, []string{"revision 2 has arrived"}))
}

// answered is a service that was restored, took the first record of the store in and turned the second away.
func (d *fixture) answered() *service {
	d.t.Helper()
	s := newService(d.t, "")
	must(d.t, d.bind(s.key))
	d.shown(s)
	entries := need(d.store.NotHandedIn(d.t.Context(), -1, 2))(d.t)
	d.accepted(s, need(d.store.Record(d.t.Context(), entries[0].RecordID))(d.t).Record)
	d.rejected(s, need(d.store.Record(d.t.Context(), entries[1].RecordID))(d.t).Record, "")
	return s
}

// served is a filled fixture with a row in every table of the service's answers, too.
func served(t testing.TB) *fixture {
	t.Helper()
	d := filled(t)
	s := d.answered()
	must(t, d.store.SavePull(t.Context(), "7", true))
	d.elsewhere(s, "case-1", decision{})
	must(t, d.store.KeepShown(t.Context(), s.at(s.size)))
	checkpoint := need(d.store.Checkpoint(t.Context()))(t)
	d.cosigned(verifytest.NewWitness(t, "example.org/witness"), checkpoint, noon)
	return d
}

// fillService puts a row into each of them, and a record into the log.
func fillService(t testing.TB, d *fixture) {
	t.Helper()
	other := newKey(t, 77).PublicKey()
	_, err := d.store.AddKey(t.Context(), reviewerID, signed.AuthorizedKey(other))
	if err = errors.Join(err, d.store.AddToken(t.Context(), aToken("tok-1", 1)), d.store.RevokeToken(t.Context(), "tok-1"),
		d.store.RevokeKey(t.Context(), reviewerID, ssh.FingerprintSHA256(other))); err != nil {
		t.Fatal(err)
	}
	markMoved(t, d.store)
	d.handIn(d.judged("case-1", decision{statement: records.Statement{Salt: packetSalt, Text: "The notice came late."}}))
	d.take(givenAway(d)...)
}

// markMoved marks a store as one whose log before this one was moved to a database.
func markMoved(t testing.TB, s *Store) {
	t.Helper()
	must(t, s.writing(t.Context(), "mark the store as moved", func(ctx context.Context, tx engine.Tx) error {
		return tx.Service().AddMove(ctx, "docket/service/before", terms.InstantOf(noon))
	}))
}

// givenAway are revisions that give case-1 to another reviewer, and an amendment to another owner.
func givenAway(d *fixture) []packets.Packet {
	return []packets.Packet{d.mill.appealCase(passing("case-1", 2).With(members{"neutralReview": review("rev-other")})), d.mill.amendmentPolicy(1),
		d.mill.amendment(applied("amd-given", 1)), d.mill.amendment(applied("amd-given", 2).With(members{"ownerId": "owner-other"}))}
}
