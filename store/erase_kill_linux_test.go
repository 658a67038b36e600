package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// eraseKills are at which calls of the system a docket that erases is killed.
var eraseKills = []struct {
	calls       string
	usual, long int // how many runs there are; a long one is killed at each of the first calls, a usual one at some of them
}{
	{"pwrite64", 3, 60},
	{"fsync,fdatasync", 2, 20},
	{"ftruncate", 1, 6},
	{"openat", 2, 40},
	{"unlinkat,unlink,renameat,rename", 2, 10},
}

// killedOptions are those of a store in a folder after its erasures.
func killedOptions(folder string) Options {
	o := faultOptions(folder)
	o.Now = func() time.Time { return noon.Add(time.Second) }
	return o
}

// An erasure that is killed is in force as a whole or not at all, and once the store was opened again no byte of what was erased is left.
func TestAKilledErasureIsWholeOrNone(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		eraseAndTell(t, killedOptions(folder), records.RecordID(os.Getenv(recordVariable)))
		return
	}
	program := straced(t)
	original := t.TempDir()
	d, record := erasableFixtureAt(t, killedOptions(original))
	d.close()
	tried, whole, none := 0, 0, 0
	for _, c := range eraseKills {
		turns := sampled(c.long, c.usual, 1)
		for turn := range turns {
			at := fmt.Sprintf("%s call %d", c.calls, 1+turn*(c.long/turns))
			folder := filepath.Join(t.TempDir(), "copy")
			must(t, os.CopyFS(folder, os.DirFS(original)))
			var console *Store // that has the store open, too: then nothing is tidied up when it is opened again
			if turn%2 == 0 {
				console = openWith(t, killedOptions(folder))
			}
			child := again(t, t.Name(), folder)
			child.Env = append(child.Env, recordVariable+"="+string(record.RecordID))
			child = traced(child, program, "-o", filepath.Join(t.TempDir(), "trace"), "-P", folder, "-P", filepath.Join(folder, "docket.db"),
				"-P", filepath.Join(folder, "docket.db-wal"), "-P", filepath.Join(folder, "docket.db-shm"), "-e", "trace="+c.calls,
				"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", c.calls, 1+turn*(c.long/turns)))
			var out strings.Builder
			child.Stdout, child.Stderr = &out, io.Discard
			if err := child.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
				t.Fatal(err)
			}
			erased := mustBeWhole(t, at, folder, record.RecordID)
			for told := range strings.Lines(out.String()) {
				if what, is := strings.CutPrefix(told, "ack "); is && !erased[strings.TrimSpace(what)] {
					t.Errorf("%s: %s was acknowledged and is not in force", at, what)
				}
			}
			if console != nil {
				must(t, console.Close())
			}
			tried, whole, none = tried+1, whole+len(erased), none+len(canaries)-len(erased)
		}
	}
	t.Logf("killed %d times: %d erasures in force and without a byte left, %d not begun", tried, whole, none)
	if whole == 0 || none == 0 {
		t.Error("no kill was in the middle")
	}
}

// recordVariable names a record to a process that is run again.
const recordVariable = "DOCKET_STORE_TEST_RECORD"

// eraseAndTell erases all that there is, and says of each when it is durable.
func eraseAndTell(t *testing.T, o Options, record records.RecordID) {
	d := fixtureAt(t, openWith(t, o))
	for i, e := range erasuresOf(record) {
		d.erase(e)
		acknowledge(t, canaries[i])
		must(t, d.store.Scrub(t.Context()))
	}
	d.close()
}

// mustBeWhole opens the store after a kill, and returns the canaries whose erasure is in force.
func mustBeWhole(t *testing.T, at, folder string, record records.RecordID) map[string]bool {
	t.Helper()
	o := killedOptions(folder)
	s := openWith(t, o)
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() || s.ReadOnly() {
		t.Fatalf("%s: %v, %v", at, report.Findings, err)
	}
	stated := map[records.Erasure]bool{}
	for i := range report.Accepted {
		if e, is := report.Accepted[i].Erasure(); is {
			stated[e.Object()] = true
		}
	}
	// The files are read by another program: this one has them open.
	read := func(script, path string) []byte {
		t.Helper()
		out := need(exec.CommandContext(t.Context(), "sh", "-c", script, "sh", path).Output())(t)
		return out
	}
	beside := read(`cat "$1" "$1"-*`, o.Path)
	copied := filepath.Join(folder, "backup.db")
	if err := s.Backup(t.Context(), copied, nil); err != nil {
		t.Fatalf("%s: %v", at, err)
	}
	beside = append(beside, read(`cat "$1"`, copied)...)
	erased := map[string]bool{}
	for i, e := range erasuresOf(record) {
		canary := canaries[i]
		erased[canary] = stated[e.Object()]
		if left := bytes.Count(beside, []byte(canary)); erased[canary] && left > 0 {
			t.Errorf("%s: %s was erased, and is left %d times", at, canary, left)
		} else if !erased[canary] && left < 2 {
			t.Errorf("%s: %s was not erased, and is gone", at, canary)
		}
		if !erased[canary] {
			delete(erased, canary)
		}
	}
	if notes, err := filepath.Glob(o.Path + "-erasing-*"); err != nil || len(notes) > 0 {
		t.Errorf("%s: %v is left, %v", at, notes, err)
	}
	if caseFile := fixtureAt(t, s).caseFile(terms.AppealCases, "case-2"); caseFile.InForce == "" {
		t.Errorf("%s: a record is gone", at)
	}
	must(t, s.Close())
	return erased
}
