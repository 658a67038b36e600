package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// diskVariable says to a test that it runs again, and in which folder it may mount a small disk.
const diskVariable = "DOCKET_TEST_SMALL_DISK"

// withMounts runs a test again in a process with mounts of its own, which are in the folder.
func withMounts(t *testing.T, test func(t *testing.T, folder string)) {
	t.Helper()
	if folder := os.Getenv(diskVariable); folder != "" {
		test(t, folder)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), diskVariable+"="+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	out, err := child.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM):
		t.Skip("only root can mount a small disk to fill up")
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Fatalf("%v:\n%s", err, out)
	}
	t.Logf("%s", out)
}

func TestAServiceOnAFullDiskIsNotReadyAndGoesOnReading(t *testing.T) {
	if onPostgres() {
		t.Skip("the disk of a database is its server's")
	}
	withMounts(t, func(t *testing.T, folder string) {
		disk := newSmallDisk(t, folder, 8)
		t.Setenv("TMPDIR", folder) // the store of the harness lies there
		s := newHarness(t, newServiceStore(t), within(func(l *serve.Limits) { l.FreeSpace = 1 << 20 }))
		if filepath.Dir(filepath.Dir(filepath.Dir(s.path))) != folder {
			t.Fatalf("the store is %s", s.path)
		}
		s.readyNow(t, true, "at first")
		free := disk.fill(t)
		s.pass(time.Second)
		s.readyNow(t, false, "on a full disk")
		record := s.Decide(s.Case, Reviewer, nil)
		s.handIn(t, record, Reviewer).is(t, api.Unavailable)
		s.holds(t, 0)
		free()
		s.pass(time.Second)
		s.readyNow(t, false, "a second after an append failed")
		s.pass(time.Minute)
		s.readyNow(t, true, "with room again")
		s.takes(t, record, Reviewer)
	})
}

// The database lies on a disk of a few megabytes; the server's write-ahead log does not.
func TestAServiceWhoseServersDiskIsFullIsNotReadyAndLosesNothing(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, func(t *testing.T, _ string) {
		database, disk := newOnSmallDisk(t, postgrestest.Start(t), 24)
		s := newHarness(t, newDatabaseStore(t, database))
		s.readyNow(t, true, "at first")
		made := s.decisions(t, 24)
		taken := 0
		for range 2 { // so that every table has a page with room
			s.takes(t, made[taken], Reviewer)
			taken++
		}
		free := disk.fill(t)
		s.pass(time.Second)
		s.readyNow(t, false, "on a full disk")
		if !strings.Contains(s.log.String(), store.ErrDiskFull.Error()) {
			t.Errorf("the log does not say that the disk is full: %s", s.log.String())
		}
		// What fits into the room that the tables have is taken. Then nothing is, and everything is read as before.
		taken = s.takesUntilFull(t, made, taken)
		before := s.Dump(t)
		for range 3 {
			s.handIn(t, made[taken], Reviewer).is(t, api.Unavailable)
		}
		_, err := s.store.Import(t.Context(), s.unimported(t, 300))
		if !errors.Is(err, store.ErrDiskFull) {
			t.Errorf("an import on a full disk: %v", err)
		}
		now := s.Dump(t)
		delete(before, "docket_head")
		delete(now, "docket_head")
		same(t, before, now)
		s.readyNow(t, false, "after an append failed")
		s.pass(2 * time.Minute)
		s.readyNow(t, false, "while the disk is still full")
		free()
		s.pass(time.Second)
		s.readyNow(t, true, "with room again")
		for _, record := range made[taken:] {
			s.takes(t, record, Reviewer)
		}
		keeps(t, s.store, idsOf(made))
	})
}

// takesUntilFull hands records in until one is not taken, and returns how many were.
func (s *harness) takesUntilFull(t *testing.T, made []records.Enforcement, from int) int {
	t.Helper()
	for i := from; i < len(made); i++ {
		if answered := s.handIn(t, made[i], Reviewer); answered.status >= 300 {
			answered.is(t, api.Unavailable)
			return i
		}
	}
	t.Fatal("every record was taken on a full disk")
	return 0
}

