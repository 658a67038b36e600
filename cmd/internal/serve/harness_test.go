package serve_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// A harness is a service over a fixture, with a clock that can be set and a log that can be read.
// It holds every answer to the OpenAPI document.
type harness struct {
	*fixture
	*hooks
	service *serve.Service
	book    *answerBook // nil for answers that the document need not allow
	passed  atomic.Int64
	log     lockedLog
	cases   int // that stamp and decisions brought
}

// A setting changes the configuration of a service.
type setting func(*serve.Config)

// within changes the limits of a service, which are else unlimited.
func within(change func(*serve.Limits)) setting {
	return func(c *serve.Config) { change(&c.Limits) }
}

// serving is a service of a test that runs beside others.
func serving(t *testing.T, with ...setting) *harness {
	t.Helper()
	t.Parallel()
	return newHarness(t, newServiceStore(t), with...)
}

func newHarness(t testing.TB, backend *serviceStore, with ...setting) *harness {
	t.Helper()
	return newFixture(t, backend).serving(t, backend.store, with...)
}

// serving is a service over the store, or over another process's of the same database.
func (fix *fixture) serving(t testing.TB, over *store.Store, with ...setting) *harness {
	t.Helper()
	book, err := theBook()
	must(t, err)
	s := &harness{fixture: fix, hooks: &hooks{}, book: book}
	s.restart(t, append([]setting{func(c *serve.Config) { c.Store = hooked{over, s.hooks} }},
		with...)...)
	return s
}

