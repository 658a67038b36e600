//go:build unix

package damage_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

// longestWait is more than a command may take: a person is told within two seconds, of which one and a half are for the lock, and some
// more are for a busy machine. A command that waits as long as a service does, ten seconds, takes longer.
const longestWait = 8 * time.Second

func TestTheConsoleSaysAtItsStartThatTheStoreIsLocked(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3")
	s := programtest.Decided(t, "request_evidence")
	release := s.Hold("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
	defer release()
	term := programtest.OpenTerminal(t, 240, 24, programtest.Built(t)+" --db "+s.DB())
	begun := time.Now()
	term.WaitFor("locked by another process; wait for the other program or close it")
	term.WaitFor("exit status 3")
	if took := time.Since(begun); took > longestWait {
		t.Errorf("it was said after %s", took)
	}
}

func TestAStoreThatAnotherProgramHoldsIsSaidToBeLocked(t *testing.T) {
	t.Parallel()
	programtest.Needs(t, "sqlite3")
	pristine := programtest.Decided(t, "request_evidence")
	every := [][]string{{"import", "packets.jsonl"}, {"queue"}, {"show", programtest.SampleCase}, {"records"}, {"verify"}, {"export", "out"},
		{"backup", "copy.db"}, {"doctor"}, {"decide"}, {"--plain"}}
	for name, c := range map[string]struct {
		statements string
		reads      bool // others may read
	}{
		"for itself": {"PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;", false},
		"to write":   {"BEGIN EXCLUSIVE;", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := pristine.Copied(t)
			release := s.Hold(c.statements)
			var all sync.WaitGroup
			for _, args := range every {
				all.Go(func() { answers(s, args, c.reads) })
			}
			all.Wait()
			release()
			if v, plain := s.Verify(); v.Status != 0 || v.Records != 1 {
				t.Errorf("afterwards: %s", plain)
			}
			s.Done("docket-decide", programtest.SampleCase, "uphold_decision")
		})
	}
}

// answers runs a command while the store is held.
func answers(s *programtest.Site, args []string, reads bool) {
	program, name := "docket", args[0]
	for i, arg := range args {
		if i > 0 && arg != programtest.SampleCase {
			args = append(append([]string{}, args[:i]...), s.At(arg))
		}
	}
	writes := name == "import" || name == "decide"
	want := 3
	switch {
	case reads && !writes:
		want = 0
	case name == "decide":
		program, args, want = "docket-decide", []string{programtest.SampleCase, "uphold_decision"}, 1
	case name == "doctor":
		want = 1 // it is what doctor finds
	}
	start := time.Now()
	got := programtest.Run(s.T, program, s.Folder, args...)
	said := got.Stderr + got.Stdout
	if took := time.Since(start); took > longestWait || got.Status != want {
		s.T.Errorf("%s: after %s exit status %d, %s", name, took, got.Status, said)
	}
	if want != 0 && (!strings.Contains(said, "locked by another process") || !strings.Contains(said, "wait for the other program or close it") ||
		strings.Contains(said, "SQLITE") || strings.Contains(said, "goroutine")) {
		s.T.Errorf("%s: %s", name, said)
	}
}
