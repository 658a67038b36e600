package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/agent/agenttest"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// core are the tests that run over both engines in every run: enforcing, reading, pulling, tokens,
// keys, the log, and what is written. All tests of this package run over PostgreSQL with
// DOCKET_TEST_ENGINE=postgres.
var core = []string{
	"TestChallengeAppealEnforceRouteContract", "TestAgreementAmendmentEnforceRouteContract",
	"TestARecordIsRefusedByNameAndNothingIsAppended", "TestARecordSupersedesExactlyWhatIsInForce",
	"TestOfConflictingDecisionsAtOnceOneIsTaken", "TestRecordsOfOneConsoleAreInTheOrderOfItsLog",
	"TestPagesGoOnWhereTheOneBeforeEnded", "TestTheFeedHasWhatTheCallerMaySeeAndNothingElse",
	"TestTheMatrixOfPrincipalsRolesOwnersAndRoutes",
	"TestATokenThatIsRevokedWhileARecordWaitsHandsNothingIn",
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

// newDatabaseStore is a store in a database, with any engine of this run; nil for one of a file.
func newDatabaseStore(t testing.TB, d *postgrestest.Database, with ...func(*store.Options)) *serviceStore {
	t.Helper()
	w := &serviceStore{path: filepath.Join(t.TempDir(), "service.db"), database: d}
	w.open(t, with...)
	return w
}

// elsewhere is the folder of another machine, with the key and the anchor from the first.
func (w *serviceStore) elsewhere(t testing.TB) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "elsewhere")
	must(t, os.CopyFS(folder, os.DirFS(filepath.Dir(w.path))))
	return folder
}

// another is the service as a process on another machine runs it, and its store.
func (s *harness) another(t testing.TB) (*harness, *store.Store) {
	t.Helper()
	over := openDatabase(t, s.database.DSN(postgrestest.Writer), s.elsewhere(t))
	return s.serving(t, over), over
}

// decisions are records on so many new cases.
func (s *harness) decisions(t testing.TB, count int) (made []records.Enforcement) {
	t.Helper()
	for range count {
		s.cases++
		on := s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-new-%d",
			s.cases), 1))
		made = append(made, s.Decide(on, Reviewer, nil))
	}
	return made
}

// wholeLog verifies the store, each record judged again, and returns the ids of its records in their order.
func wholeLog(t testing.TB, s *store.Store) (ids []records.RecordID) {
	t.Helper()
	report, err := s.Verify(context.Background(), verify.Options{})
	if err != nil || !report.OK() {
		t.Fatalf("%v, %v", report.Findings, err)
	}
	log, err := s.Snapshot(context.Background())
	must(t, err)
	err = log.Entries(context.Background(), 0, func(e verify.Entry) error {
		if e.Kind == records.RecordEntry {
			ids = append(ids, e.RecordID)
		}
		return nil
	})
	must(t, err)
	return ids
}

// keeps fails the test unless the log of the store verifies and is of the acknowledged records.
func keeps(t testing.TB, s *store.Store, acknowledged []records.RecordID) {
	t.Helper()
	if log := wholeLog(t, s); !slices.Equal(log, acknowledged) {
		t.Errorf("in the log are\n%v, acknowledged were\n%v", log, acknowledged)
	}
}

// took reports whether a status says that a record is in the log.
func took(status int) bool { return status == http.StatusCreated || status == http.StatusOK }

func idsOf(list []records.Enforcement) (ids []records.RecordID) {
	for _, record := range list {
		ids = append(ids, record.Members().RecordID)
	}
	return ids
}

func TestNothingAcknowledgedIsLostWhenTheServerIsKilled(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	server := postgrestest.Start(t)
	s := newHarness(t, newDatabaseStore(t, server.New(t)))
	other, _ := s.another(t)
	const cases, kills, count = 48, 3, 4
	made, bodies := s.decisions(t, cases), make([][]byte, cases)
	for i, record := range made {
		bodies[i] = s.Body(t, record)
	}
	var gone sync.RWMutex // while the server is
	stops := 0            // how often it went
	now := func() int {
		gone.RLock()
		defer gone.RUnlock()
		return stops
	}
	acknowledged := make(chan records.RecordID, cases)
	var senders sync.WaitGroup
	for sender := range count {
		to := []*harness{s, other}[sender%2]
		senders.Go(func() {
			for i := sender; i < cases; i += count {
				for {
					before := now()
					status := to.post(t, api.AppealEnforcePath, Reviewer, bodies[i]).status
					if took(status) {
						acknowledged <- made[i].Members().RecordID
						break
					}
					if status < http.StatusInternalServerError || now() == before {
						t.Errorf("case %d is answered with %d, though the server runs", i, status)
						return
					}
				}
			}
		})
	}
	go func() { senders.Wait(); close(acknowledged) }()
	var seen []records.RecordID
	for id := range acknowledged {
		seen = append(seen, id)
		if len(seen)%(cases/(kills+1)) == 0 && len(seen) < cases {
			gone.Lock()
			stops++
			server.Kill(t)
			server.Launch(t)
			gone.Unlock()
		}
	}
	log := wholeLog(t, s.store)
	slices.Sort(log)
	slices.Sort(seen)
	if !slices.Equal(log, seen) || len(log) != cases || stops < kills {
		t.Errorf("%d acknowledged, %d in the log, %d kills", len(seen), len(log), stops)
	}
}

