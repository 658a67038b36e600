package store

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/engine"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

func errOf[T any](_ T, err error) error { return err }

func mustBe(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("the error is %v, not %v", err, kind)
	}
}

// wantErr tells what failed otherwise than with the kind, and these parts of its text.
func wantErr(t testing.TB, what any, err, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%v: the error is %v, not %v", what, err, kind)
	} else if kind != nil {
		wantText(t, what, err.Error(), parts...)
	}
}

// as is the error as one of a kind, which it has to be.
func as[E error](t testing.TB, err error) E {
	t.Helper()
	e, is := errors.AsType[E](err)
	if !is {
		t.Fatalf("the error is %v", err)
	}
	return e
}

func wantText(t testing.TB, what any, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%v: there is no %q in %s", what, part, text)
		}
	}
}

func wantFailure(t testing.TB, what any, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%v: there is no error", what)
	}
}

// wantNot tells what is wrong, in the words of fmt.Sprintf, where something is.
func wantNot(t testing.TB, wrong bool, format string, args ...any) {
	t.Helper()
	if wrong {
		t.Errorf(format, args...)
	}
}

// mustNot is wantNot for what the rest of a test cannot go on with.
func mustNot(t testing.TB, wrong bool, format string, args ...any) {
	t.Helper()
	if wrong {
		t.Fatalf(format, args...)
	}
}

func wantSame[T comparable](t testing.TB, what any, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%v: got %+v, want %+v", what, got, want)
	}
}

func wantList[T comparable](t testing.TB, what any, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%v: got %v, want %v", what, got, want)
	}
}

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

// atOnce does something for each number below count at the same time, and returns their errors.
func atOnce(count int, do func(i int) error) []error {
	errs := make([]error, count)
	var wait sync.WaitGroup
	for i := range errs {
		wait.Go(func() { errs[i] = do(i) })
	}
	wait.Wait()
	return errs
}

// anchoredOptions are those of a store that is not made yet, in a folder of its own.
func anchoredOptions(t testing.TB) Options {
	folder := t.TempDir()
	return Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: filepath.Join(folder, "anchors"),
		Now: func() time.Time { return noon }}
}

func newKey(t testing.TB, seed byte) ssh.Signer {
	t.Helper()
	return need(ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize))))(t)
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

func (d *fixture) take(packets ...packets.Packet) {
	d.t.Helper()
	results := need(d.store.Import(context.Background(), packets))(d.t)
	for i, result := range results {
		mustNot(d.t, result != Imported, "packet %d is %v", i, result)
	}
}

func (d *fixture) takeCases(ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		d.take(d.mill.appealCase(passing(id, 1)))
	}
}

func (d *fixture) caseFile(table terms.Table, id terms.ID) queue.CaseFile {
	d.t.Helper()
	return need(d.store.CaseFile(context.Background(), table, id, 0, terms.InstantOf(d.clock), d.reviewer.ID))(d.t)
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

func newRecordID(at time.Time) records.RecordID {
	var random [10]byte
	rand.Read(random[:])
	return records.NewRecordID(terms.InstantOf(at), random)
}

const packetSalt packets.Salt = "saltsaltsaltsaltsaltsalt"

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

// submission is a signed record on the latest revision of a case.
func (d *fixture) submission(id terms.ID, made decision) Submission {
	d.t.Helper()
	caseFile := d.caseFile(terms.AppealCases, id)
	return d.decide(&caseFile.View, made)
}

func sign(t testing.TB, key ssh.Signer, document []byte, namespace string) []byte {
	t.Helper()
	signature := need(sshsig.Sign(bytes.NewReader(document), key, sshsig.HashSHA512, namespace))(t)
	return sshsig.Armor(signature)
}

func (d *fixture) record(id terms.ID, made decision) records.Receipt {
	d.t.Helper()
	return need(d.store.Append(context.Background(), d.submission(id, made)))(d.t)
}

func withCase(t testing.TB) *fixture {
	t.Helper()
	d := newFixture(t)
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	return d
}

// engineVariable names the engine of the services' stores in a run of the tests: postgres, or SQLite where it is not set.
const engineVariable = "DOCKET_TEST_ENGINE"

// onPostgres reports whether services' stores are on PostgreSQL in this run.
func onPostgres() bool { return os.Getenv(engineVariable) == "postgres" }

// ofFile skips the rest of a test that is about the file of a store, in a run that has the store in a database in its place.
func ofFile(t testing.TB, path string) {
	t.Helper()
	if _, held := databases.Load(path); held || isDatabase(path) {
		t.Skip(aboutFile)
	}
}

// isDatabase reports whether the path is what messages call a database.
func isDatabase(path string) bool { return strings.HasPrefix(path, "postgres://") }

const aboutFile = "it is about the file of a store"

// databases are those that stand in the place of files, by path.
var databases sync.Map

// onEngine returns the options for a service's store on the engine of this run. A path stands for a database, its folder holds the log's key.
func onEngine(t testing.TB, o Options) Options {
	t.Helper()
	if o.Database == nil && (isDatabase(o.Path) || onPostgres() && o.Service && o.connector != nil) {
		t.Skip(aboutFile)
	}
	if !onPostgres() || !o.Service || o.Database != nil {
		return o
	}
	held, there := databases.Load(o.Path)
	if !there {
		held = postgrestest.New(t)
		databases.Store(o.Path, held)
		t.Cleanup(func() { databases.Delete(o.Path) })
	}
	db := need(postgres.New(postgres.Options{DSN: held.(*postgrestest.Database).DSN(postgrestest.Superuser), ReadOnly: o.ReadOnly, Busy: o.BusyTimeout}))(t)
	o.KeyFolder, o.Path, o.Database = filepath.Dir(o.Path), db.Name(), db
	return o
}

// noon is the moment at which these tests happen unless they say otherwise.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	reviewerID = terms.ID("rev-neutral")
	deciderID  = terms.ID("rev-original")
)

