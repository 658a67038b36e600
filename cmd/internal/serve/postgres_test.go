package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// core are the tests that run over both engines in every run: enforcing, reading, pulling, tokens, keys, the log, and what is written. All tests
// of this package run over PostgreSQL with DOCKET_TEST_ENGINE=postgres.
var core = []string{
	"TestChallengeAppealEnforceRouteContract", "TestAgreementAmendmentEnforceRouteContract", "TestARecordSupersedesExactlyWhatIsInForce", "TestOfConflictingDecisionsAtOnceOneIsTaken",
	"TestRecordsOfOneConsoleAreInTheOrderOfItsLog", "TestPagesGoOnWhereTheOneBeforeEnded", "TestTheFeedHasWhatTheCallerMaySeeAndNothingElse",
	"TestATokenThatIsRevokedWhileARecordWaitsHandsNothingIn", "TestARecordIsRefusedByNameAndNothingIsAppended",
	"TestCosignaturesAreGivenOutWithTheirCheckpoint",
}

func TestTheCoreRunsOverPostgreSQL(t *testing.T) {
	t.Parallel()
	if reason := postgrestest.Reason(); reason != "" {
		t.Skip(reason)
	}
	if onPostgres() {
		t.Skip("the whole suite runs over PostgreSQL")
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^("+strings.Join(core, "|")+")$")
	child.Env = append(os.Environ(), engineVariable+"=postgres")
	out, err := child.CombinedOutput()
	for _, name := range core {
		if !strings.Contains(string(out), "\n--- PASS: "+name+" ") {
			t.Errorf("%s does not pass", name)
		}
	}
	if err != nil || t.Failed() {
		t.Errorf("%v:\n%s", err, out)
	}
}

// newDatabaseStore is a store in a database, with any engine of this run.
func newDatabaseStore(t testing.TB, d *postgrestest.Database) *serviceStore {
	t.Helper()
	w := &serviceStore{path: filepath.Join(t.TempDir(), "service.db"), database: d}
	w.store = w.open(t)
	return w
}

// elsewhere is the folder of another machine, with the key and the anchor from the first.
func (w *serviceStore) elsewhere(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.CopyFS(folder, os.DirFS(filepath.Dir(w.path))); err != nil {
		t.Fatal(err)
	}
	return folder
}

// another is the store as a process on another machine has it.
func (w *serviceStore) another(t testing.TB) *store.Store {
	t.Helper()
	return openDatabase(t, w.database.DSN(postgrestest.Writer), w.elsewhere(t))
}

// enforced hands a record in over HTTP, without a network, and returns the status. It may be called by any goroutine.
func (s *harness) enforced(service *serve.Service, record records.Enforcement, body []byte, who person) int {
	recorder := httptest.NewRecorder()
	service.ServeHTTP(recorder, s.request(http.MethodPost, enforcePath(record), who, body))
	return recorder.Code
}

// wholeLog verifies the store, each record judged again, and returns the ids of its records in their order.
func wholeLog(t testing.TB, s *store.Store) (ids []records.RecordID) {
	t.Helper()
	report, err := s.Verify(context.Background(), verify.Options{})
	if err != nil || !report.OK() {
		t.Fatalf("%v, %v", report.Findings, err)
	}
	err = s.Entries(context.Background(), 0, func(e verify.Entry) error {
		ids = append(ids, e.RecordID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestOfConflictingDecisionsAtTwoProcessesOneIsTaken(t *testing.T) {
	t.Parallel()
	w := newDatabaseStore(t, postgrestest.New(t))
	s := newHarness(t, w)
	other := w.another(t)
	services := []*serve.Service{s.service, serviceOver(t, other, unlimited)}
	const rounds = 15
	for round := range rounds {
		on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-raced-%d", round), 1))
		decisions := []records.Enforcement{s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil), s.Decide(on, Reviewer, nil)}
		bodies, statuses := make([][]byte, len(decisions)), make([]int, len(decisions))
		for i, record := range decisions {
			bodies[i] = s.Body(t, record)
		}
		var all sync.WaitGroup
		begin := make(chan struct{})
		for i, record := range decisions {
			all.Go(func() {
				<-begin
				statuses[i] = s.enforced(services[i%2], record, bodies[i], Reviewer)
			})
		}
		close(begin)
		all.Wait()
		slices.Sort(statuses)
		if want := []int{http.StatusCreated, http.StatusConflict, http.StatusConflict, http.StatusConflict}; !slices.Equal(statuses, want) {
			t.Fatalf("round %d: %v", round, statuses)
		}
	}
	one, two := wholeLog(t, w.store), wholeLog(t, other)
	if len(one) != rounds || !slices.Equal(one, two) {
		t.Errorf("%d records at one process, %d at the other", len(one), len(two))
	}
}

// A supply is a server that comes and goes. A sender that finds it gone waits until it is there.
type supply struct {
	mutex sync.Mutex
	there *sync.Cond
	stops int // how often it went
	up    bool
}

func TestNothingAcknowledgedIsLostWhenTheServerIsKilled(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	server := postgrestest.Start(t)
	w := newDatabaseStore(t, server.New(t))
	s := newHarness(t, w)
	services := []*serve.Service{s.service, serviceOver(t, w.another(t), unlimited)}
	const cases, kills = 48, 3
	type work struct {
		record records.Enforcement
		body   []byte
	}
	var list []work
	for i := range cases {
		record := s.Decide(s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-killed-%d", i), 1)), Reviewer, nil)
		list = append(list, work{record, s.Body(t, record)})
	}
	of := &supply{up: true}
	of.there = sync.NewCond(&of.mutex)
	acknowledged := make(chan records.RecordID, cases)
	var senders sync.WaitGroup
	for sender := range 4 {
		senders.Go(func() {
			for i := sender; i < cases; i += 4 {
				for {
					of.mutex.Lock()
					for !of.up {
						of.there.Wait()
					}
					stops := of.stops
					of.mutex.Unlock()
					status := s.enforced(services[sender%2], list[i].record, list[i].body, Reviewer)
					if status == http.StatusCreated || status == http.StatusOK {
						acknowledged <- list[i].record.Members().RecordID
						break
					}
					of.mutex.Lock()
					gone := of.stops != stops || !of.up
					of.mutex.Unlock()
					if status < http.StatusInternalServerError || !gone {
						t.Errorf("case %d is answered with %d, though the server runs", i, status)
						return
					}
				}
			}
		})
	}
	go func() { senders.Wait(); close(acknowledged) }()
	seen := map[records.RecordID]bool{}
	for id := range acknowledged {
		seen[id] = true
		if len(seen)%(cases/(kills+1)) == 0 && len(seen) < cases {
			of.mutex.Lock()
			of.up, of.stops = false, of.stops+1
			of.mutex.Unlock()
			server.Kill(t)
			server.Launch(t)
			of.mutex.Lock()
			of.up = true
			of.there.Broadcast()
			of.mutex.Unlock()
		}
	}
	log := wholeLog(t, w.store)
	if len(seen) != cases || len(log) != cases || of.stops < kills {
		t.Errorf("%d acknowledged, %d in the log, %d kills", len(seen), len(log), of.stops)
	}
	for _, id := range log {
		if !seen[id] {
			t.Errorf("%s is in the log and was never acknowledged", id)
		}
	}
}

// childVariable names the folder of the key, the anchor and the work of a process that is to be killed.
const childVariable = "DOCKET_TEST_SERVING"

// A task is a record to be handed in by a process that is killed.
type task struct {
	Path, Token string
	ID          records.RecordID
	Body        []byte
}

func TestNothingAcknowledgedIsLostWhenAProcessIsKilled(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(childVariable); folder != "" {
		handInAsChild(t, folder)
		return
	}
	w := newDatabaseStore(t, postgrestest.New(t))
	s := newHarness(t, w)
	const cases, kills = 40, 4
	var tasks []task
	for i := range cases {
		record := s.Decide(s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-killed-%d", i), 1)), Reviewer, nil)
		tasks = append(tasks, task{enforcePath(record), TokenOf(Reviewer), record.Members().RecordID, s.Body(t, record)})
	}
	acknowledged := map[records.RecordID]bool{}
	for round := range kills + 1 {
		left, err := json.Marshal(slices.DeleteFunc(slices.Clone(tasks), func(one task) bool { return acknowledged[one.ID] }))
		if err == nil {
			err = os.WriteFile(filepath.Join(filepath.Dir(w.path), "tasks.json"), left, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), childVariable+"="+filepath.Dir(w.path), "DOCKET_TEST_DSN="+w.database.DSN(postgrestest.Writer))
		var complaint bytes.Buffer
		child.Stderr = &complaint
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		count := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			id, is := strings.CutPrefix(lines.Text(), "acknowledged ")
			if !is {
				continue
			}
			acknowledged[records.RecordID(id)] = true
			if count++; count == cases/(kills+1) && round < kills {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); (err != nil) != (round < kills) {
			t.Fatalf("round %d: %v, %s", round, err, complaint.String())
		}
	}
	log := wholeLog(t, w.store)
	for id := range acknowledged {
		if !slices.Contains(log, id) {
			t.Errorf("%s was acknowledged and is not in the log", id)
		}
	}
	if len(acknowledged) != cases || len(log) != cases {
		t.Errorf("%d acknowledged, %d in the log", len(acknowledged), len(log))
	}
}

// handInAsChild hands the tasks in, one after the other, and says which were acknowledged.
func handInAsChild(t *testing.T, folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "tasks.json"))
	var tasks []task
	if err == nil {
		err = json.Unmarshal(text, &tasks)
	}
	if err != nil {
		t.Fatal(err)
	}
	opened := openDatabase(t, os.Getenv("DOCKET_TEST_DSN"), folder)
	service := serviceOver(t, opened, unlimited)
	for _, one := range tasks {
		r := httptest.NewRequest(http.MethodPost, one.Path, bytes.NewReader(one.Body))
		r.Header.Set("Authorization", "Bearer "+one.Token)
		r.Header.Set("Content-Type", api.JSON)
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, r)
		if recorder.Code != http.StatusCreated && recorder.Code != http.StatusOK {
			t.Fatalf("%s is answered with %d: %s", one.ID, recorder.Code, recorder.Body.String())
		}
		fmt.Println("acknowledged", one.ID)
	}
}
