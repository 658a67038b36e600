package serve_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/store"
	"docket/store/agent/agenttest"
	"docket/store/postgres"
	"docket/store/postgres/postgrestest"
)

// reading holds a process to reading, and to being ready or not, a second after it was last asked.
func (s *harness) reading(t testing.TB, ready bool) {
	t.Helper()
	for _, path := range []string{api.QueuePath, "/checkpoint", "/healthz"} {
		s.pass(time.Second)
		s.get(t, path, Reviewer).want(t, http.StatusOK, path)
	}
	s.pass(time.Second)
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	s.get(t, api.ReadyPath, Reviewer).want(t, status, "readiness")
}

// cannotSign holds a process to refusing a record because it cannot sign.
func (s *harness) cannotSign(t testing.TB, record records.Enforcement) {
	t.Helper()
	problem := s.handIn(t, record, Reviewer).is(t, api.Unavailable)
	if !strings.Contains(problem.Detail, "cannot sign the log, so it only reads") {
		t.Errorf("the detail is %q", problem.Detail)
	}
}

func TestAProcessWithoutTheLogsKeyReadsAndOneWithItTakesTheRecords(t *testing.T) {
	t.Parallel()
	s := newHarness(t, newDatabaseStore(t, postgrestest.New(t)))
	folder := s.elsewhere(t)
	keys, err := filepath.Glob(filepath.Join(folder, "docket-*.key"))
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	must(t, os.Rename(keys[0], keys[0]+".away"))
	over := openDatabase(t, s.database.DSN(postgrestest.Writer), folder)
	reader, made := s.serving(t, over), s.decisions(t, 3)
	s.reading(t, true)
	reader.reading(t, false)
	reader.cannotSign(t, made[0])
	s.takes(t, made[1], Reviewer)
	one, two := s.get(t, "/checkpoint", person{}), reader.get(t, "/checkpoint", person{})
	if string(one.body) != string(two.body) || !strings.Contains(string(two.body), "\n1\n") {
		t.Errorf("the checkpoints are %s and %s", one.body, two.body)
	}
	keeps(t, over, idsOf(made[1:2]))

	must(t, os.Rename(keys[0]+".away", keys[0]))
	reader.takes(t, made[2], Reviewer)
	reader.pass(time.Minute) // a failed append counts that long
	reader.reading(t, true)
}

func TestProcessesSignOneLogWithAKeyOfTheAgent(t *testing.T) {
	keys, fingerprint := agenttest.Keys(t)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, keys))
	w := &serviceStore{path: filepath.Join(t.TempDir(), "service.db"), database: postgrestest.New(t)}
	w.migrate(t)
	folder := filepath.Dir(w.path)
	db, err := postgres.New(postgres.Options{DSN: w.database.DSN(postgrestest.Writer), Busy: 10 * time.Second})
	must(t, err)
	w.store = openStore(t, store.Options{Path: db.Name(), Database: db, KeyFolder: folder, Service: true, Now: Clock,
		AnchorFolder: filepath.Join(folder, "anchors"), LogAgent: fingerprint})
	s := newHarness(t, w)
	other, over := s.another(t)
	both, made := []*harness{s, other}, s.decisions(t, 5)
	for i, record := range made[:4] {
		both[i%2].takes(t, record, Reviewer)
	}
	if text, err := os.ReadFile(w.store.KeyFile()); err != nil || string(text) != "ssh-agent "+fingerprint+"\n" {
		t.Errorf("the key file has %q, %v", text, err)
	}
	if held := strings.Join(w.Dump(t)["docket_meta"], "\n"); strings.Contains(strings.ToLower(held), "private") {
		t.Errorf("the database holds %s", held)
	}
	must(t, keys.Lock([]byte("x")))
	for _, p := range both { // before any record fails
		p.reading(t, false)
	}
	for _, p := range both {
		p.cannotSign(t, made[4])
		p.reading(t, false)
	}
	must(t, keys.Unlock([]byte("x")))
	for i, due := range []int{http.StatusCreated, http.StatusOK} { // it is there once
		both[i].taken(t, both[i].handIn(t, made[4], Reviewer), due)
		both[i].reading(t, true)
	}
	must(t, keys.Lock([]byte("x")))
	s.reading(t, false)
	must(t, keys.Unlock([]byte("x")))
	s.reading(t, true) // no append has failed
	keeps(t, s.store, idsOf(made))
	keeps(t, over, idsOf(made))
}

// A commit that waits for a replica holds the lock of the log. No process takes a record meanwhile, and none says that it would.
func TestNoProcessIsReadyWhileACommitWaitsForAReplicaThatIsGone(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	s := newHarness(t, newDatabaseStore(t, server.New(t)))
	other, _ := s.another(t)
	body := s.Body(t, s.Decide(s.Case, Reviewer, nil))
	s.reading(t, true)
	server.Configure(t, "synchronous_standby_names=replica")
	answered, released := make(chan reply, 1), false
	go func() { answered <- s.post(t, api.AppealEnforcePath, Reviewer, body) }()
	release := func() {
		if !released {
			released = true
			server.Configure(t, "synchronous_standby_names=")
		}
	}
	defer release()
	server.Await(t, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", "1")
	s.reading(t, false)
	other.reading(t, false)
	s.reading(t, false) // for as long as it waits
	select {
	case r := <-answered:
		t.Fatalf("the record is answered with %d: %s", r.status, r.body)
	default:
	}
	release()
	if r := <-answered; r.status != http.StatusCreated {
		t.Errorf("the record is answered with %d: %s", r.status, r.body)
	}
	s.reading(t, true)
	other.reading(t, true)
}
