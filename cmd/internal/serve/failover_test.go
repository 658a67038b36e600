package serve_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/postgres/postgrestest"
	"docket/store/verify"
	"docket/store/verify/verifytest"
)

// failover is a service over a primary and its replica, of which it takes the one that takes writes.
type failover struct {
	*harness
	primary, replica *postgrestest.Server
	folder, dsn      string
}

func newFailover(t *testing.T) *failover {
	t.Helper()
	f := &failover{primary: postgrestest.Start(t)}
	d := f.primary.New(t)
	made := newDatabaseStore(t, d)
	f.replica = f.primary.Replica(t)
	f.folder, f.dsn = filepath.Dir(made.path), postgrestest.EitherDSN(postgrestest.Writer, d.Name, f.primary, f.replica)
	if err := made.store.Close(); err != nil {
		t.Fatal(err)
	}
	made.store = openDatabase(t, f.dsn, f.folder)
	f.harness = newHarness(t, made)
	return f
}

// judged is a record on a new case.
func (f *failover) judged(t *testing.T, i int) records.Enforcement {
	t.Helper()
	return f.Decide(f.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-over-%d", i), 1)), Reviewer, nil)
}

func TestNothingAcknowledgedIsLostInAFailoverToTheSynchronousReplica(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	f := newFailover(t)
	const cases, before = 24, 11
	var made []records.Enforcement
	for i := range cases {
		made = append(made, f.judged(t, i))
	}
	f.primary.Synchronous(t)
	acknowledged := map[records.RecordID]bool{}
	for i, record := range made {
		if i == before {
			f.primary.Kill(t)
			f.replica.Promote(t)
		}
		for tries := 0; !acknowledged[record.Members().RecordID]; tries++ {
			status := f.enforced(f.service, record, f.Body(t, record), Reviewer)
			switch {
			case status == http.StatusCreated || status == http.StatusOK:
				acknowledged[record.Members().RecordID] = true
			case status < http.StatusInternalServerError || tries > 50:
				t.Fatalf("record %d is answered with %d", i, status)
			}
		}
	}
	log := wholeLog(t, openDatabase(t, f.dsn, f.folder))
	if len(log) != cases {
		t.Errorf("%d records in the log, %d acknowledged", len(log), len(acknowledged))
	}
	for _, id := range log {
		if !acknowledged[id] {
			t.Errorf("%s was not acknowledged", id)
		}
	}
}

// What an asynchronous replica did not have is gone, and every process that knows of it says so instead of going on from the shorter log.
func TestAFailoverThatLosesRecordsIsSeenByEveryProcessThatKnowsThem(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	f := newFailover(t)
	for i := range 3 {
		record := f.judged(t, i)
		f.takes(t, record, Reviewer)
	}
	late, next := []records.Enforcement{f.judged(t, 3), f.judged(t, 4)}, f.judged(t, 5)
	elsewhere := f.elsewhere(t)
	reader := openDatabase(t, f.dsn, elsewhere) // it publishes checkpoints, and signs none
	f.replica.CatchUp(t, f.primary)
	f.replica.Stop(t)
	for _, record := range late {
		f.takes(t, record, Reviewer)
	}
	if _, err := reader.PublishedCheckpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	f.primary.Kill(t)
	f.replica.Launch(t)
	f.replica.Promote(t)

	// The process that signed them refuses: it takes nothing, publishes nothing and is not ready.
	for range 3 {
		f.handIn(t, next, Reviewer).is(t, api.Unavailable)
	}
	f.get(t, "/checkpoint", person{}).is(t, api.Unavailable)
	if err := f.store.Appendable(t.Context(), 0); err == nil {
		t.Error("a record could be appended")
	}
	found := f.store.Findings()
	if len(found) == 0 || found[0].Code != verify.RolledBack {
		t.Errorf("the findings are %v", found)
	}
	// One that starts with what either knew finds it, and one that knows nothing does not take the log as it is.
	for name, folder := range map[string]string{"the one that signed": f.folder, "the one that published": elsewhere, "one that knows nothing": t.TempDir()} {
		again := openDatabase(t, f.dsn, folder)
		if found := again.Findings(); !again.ReadOnly() || len(found) == 0 || (found[0].Code == verify.RolledBack) == (name == "one that knows nothing") {
			t.Errorf("%s: %v", name, found)
		}
	}
}