// unimported are so many cases that nobody has imported.
func (s *harness) unimported(t *testing.T, count int) (list []packets.Packet) {
	t.Helper()
	for i := range count {
		ref := s.Log.Hold(terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-more-%d", i), 1))
		list = append(list, stored(t, s.Log.Held[ref]))
	}
	return list
}

// The server ends when it cannot write its log. What it acknowledged before is there once it runs again.
func TestAServiceWhoseServersLogHasNoRoomLosesNothing(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, func(t *testing.T, _ string) {
		var server *postgrestest.Server
		disk := onSmallDisk(t, 192, func() { server = postgrestest.Start(t, "min_wal_size=32MB", "max_wal_size=32MB") })
		s := newHarness(t, newDatabaseStore(t, server.New(t)))
		made := s.decisions(t, 4)
		free := disk.fill(t)
		s.before = func(_ context.Context, call string) error {
			if call == "HandIn" { // it may end the server
				_, _ = server.Psql(postgrestest.Superuser, "postgres", "SELECT pg_switch_wal()")
			}
			return nil
		}
		taken := s.takesUntilFull(t, made, 0)
		s.before = nil
		s.ask(t, http.MethodGet, api.ReadyPath, elsewhere).is(t, api.Unavailable)
		if !strings.Contains(server.Log(), "No space left on device") {
			t.Errorf("the server's log is not full: %s", server.Log())
		}
		free()
		server.Restart(t)
		s.pass(2 * time.Minute)
		for _, record := range made[taken:] {
			s.takes(t, record, Reviewer)
		}
		s.readyNow(t, true, "with room again")
		keeps(t, s.store, idsOf(made))
	})
}

// A synchronous replica that cannot write its log confirms nothing. A record waits for it, also
// where the server is told to wait no longer, and is acknowledged once the replica has it.
func TestARecordWaitsForASynchronousReplicaWhoseDiskIsFull(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, func(t *testing.T, _ string) {
		primary := postgrestest.Start(t)
		d := primary.New(t)
		s := newHarness(t, newDatabaseStore(t, d))
		var replica *postgrestest.Server
		disk := onSmallDisk(t, 192, func() { replica = primary.Replica(t) })
		made := s.decisions(t, 4)
		primary.Synchronous(t)
		waiting := true
		defer func() {
			if waiting {
				primary.Kill(t) // it would wait for the replica when the database is dropped
			}
		}()
		s.takes(t, made[0], Reviewer)

		free := disk.fill(t)
		asked := func(query string) string {
			out, err := primary.Psql(postgrestest.Superuser, "postgres", query)
			must(t, err)
			return strings.TrimSpace(out)
		}
		for parts := 0; asked("SELECT count(*) FROM pg_stat_replication") != "0"; parts++ { // until it has no room for the next part of the log
			asked("SELECT pg_logical_emit_message(false, 'test', 'more')")
			if parts < 3 {
				asked("SELECT pg_switch_wal()")
			}
		}
		body, answered := s.Body(t, made[1]), make(chan int, 1)
		go func() { answered <- s.post(t, api.AppealEnforcePath, Reviewer, body).status }()
		const stuck = " FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
		waits := func(when string) {
			t.Helper()
			for there := false; !there; {
				there = asked("SELECT count(*)"+stuck) == "1"
				select {
				case status := <-answered:
					t.Fatalf("%s: answered with %d", when, status)
				default:
				}
			}
		}
		waits("the replica's disk is full")
		s.get(t, api.QueuePath, Reviewer).want(t, http.StatusOK, "the queue")
		asked("SELECT pg_cancel_backend(pid)" + stuck)
		for !strings.Contains(primary.Log(), "canceling wait for synchronous replication") {
			runtime.Gosched()
		}
		waits("the server no longer waits for the replica")

		free()
		replica.Restart(t)
		if status := <-answered; !took(status) {
			t.Fatalf("it is answered with %d", status)
		}
		for _, record := range made[2:] {
			if status := s.handIn(t, record, Reviewer).status; !took(status) {
				t.Fatalf("it is answered with %d", status)
			}
		}
		waiting = false
		primary.Kill(t)
		replica.Promote(t)
		again := postgrestest.EitherDSN(postgrestest.Writer, d.Name, primary, replica)
		keeps(t, openDatabase(t, again, filepath.Dir(s.path)), idsOf(made))
	})
}
