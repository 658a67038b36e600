//go:build unix

package main_test

import (
	"bufio"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// hold starts the sqlite3 program on the site's store, has it run the statements, and keeps it there until release is
// called or the test ends.
func (s *site) hold(statements string) (release func()) {
	s.t.Helper()
	command := exec.Command("sqlite3", "-batch", "-bail", s.db())
	in, err := command.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		s.t.Fatal(err)
	}
	release = sync.OnceFunc(func() {
		in.Close()
		command.Wait()
	})
	s.t.Cleanup(release)
	if _, err := in.Write([]byte(statements + "\nSELECT 'held';\n")); err != nil {
		s.t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "held" {
			return release
		}
	}
	s.t.Fatalf("sqlite3 does not hold the store")
	return nil
}

// longestWait is more than a command may take: a person is told within two seconds, of which one and a half are for the lock, and some
// more are for a busy machine. A command that waits as long as a service does, ten seconds, takes longer.
const longestWait = 8 * time.Second

func TestTheConsoleSaysAtItsStartThatTheStoreIsLocked(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3")
	s := decided(t, "request_evidence")
	release := s.hold("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
	defer release()
	term := openTerminal(t, 240, 24, program(t)+" --db "+s.db())
	begun := time.Now()
	term.waitFor("locked by another process; wait for the other program or close it")
	term.waitFor("exit status 3")
	if took := time.Since(begun); took > longestWait {
		t.Errorf("it was said after %s", took)
	}
}

func TestAStoreThatAnotherProgramHoldsIsSaidToBeLocked(t *testing.T) {
	t.Parallel()
	needs(t, "sqlite3")
	pristine := decided(t, "request_evidence")
	every := [][]string{{"import", "packets.jsonl"}, {"queue"}, {"show", sampleCase}, {"records"}, {"verify"}, {"export", "out"},
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
			s := pristine.copied(t)
			release := s.hold(c.statements)
			var all sync.WaitGroup
			for _, args := range every {
				all.Go(func() { s.answers(args, c.reads) })
			}
			all.Wait()
			release()
			if v, plain := s.verify(); v.status != 0 || v.Records != 1 {
				t.Errorf("afterwards: %s", plain)
			}
			s.done("docket-decide", sampleCase, "uphold_decision")
		})
	}
}

// answers runs a command while the store is held.
func (s *site) answers(args []string, reads bool) {
	program, name := "docket", args[0]
	for i, arg := range args {
		if i > 0 && arg != sampleCase {
			args = append(append([]string{}, args[:i]...), s.at(arg))
		}
	}
	writes := name == "import" || name == "decide"
	want := 3
	switch {
	case reads && !writes:
		want = 0
	case name == "decide":
		program, args, want = "docket-decide", []string{sampleCase, "uphold_decision"}, 1
	case name == "doctor":
		want = 1 // it is what doctor finds
	}
	start := time.Now()
	got := run(s.t, program, s.folder, args...)
	said := got.stderr + got.stdout
	if took := time.Since(start); took > longestWait || got.status != want {
		s.t.Errorf("%s: after %s exit status %d, %s", name, took, got.status, said)
	}
	if want != 0 && (!strings.Contains(said, "locked by another process") || !strings.Contains(said, "wait for the other program or close it") ||
		strings.Contains(said, "SQLITE") || strings.Contains(said, "goroutine")) {
		s.t.Errorf("%s: %s", name, said)
	}
}