// restart makes the service again, without limits if the settings give none.
func (s *harness) restart(t testing.TB, with ...setting) {
	t.Helper()
	config := serve.Config{Store: hooked{s.store, s.hooks}, Now: s.now, Limits: unlimited,
		Log: slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, change := range with {
		change(&config)
	}
	var err error
	s.service, err = serve.New(config)
	must(t, err)
}

func (s *harness) now() time.Time { return Noon.Add(time.Duration(s.passed.Load())) }

// pass lets time pass.
func (s *harness) pass(d time.Duration) { s.passed.Add(int64(d)) }

// A lockedLog is a log that several goroutines write.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// take returns the log and empties it.
func (l *lockedLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// unlimited lets everything through.
var unlimited = func() serve.Limits {
	l := serve.DefaultLimits()
	l.TokenRate, l.AddressRate, l.PerCaller = 1e6, 1e6, 1e6
	return l
}()

// limited lets an address without a token, and a token, send so many requests a second, and twice as many at once.
func limited(second int) setting {
	return within(func(l *serve.Limits) { l.TokenRate, l.AddressRate = second, second })
}

// limitedAddress limits only those without a token.
func limitedAddress(second int) setting {
	return within(func(l *serve.Limits) { l.AddressRate = second })
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A reply is what the service answered with.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// problem is the reply's problem document.
func (r reply) problem(t testing.TB) *api.Problem {
	t.Helper()
	problem, err := readProblem(r.body)
	if err != nil || problem.Type == "" {
		t.Fatalf("%d is no problem document: %s", r.status, r.body)
	}
	return problem
}

// readProblem reads a problem document. Of a record that it holds only whether there is one is read.
func readProblem(body []byte) (*api.Problem, error) {
	read := struct {
		*api.Problem
		Record json.RawMessage `json:"record"`
	}{Problem: &api.Problem{}}
	err := json.Unmarshal(body, &read)
	if read.Record != nil {
		read.Problem.Record = &api.Record{Record: read.Record}
	}
	return read.Problem, err
}

// is fails the test unless the reply is a problem of the kind, and returns it.
func (r reply) is(t testing.TB, want api.ProblemKind) *api.Problem {
	t.Helper()
	problem := r.problem(t)
	if problem.Kind() != want || r.status != want.Status() {
		t.Fatalf("answered %d %s, want %s: %s", r.status, problem.Kind().Word(), want.Word(), r.body)
	}
	return problem
}

// want fails the test unless the reply has the status.
func (r reply) want(t testing.TB, status int, what string) reply {
	t.Helper()
	if r.status != status {
		t.Errorf("%s: answered %d, want %d: %s", what, r.status, status, r.body)
	}
	return r
}

// read reads a granted answer of that status.
func read[T any](t testing.TB, r reply, status int) (document T) {
	t.Helper()
	if r.status != status {
		t.Fatalf("answered %d, want %d: %s", r.status, status, r.body)
	}
	must(t, json.Unmarshal(r.body, &document))
	return document
}

// post sends a JSON body as one of the people.
func (s *harness) post(t testing.TB, path string, who person, body []byte) reply {
	t.Helper()
	return s.send(t, s.request(http.MethodPost, path, who, body))
}

// get asks as one of the people.
func (s *harness) get(t testing.TB, path string, who person) reply {
	t.Helper()
	return s.send(t, s.request(http.MethodGet, path, who, nil))
}

// unlike asks as one of the people for what has another tag.
func (s *harness) unlike(t testing.TB, path, tag string, who person) reply {
	t.Helper()
	r := s.request(http.MethodGet, path, who, nil)
	r.Header.Set("If-None-Match", tag)
	return s.send(t, r)
}

func (s *harness) request(method, path string, who person, body []byte) *http.Request {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+TokenOf(who))
	if body != nil {
		r.Header.Set("Content-Type", api.JSON)
	}
	return r
}

const (
	elsewhere = "192.0.2.7:40000"
	here      = "127.0.0.1:40000"
)

// bare is a request without a token from an address; header has names and values by turns.
func bare(method, path, from string, header ...string) *http.Request {
	r := httptest.NewRequest(method, path, nil)
	r.RemoteAddr = from
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

// ask sends a bare request.
func (s *harness) ask(t testing.TB, method, path, from string, header ...string) reply {
	t.Helper()
	return s.send(t, bare(method, path, from, header...))
}

// send asks the service, and holds its answer to the OpenAPI document.
func (s *harness) send(t testing.TB, r *http.Request) reply {
	t.Helper()
	recorder := httptest.NewRecorder()
	s.service.ServeHTTP(recorder, r)
	answered := reply{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
	if s.book != nil {
		s.book.check(t, r, answered)
	}
	return answered
}

// enforcePath is the enforce route of the record's area.
func enforcePath(record records.Enforcement) string {
	if record.Members().Area == terms.Amendments {
		return api.AmendmentEnforcePath
	}
	return api.AppealEnforcePath
}

// handIn hands a record in as its reviewer.
func (s *harness) handIn(t testing.TB, record records.Enforcement, who person) reply {
	t.Helper()
	return s.post(t, enforcePath(record), who, s.Body(t, record))
}

// canary stands where a value could leak.
const canary = "CANARY"

func silent(t testing.TB, r reply) {
	t.Helper()
	if strings.Contains(string(r.body), canary) {
		t.Errorf("the answer repeats the request: %s", r.body)
	}
}

// Noon is when a service of the tests judges: after all records of a fixture, before any deadline.
var Noon = time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC)

// Clock tells Noon.
func Clock() time.Time { return Noon }

// The owners of amendments. The samples are of the first.
const (
	Owner      = "owner-2"
	OtherOwner = "owner-9"
)

// A person is one of the people of a fixture.
type person struct {
	ID     terms.ID
	Role   terms.Role
	Owners []terms.ID
	Token  string // names the token
}

// The people of a fixture, by what they are to the samples.
var (
	Reviewer  = person{ID: verifytest.Assigned, Role: terms.NeutralReviewer, Owners: []terms.ID{Owner}, Token: "reviewer"}
	Admin     = person{ID: "admin-1", Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "admin"}
	Stranger  = person{ID: "reviewer-8", Role: terms.NeutralReviewer, Owners: []terms.ID{OtherOwner}, Token: "stranger"}
	Recused   = person{ID: verifytest.Recused, Role: terms.SafetyAdmin, Owners: []terms.ID{Owner}, Token: "recused"}
	Ownerless = person{ID: verifytest.Assigned, Role: terms.NeutralReviewer, Token: "ownerless"}
)

// A fixture is a service's store with people, packets, and the records that the people make of them.
type fixture struct {
	*serviceStore
	Log *verifytest.Log

	Case      verify.Ref // passes, assigned to Reviewer
	Amendment verify.Ref // passes, assigned to Reviewer, of Owner

	sealer packets.Sealer
}

// newFixture fills a store: two policies, a case, an amendment, a token for each of the people and keys for all.
func newFixture(t testing.TB, backend *serviceStore) *fixture {
	t.Helper()
	fix := &fixture{serviceStore: backend, Log: verifytest.New(t)}
	fix.Bring(t, terms.AppealPolicies, verifytest.AppealPolicy("appeal-policy", 1))
	fix.Bring(t, terms.AmendmentPolicies, verifytest.AmendmentPolicy("amendment-policy", 1))
	fix.Case = fix.Bring(t, terms.AppealCases, verifytest.AppealCase("case-1", 1))
	fix.Amendment = fix.Bring(t, terms.AmendmentRecords, verifytest.Amendment("amendment-1", 1))
	for _, who := range []person{Reviewer, Admin, Stranger, Recused, Ownerless} {
		backend.Token(t, TokenOf(who), who)
	}
	for _, who := range []person{Reviewer, Admin, Stranger, Recused} {
		backend.Key(t, who.ID, verifytest.Key(string(who.ID)).PublicKey())
	}
	return fix
}

// TokenOf is the token of one of the people.
func TokenOf(who person) string {
	sum := sha256.Sum256([]byte(who.Token))
	return "docket_" + hex.EncodeToString(sum[:])
}

// Bring seals a record and takes its packet in.
func (fix *fixture) Bring(t testing.TB, table terms.Table, record verifytest.Record) verify.Ref {
	t.Helper()
	text, err := json.Marshal(map[string]any{"table": table, "record": record})
	must(t, err)
	sealed, fault := fix.sealer.Seal(text)
	if fault != nil {
		t.Fatal(fault)
	}
	fix.Hold(t, sealed)
	return fix.Log.HoldSealed(sealed)
}

// Decide makes a record on a packet as its reviewer sees it now; change, if there is one, changes the choice before.
func (fix *fixture) Decide(on verify.Ref, who person, change func(*records.Choice)) records.Enforcement {
	return fix.Log.Decide(on, verifytest.Person(who.ID, who.Role), change)
}

// Block adds a blocker of the reviewer's own to a choice, which is what anybody but the assigned reviewer must do.
func Block(c *records.Choice) { c.AddedBlockers = terms.SetOf(terms.NeutralReviewMissing) }

// Supersede names the record that a choice takes the place of.
func Supersede(id records.RecordID) func(*records.Choice) {
	return func(c *records.Choice) { c.Supersedes = id }
}

// Body is the body of an enforce request: the record with its reviewer's signature.
func (fix *fixture) Body(t testing.TB, record records.Enforcement) []byte {
	t.Helper()
	return fix.Signed(t, record.Document(), verifytest.Key(string(record.Members().Reviewer.ID)))
}

// Signed is the body of an enforce request with that document and a signature of it by the key.
func (fix *fixture) Signed(t testing.TB, document []byte, key ssh.Signer) []byte {
	t.Helper()
	return bodyOf(t, document, fix.Log.Armored(document, key, records.SignatureNamespace))
}

func bodyOf(t testing.TB, document, signature []byte) []byte {
	t.Helper()
	body := api.Enforce{Record: document, Signature: string(signature), PacketSalt: verifytest.Salt}
	if reasons := verifytest.ReasonsOf(document); reasons.Present() {
		body.Statement = &reasons
	}
	text, err := json.Marshal(body)
	must(t, err)
	return text
}
