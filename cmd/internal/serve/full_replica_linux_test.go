package serve_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// A synchronous replica that cannot write its log confirms nothing. A record waits for it, also where the server is told to wait no longer, and is
// acknowledged once the replica has it.
func TestARecordWaitsForASynchronousReplicaWhoseDiskIsFull(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, func(t *testing.T) {
		primary := postgrestest.Start(t)
		d := primary.New(t)
		w := newDatabaseStore(t, d)
		s := newHarness(t, w)
		replica, disk := primary.ReplicaOnSmallDisk(t, 192)
		var made []records.Enforcement
		for i := range 4 {
			made = append(made, s.Decide(s.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-full-%d", i), 1)), Reviewer, nil))
		}
		primary.Synchronous(t)
		waiting := true
		defer func() {
			if waiting {
				primary.Kill(t) // it would wait for the replica when the database is dropped
			}
		}()
		var acknowledged []records.RecordID
		took := func(record records.Enforcement, status int) {
			if status != http.StatusCreated && status != http.StatusOK {
				t.Fatalf("it is answered with %d", status)
			}
			acknowledged = append(acknowledged, record.Members().RecordID)
		}
		took(made[0], s.enforced(s.service, made[0], s.Body(t, made[0]), Reviewer))

		free := disk.Fill(t)
		asked := func(query string) string {
			out, err := primary.Psql(postgrestest.Superuser, "postgres", query)
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(out)
		}
		for parts := 0; asked("SELECT count(*) FROM pg_stat_replication") != "0"; parts++ { // until it has no room for the next part of the log
			asked("SELECT pg_logical_emit_message(false, 'test', 'more')")
			if parts < 3 {
				asked("SELECT pg_switch_wal()")
			}
		}
		body, answered := s.Body(t, made[1]), make(chan int, 1)
		go func() { answered <- s.enforced(s.service, made[1], body, Reviewer) }()
		waits := func(when string) {
			t.Helper()
			for there := false; !there; {
				there = asked("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "1"
				select {
				case status := <-answered:
					t.Fatalf("%s: answered with %d", when, status)
				default:
				}
			}
		}
		waits("the replica's disk is full")
		if read := s.get(t, api.QueuePath, Reviewer); read.status != http.StatusOK {
			t.Errorf("the queue is answered with %d", read.status)
		}
		asked("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
		for !strings.Contains(primary.Log(), "canceling wait for synchronous replication") {
			runtime.Gosched()
		}
		waits("the server no longer waits for the replica")

		free()
		replica.Restart(t)
		took(made[1], <-answered)
		for _, record := range made[2:] {
			took(record, s.enforced(s.service, record, s.Body(t, record), Reviewer))
		}
		waiting = false
		primary.Kill(t)
		replica.Promote(t)
		again := openDatabase(t, postgrestest.EitherDSN(postgrestest.Writer, d.Name, primary, replica), filepath.Dir(w.path))
		if log := wholeLog(t, again); !slices.Equal(log, acknowledged) {
			t.Errorf("%d records in the log of the replica, %d acknowledged", len(log), len(acknowledged))
		}
	})
}