// A task is a record to be handed in by a process that is killed.
type task struct {
	ID   records.RecordID
	Body []byte
}

// childVariable is the folder of a test whose process this one is.
const childVariable = "DOCKET_TEST_CHILD"

func TestNothingAcknowledgedIsLostWhenAProcessIsKilled(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(childVariable); folder != "" {
		handInAsChild(t, folder)
		return
	}
	s := newHarness(t, newDatabaseStore(t, postgrestest.New(t)))
	const cases, kills = 40, 4
	folder, made := filepath.Dir(s.path), s.decisions(t, cases)
	var acknowledged []records.RecordID
	for round := range kills + 1 {
		var left []task
		for _, record := range made {
			if !slices.Contains(acknowledged, record.Members().RecordID) {
				left = append(left, task{record.Members().RecordID, s.Body(t, record)})
			}
		}
		text, err := json.Marshal(left)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, "tasks.json"), text, 0o600))
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), childVariable+"="+folder,
			"DOCKET_TEST_DSN="+s.database.DSN(postgrestest.Writer))
		var complaint bytes.Buffer
		child.Stderr = &complaint
		out, err := child.StdoutPipe()
		must(t, err)
		must(t, child.Start())
		count := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			id, is := strings.CutPrefix(lines.Text(), "acknowledged ")
			if !is {
				continue
			}
			acknowledged = append(acknowledged, records.RecordID(id))
			if count++; count == cases/(kills+1) && round < kills {
				must(t, child.Process.Kill())
			}
		}
		if err := child.Wait(); (err != nil) != (round < kills) {
			t.Fatalf("round %d: %v, %s", round, err, complaint.String())
		}
	}
	if keeps(t, s.store, acknowledged); len(acknowledged) != cases {
		t.Errorf("%d acknowledged", len(acknowledged))
	}
}

// handInAsChild hands the tasks in, one after the other, and says which were acknowledged.
func handInAsChild(t *testing.T, folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "tasks.json"))
	must(t, err)
	var tasks []task
	must(t, json.Unmarshal(text, &tasks))
	over := openDatabase(t, os.Getenv("DOCKET_TEST_DSN"), folder)
	s := (&fixture{serviceStore: &serviceStore{store: over}}).serving(t, over)
	for _, one := range tasks {
		if status := s.post(t, api.AppealEnforcePath, Reviewer, one.Body).status; !took(status) {
			t.Fatalf("%s is answered with %d", one.ID, status)
		}
		fmt.Println("acknowledged", one.ID)
	}
}

// The service takes that of a primary and its replica which takes writes.
func TestNothingAcknowledgedIsLostInAFailoverToTheSynchronousReplica(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	primary := postgrestest.Start(t)
	d := primary.New(t)
	w := newDatabaseStore(t, d)
	replica := primary.Replica(t)
	dsn := postgrestest.EitherDSN(postgrestest.Writer, d.Name, primary, replica)
	must(t, w.store.Close())
	w.store = openDatabase(t, dsn, filepath.Dir(w.path))
	s := newHarness(t, w)
	const cases, before = 24, 11
	made := s.decisions(t, cases)
	primary.Synchronous(t)
	for i, record := range made {
		if i == before {
			primary.Kill(t)
			replica.Promote(t)
		}
		for tries := 0; ; tries++ {
			status := s.handIn(t, record, Reviewer).status
			if took(status) {
				break
			}
			if status < http.StatusInternalServerError || tries > 50 {
				t.Fatalf("record %d is answered with %d", i, status)
			}
		}
	}
	keeps(t, openDatabase(t, dsn, filepath.Dir(s.path)), idsOf(made))
}

// reading holds a process to reading, and to being ready or not, a second after it was last asked.
func (s *harness) reading(t testing.TB, ready bool) {
	t.Helper()
	for _, path := range []string{api.QueuePath, "/checkpoint", "/healthz"} {
		s.pass(time.Second)
		s.get(t, path, Reviewer).want(t, http.StatusOK, path)
	}
	s.pass(time.Second)
	s.readyNow(t, ready, "a second after it was last asked")
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
	if size := s.head(t).N; string(one.body) != string(two.body) || !strings.Contains(string(two.body), fmt.Sprintf("\n%d\n", size)) {
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
	w := newDatabaseStore(t, postgrestest.New(t), func(o *store.Options) { o.LogAgent = fingerprint })
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
