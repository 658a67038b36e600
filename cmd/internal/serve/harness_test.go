package serve_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
)

// A harness is a service over a fixture, with a clock that can be set and a log that can be read. It
// holds every answer to the OpenAPI document.
type harness struct {
	*fixture
	*hooks
	service *serve.Service
	book    *answerBook // nil for answers that the document need not allow
	passed  atomic.Int64
	log     lockedLog
	cases   int // that stamp brought
}

// A setting changes the configuration of a service.
type setting func(*serve.Config)

func within(l serve.Limits) setting { return func(c *serve.Config) { c.Limits = l } }

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
	s := &harness{fixture: fix, hooks: &hooks{}, book: bookOf(t)}
	s.restart(t, append([]setting{func(c *serve.Config) { c.Store = hooked{over, s.hooks} }}, with...)...)
	return s
}

// restart makes the service anew, without limits if the settings give none.
func (s *harness) restart(t testing.TB, with ...setting) {
	t.Helper()
	config := serve.Config{Store: hooked{s.store, s.hooks}, Now: s.now, Limits: unlimited,
		Log: slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	for _, change := range with {
		change(&config)
	}
	var err error
	if s.service, err = serve.New(config); err != nil {
		t.Fatal(err)
	}
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
func limited(second int) serve.Limits {
	l := unlimited
	l.TokenRate, l.AddressRate = second, second
	return l
}

// limitedAddress limits only those without a token.
func limitedAddress(second int) serve.Limits {
	l := unlimited
	l.AddressRate = second
	return l
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