// members are those of a record, as a producer writes them.
type members = verifytest.Record

// A mill makes packets as they come out of a file: sealed, read and redacted. A policy has to be made before what
// names it.
type mill struct {
	t      testing.TB
	sealer packets.Sealer
	reader packets.Reader
}

func (m *mill) packet(table terms.Table, record members, private ...members) packets.Packet {
	m.t.Helper()
	sealed, fault := m.sealer.Seal(text(m.t, members{"table": table, "record": record}))
	if fault != nil {
		m.t.Fatalf("seal: %v", fault)
	}
	if len(private) > 0 {
		envelope := map[string]json.RawMessage{}
		must(m.t, json.Unmarshal(sealed, &envelope))
		sealed = text(m.t, members{"table": envelope["table"], "record": envelope["record"], "private": private[0]})
	}
	unredacted, fault := m.reader.Read(sealed)
	if fault != nil {
		m.t.Fatalf("read: %v", fault)
	}
	return unredacted.Redact()
}

func text(t testing.TB, value any) []byte {
	t.Helper()
	return need(json.Marshal(value))(t)
}

func (m *mill) appealPolicy(version int64) packets.Packet {
	rules := members{}
	for _, trigger := range terms.Triggers.Texts() {
		rules[trigger] = members{"advisory": "uphold_decision", "compatible": []string{"uphold_decision", "request_evidence", "block_reliance"}}
	}
	return m.packet(terms.AppealPolicies, verifytest.AppealPolicy("pol-appeal", int(version)).With(members{
		"effectiveFrom": "2026-01-02T00:00:00Z", "outcomeRules": rules}))
}

// passing is a case that every rule lets pass at noon.
func passing(id string, revision int64) members {
	return verifytest.AppealCase(id, int(revision)).With(members{
		"policyId": "pol-appeal", "subject": terms.Subjects.Texts()[0], "subjectId": "item-7", "trigger": "material_factual_error",
		"notice":  members{"state": "delivered", "deliveredAt": "2026-02-01T00:00:00Z"},
		"filedAt": "2026-02-01T00:00:00Z", "deadline": "2026-04-01T00:00:00Z", "requestedOutcome": nil,
		"evidenceScope":     members{"items": []string{"ev-1", "ev-2"}, "statement": "Two meter readings."},
		"originalDeciderId": string(deciderID), "partyIds": []string{"party-own"}, "neutralReview": review(reviewerID, "rev-recused"),
	})
}

func (m *mill) appealCase(record members) packets.Packet { return m.packet(terms.AppealCases, record) }

func (m *mill) amendmentPolicy(version int64) packets.Packet {
	return m.packet(terms.AmendmentPolicies, verifytest.AmendmentPolicy("pol-amend", int(version)).With(members{
		"transitions": terms.Transitions.Texts()}))
}

// applied is an amendment that every rule lets pass at noon.
func applied(id string, revision int64) members {
	return verifytest.Amendment(id, int(revision)).With(members{"ownerId": "owner-1", "agreementId": "agr-1", "policyId": "pol-amend",
		"requiredParties": []string{}, "confirmations": []any{}, "originalDeciderId": string(deciderID), "neutralReview": review(reviewerID),
		"notice":            members{"state": "delivered", "deliveredAt": "2026-02-01T00:00:00Z"},
		"destinationReview": members{"completed": true}})
}

func (m *mill) amendment(record members) packets.Packet {
	return m.packet(terms.AmendmentRecords, record)
}

func signatureOf(s *Store, id records.RecordID) ([]byte, error) {
	return ask(context.Background(), s, "read the signature", func(ctx context.Context, tx engine.Tx) ([]byte, error) {
		return tx.Records().Signature(ctx, id)
	})
}

func noteOf(s *Store, id records.RecordID) (records.Note, error) {
	return ask(context.Background(), s, "read the note", func(ctx context.Context, tx engine.Tx) (records.Note, error) {
		return tx.Records().Note(ctx, id)
	})
}

// recordsIn is how many records the log has.
func recordsIn(t testing.TB, s *Store) int64 {
	t.Helper()
	return need(s.RecordPage(t.Context(), 0, 1))(t).Total
}
