package serve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/cmd/internal/api"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// withMounts runs a test again in a process with mounts of its own.
func withMounts(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if reason := postgrestest.Reason(); reason != "" {
		t.Skip(reason)
	}
	if os.Getenv(diskVariable) != "" {
		test(t)
		return
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), diskVariable+"=server")
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

// The database lies on a disk of a few megabytes; the server's write-ahead log does not.
func TestAServiceWhoseServersDiskIsFullIsNotReadyAndLosesNothing(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, onFullServer)
}

// The server ends when it cannot write its log. What it acknowledged before is there once it runs again.
func TestAServiceWhoseServersLogHasNoRoomLosesNothing(t *testing.T) {
	postgrestest.Drill(t)
	t.Parallel()
	withMounts(t, func(t *testing.T) {
		server, disk := postgrestest.StartOnSmallDisk(t, 192, "min_wal_size=32MB", "max_wal_size=32MB")
		w := newHarness(t, newDatabaseStore(t, server.New(t)))
		var acknowledged []records.RecordID
		var waiting []records.Enforcement
		for i := range 4 {
			waiting = append(waiting, w.Decide(w.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-full-%d", i), 1)), Reviewer, nil))
		}
		free := disk.Fill(t)
		for {
			_, _ = server.Psql(postgrestest.Superuser, "postgres", "SELECT pg_switch_wal()") // it may end the server
			answered := w.handIn(t, waiting[0], Reviewer)
			if answered.status != http.StatusCreated {
				answered.is(t, api.Unavailable)
				break
			}
			acknowledged = append(acknowledged, waiting[0].Members().RecordID)
			if waiting = waiting[1:]; len(waiting) == 0 {
				t.Fatal("every record was taken without room for the log")
			}
		}
		if w.ask(t, http.MethodGet, api.ReadyPath, elsewhere).status == http.StatusOK {
			t.Error("it is ready")
		}
		if !strings.Contains(server.Log(), "No space left on device") {
			t.Errorf("the server's log is not full: %s", server.Log())
		}
		free()
		server.Restart(t)
		w.pass(2 * time.Minute)
		for _, record := range waiting {
			if answered := w.handIn(t, record, Reviewer); answered.status != http.StatusCreated {
				t.Errorf("with room again: %d %s", answered.status, answered.body)
			}
			acknowledged = append(acknowledged, record.Members().RecordID)
		}
		if !w.ready(t) {
			t.Error("with room again it is not ready")
		}
		if log := wholeLog(t, w.store); !slices.Equal(log, acknowledged) {
			t.Errorf("%d records in the log, %d acknowledged", len(log), len(acknowledged))
		}
	})
}

func onFullServer(t *testing.T) {
	database, disk := postgrestest.Start(t).NewOnSmallDisk(t, 24)
	w := newHarness(t, newDatabaseStore(t, database))
	if !w.ready(t) {
		t.Fatalf("it is not ready at first: %s", w.log.String())
	}
	var waiting []records.Enforcement
	for i := range 24 {
		waiting = append(waiting, w.Decide(w.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-full-%d", i), 1)), Reviewer, nil))
	}
	var acknowledged []records.RecordID
	for range 2 { // so that every table has a page with room
		w.takes(t, waiting[0], Reviewer)
		acknowledged, waiting = append(acknowledged, waiting[0].Members().RecordID), waiting[1:]
	}
	free := disk.Fill(t)
	w.pass(time.Second)
	if w.ready(t) {
		t.Error("on a full disk it is ready")
	}
	if !strings.Contains(w.log.String(), store.ErrDiskFull.Error()) {
		t.Errorf("the log does not say that the disk is full: %s", w.log.String())
	}

	// What fits into the room that the tables have is taken. Then nothing is, and everything is read as before.
	fitting := 0
	for ; len(waiting) > 0; fitting++ {
		answered := w.handIn(t, waiting[0], Reviewer)
		if answered.status != http.StatusCreated {
			answered.is(t, api.Unavailable)
			break
		}
		acknowledged = append(acknowledged, waiting[0].Members().RecordID)
		waiting = waiting[1:]
	}
	if len(waiting) == 0 {
		t.Fatal("every record was taken on a full disk")
	}
	before := w.Dump(t)
	for range 3 {
		w.handIn(t, waiting[0], Reviewer).is(t, api.Unavailable)
	}
	if _, err := w.store.Import(t.Context(), more(t, w.fixture, 300)); !errors.Is(err, store.ErrDiskFull) {
		t.Errorf("an import on a full disk: %v", err)
	}
	if now := w.Dump(t); !sameDump(before, now) {
		t.Error("something was written in part")
	}
	if w.ready(t) {
		t.Error("after an append failed it is ready")
	}
	w.pass(2 * time.Minute)
	if w.ready(t) {
		t.Error("it is ready although the disk is still full")
	}

	free()
	w.pass(time.Second)
	if !w.ready(t) {
		t.Errorf("with room again it is not ready: %s", w.log.String())
	}
	refused := len(waiting)
	for _, record := range waiting {
		w.takes(t, record, Reviewer)
		acknowledged = append(acknowledged, record.Members().RecordID)
	}
	if log := wholeLog(t, w.store); !slices.Equal(log, acknowledged) {
		t.Errorf("%d records in the log, %d acknowledged", len(log), len(acknowledged))
	}
	t.Logf("%d records were taken into room that the tables had, %d were refused until there was room", fitting, refused)
}

// more are so many cases that nobody has imported.
func more(t *testing.T, fix *fixture, count int) (list []packets.Packet) {
	t.Helper()
	var reader packets.Reader
	for i := range count {
		text, err := json.Marshal(map[string]any{"table": terms.AppealCases, "record": verifytest.AppealCase(fmt.Sprintf("case-more-%d", i), 1)})
		if err != nil {
			t.Fatal(err)
		}
		sealed, fault := fix.sealer.Seal(text)
		if fault != nil {
			t.Fatal(fault)
		}
		packet, fault := reader.Read(sealed)
		if fault != nil {
			t.Fatal(fault)
		}
		list = append(list, packet.Redact())
	}
	return list
}

// sameDump reports whether two dumps have the same rows.
func sameDump(one, other map[string][]string) bool {
	for table := range one {
		if table != "docket_head" && !slices.Equal(one[table], other[table]) {
			return false
		}
	}
	return len(one) == len(other)
}
