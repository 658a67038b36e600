package serve_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
)

// A harness is a service over a fixture. It checks every answer against the OpenAPI document.
type harness struct {
	*fixture
	service *serve.Service
	book    *answerBook
	cases   int // that stamp brought
}

// onHarness runs a test on a new harness.
func onHarness(t *testing.T, test func(t *testing.T, s *harness)) {
	t.Helper()
	test(t, newHarness(t, newServiceStore(t)))
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

func newHarness(t testing.TB, backend *serviceStore) *harness {
	t.Helper()
	fix := newFixture(t, backend)
	return &harness{fixture: fix, service: serviceOver(t, backend.store, unlimited), book: bookOf(t)}
}

func serviceOver(t testing.TB, over serve.Store, limits serve.Limits) *serve.Service {
	t.Helper()
	service, err := serve.New(serve.Config{Store: over, Now: Clock, Log: slog.New(slog.DiscardHandler),
		Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return service
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

// read reads a granted answer of that status.
func read[T any](t testing.TB, r reply, status int) (document T) {
	t.Helper()
	if r.status != status {
		t.Fatalf("answered %d, want %d: %s", r.status, status, r.body)
	}
	if err := json.Unmarshal(r.body, &document); err != nil {
		t.Fatal(err)
	}
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
