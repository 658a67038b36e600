package serve_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/terms"
	"docket/store"
	"docket/store/agent/agenttest"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// A process is a service over one database of several, with the health of its own store.
type process struct {
	*harness
	service *serve.Service
	store   *store.Store
	passed  *atomic.Int64 // since noon, in nanoseconds
}

func (s *harness) process(t testing.TB, over *store.Store) process {
	t.Helper()
	p := process{s, nil, over, new(atomic.Int64)}
	now := func() time.Time { return Noon.Add(time.Duration(p.passed.Load())) }
	service, err := serve.New(serve.Config{Store: over, Now: now, Log: slog.New(slog.DiscardHandler), Limits: unlimited})
	if err != nil {
		t.Fatal(err)
	}
	p.service = service
	return p
}

// get answers a request to read, a second after the last: readiness is found out again.
func (p process) get(path string) reply {
	p.passed.Add(int64(time.Second))
	return p.answer(p.request(http.MethodGet, path, Reviewer, nil))
}

func (p process) answer(r *http.Request) reply {
	recorder := httptest.NewRecorder()
	p.service.ServeHTTP(recorder, r)
	return reply{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
}

// judge decides a new case and hands the record in to the process.
func (p process) judge(t testing.TB, id string) reply {
	t.Helper()
	record := p.Decide(p.Bring(t, terms.AppealCases, verifytest.AppealCase(id, 1)), Reviewer, nil)
	return p.answer(p.request(http.MethodPost, enforcePath(record), Reviewer, p.Body(t, record)))
}

// reads holds the process to reading, and to being ready or not.
func (p process) reads(t testing.TB, ready bool) {
	t.Helper()
	for _, path := range []string{api.QueuePath, "/checkpoint", "/healthz"} {
		if r := p.get(path); r.status != http.StatusOK {
			t.Errorf("%s is answered with %d: %s", path, r.status, r.body)
		}
	}
	if r := p.get(api.ReadyPath); (r.status == http.StatusOK) != ready || !ready && r.status != http.StatusServiceUnavailable {
		t.Errorf("ready is answered with %d: %s", r.status, r.body)
	}
}

// refusesToSign holds the process to refusing a record because it cannot sign.
func (p process) refusesToSign(t testing.TB, id string) {
	t.Helper()
	if problem := p.judge(t, id).is(t, api.Unavailable); !strings.Contains(problem.Detail, "cannot sign the log, so it only reads") {
		t.Errorf("the detail is %q", problem.Detail)
	}
}

func TestAProcessWithoutTheLogsKeyReadsAndOneWithItTakesTheRecords(t *testing.T) {
	t.Parallel()
	w := newDatabaseStore(t, postgrestest.New(t))
	s := newHarness(t, w)
	signing := s.process(t, w.store)
	folder := w.elsewhere(t)
	keys, err := filepath.Glob(filepath.Join(folder, "docket-*.key"))
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	if err := os.Rename(keys[0], keys[0]+".away"); err != nil {
		t.Fatal(err)
	}
	reading := s.process(t, openDatabase(t, w.database.DSN(postgrestest.Writer), folder))
	signing.reads(t, true)
	reading.reads(t, false)
	reading.refusesToSign(t, "case-unsigned")
	if r := signing.judge(t, "case-signed"); r.status != http.StatusCreated {
		t.Errorf("with the key: %d %s", r.status, r.body)
	}
	if one, two := signing.get("/checkpoint"), reading.get("/checkpoint"); string(one.body) != string(two.body) || !strings.Contains(string(two.body), "\n1\n") {
		t.Errorf("the checkpoints are %s and %s", one.body, two.body)
	}
	if log := wholeLog(t, reading.store); len(log) != 1 {
		t.Errorf("%d records are in the log", len(log))
	}

	if err := os.Rename(keys[0]+".away", keys[0]); err != nil {
		t.Fatal(err)
	}
	if r := reading.judge(t, "case-with-key"); r.status != http.StatusCreated {
		t.Errorf("with the key back: %d %s", r.status, r.body)
	}
	reading.passed.Add(int64(time.Minute)) // a failed append counts that long
	reading.reads(t, true)
}

func TestProcessesSignOneLogWithAKeyOfTheAgent(t *testing.T) {
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	w := &serviceStore{path: filepath.Join(t.TempDir(), "service.db"), database: postgrestest.New(t)}
	login, err := postgres.New(postgres.Options{DSN: w.database.DSN(postgrestest.Superuser)})
	if err == nil {
		_, _, err = login.Migrate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(w.path)
	db, err := postgres.New(postgres.Options{DSN: w.database.DSN(postgrestest.Writer), Busy: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.store = openStore(t, store.Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, Now: Clock,
		AnchorFolder: filepath.Join(folder, "anchors"), LogAgent: fingerprint})
	s := newHarness(t, w)
	both := []process{s.process(t, w.store), s.process(t, w.another(t))}
	for i := range 4 {
		if r := both[i%2].judge(t, fmt.Sprintf("case-agent-%d", i)); r.status != http.StatusCreated {
			t.Fatalf("record %d: %d %s", i, r.status, r.body)
		}
	}
	if text, err := os.ReadFile(w.store.KeyFile()); err != nil || string(text) != "ssh-agent "+fingerprint+"\n" {
		t.Errorf("the key file has %q, %v", text, err)
	}
	if held := strings.Join(w.Dump(t)["docket_meta"], "\n"); strings.Contains(strings.ToLower(held), "private") {
		t.Errorf("the database holds %s", held)
	}
	unsigned := s.Decide(s.Bring(t, terms.AppealCases, verifytest.AppealCase("case-locked", 1)), Reviewer, nil)
	if err := keys.Lock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	for _, p := range both { // before any record fails
		p.reads(t, false)
	}
	for _, p := range both {
		refused := p.answer(s.request(http.MethodPost, enforcePath(unsigned), Reviewer, s.Body(t, unsigned)))
		if problem := refused.is(t, api.Unavailable); !strings.Contains(problem.Detail, "cannot sign the log") {
			t.Errorf("the detail is %q", problem.Detail)
		}
		p.reads(t, false)
	}
	if err := keys.Unlock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	for i, due := range []int{http.StatusCreated, http.StatusOK} { // it is there once
		if r := both[i].answer(s.request(http.MethodPost, enforcePath(unsigned), Reviewer, s.Body(t, unsigned))); r.status != due {
			t.Errorf("unlocked: %d %s", r.status, r.body)
		}
		both[i].reads(t, true)
	}
	if err := keys.Lock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	both[0].reads(t, false)
	if err := keys.Unlock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	both[0].reads(t, true) // no append has failed
	if one, two := wholeLog(t, both[0].store), wholeLog(t, both[1].store); len(one) != 5 || len(two) != 5 {
		t.Errorf("%d and %d records are in the log", len(one), len(two))
	}
}

// A commit that waits for a replica holds the lock of the log. No process takes a record meanwhile, and none says that it would.
func TestNoProcessIsReadyWhileACommitWaitsForAReplicaThatIsGone(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	w := newDatabaseStore(t, server.New(t))
	s := newHarness(t, w)
	waits, other := s.process(t, w.store), s.process(t, w.another(t))
	record := s.Decide(s.Case, Reviewer, nil)
	body := s.Body(t, record)
	waits.reads(t, true)
	server.Configure(t, "synchronous_standby_names=replica")
	answered := make(chan reply, 1)
	go func() { answered <- waits.answer(s.request(http.MethodPost, enforcePath(record), Reviewer, body)) }()
	released := false
	release := func() {
		if !released {
			released = true
			server.Configure(t, "synchronous_standby_names=")
		}
	}
	defer release()
	server.Await(t, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", "1")
	waits.reads(t, false)
	other.reads(t, false)
	waits.reads(t, false) // for as long as it waits
	select {
	case r := <-answered:
		t.Fatalf("the record is answered with %d: %s", r.status, r.body)
	default:
	}
	release()
	if r := <-answered; r.status != http.StatusCreated {
		t.Errorf("the record is answered with %d: %s", r.status, r.body)
	}
	waits.reads(t, true)
	other.reads(t, true)
}
