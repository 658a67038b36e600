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
	"docket/cmd/internal/serve"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store"
	"docket/store/postgres/postgrestest"
	"docket/store/verify/verifytest"
)

// TestAServiceWhoseServersDiskIsFullIsNotReadyAndLosesNothing runs again in a process with mounts of its own: the database lies on a disk of a few
// megabytes.
func TestAServiceWhoseServersDiskIsFullIsNotReadyAndLosesNothing(t *testing.T) {
	if reason := postgrestest.Reason(); reason != "" {
		t.Skip(reason)
	}
	if os.Getenv(diskVariable) != "" {
		onFullServer(t)
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

func onFullServer(t *testing.T) {
	disk := postgrestest.Start(t).NewOnSmallDisk(t, 24)
	w := newObservedOver(t, newDatabaseStore(t, disk.Database), serve.Config{Limits: unlimited})
	if !w.ready(t) {
		t.Fatalf("it is not ready at first: %s", w.log.String())
	}
	var waiting []records.Enforcement
	for i := range 24 {
		waiting = append(waiting, w.Decide(w.Bring(t, terms.AppealCases, verifytest.AppealCase(fmt.Sprintf("case-full-%d", i), 1)), Reviewer, nil))
	}
	var acknowledged []records.RecordID
	for range 2 { // so that every table has a page with room
		w.taken(t, w.handIn(t, waiting[0], Reviewer), http.StatusCreated)
		acknowledged, waiting = append(acknowledged, waiting[0].Members().RecordID), waiting[1:]
	}
	free := disk.Fill(t)
	w.now = w.now.Add(time.Second)
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
	w.now = w.now.Add(2 * time.Minute)
	if w.ready(t) {
		t.Error("it is ready although the disk is still full")
	}

	free()
	w.now = w.now.Add(time.Second)
	if !w.ready(t) {
		t.Errorf("with room again it is not ready: %s", w.log.String())
	}
	refused := len(waiting)
	for _, record := range waiting {
		w.taken(t, w.handIn(t, record, Reviewer), http.StatusCreated)
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
