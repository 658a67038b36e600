package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exportFaults are system calls that fail once while a bundle is written, with the word for the failure and up to which of a
// thread's calls it is tried.
var exportFaults = []struct {
	call, errno, word string
	most              int
}{
	{"mkdirat", "ENOSPC", "the disk is full", 12},
	{"openat", "EIO", "input/output error", 90},
	{"syncfs", "EIO", "input/output error", 1},
	{"fsync", "EIO", "input/output error", 2},
	{"renameat,renameat2", "ENOSPC", "the disk is full", 2},
	{"unlinkat", "EIO", "input/output error", 6},
}

// A bundle is written as a whole or not at all: where a system call fails the export says what failed and leaves what was there before,
// or it goes through and the bundle verifies. Every ninth call fails in turn, with DOCKET_LONG=1 every one.
func TestAnExportThatTheSystemFailsIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	needs(t, "strace")
	if out, err := exec.Command("strace", "-qq", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine does not allow tracing: %v %s", err, out)
	}
	step := 9
	if os.Getenv("DOCKET_LONG") == "1" {
		step = 1
	}
	first := newSite(t)
	first.done("docket-decide", sampleCase, "request_evidence")
	second := first.copied(t)
	second.done("docket", "export", second.at("out"))
	second.done("docket-decide", sampleCase, "uphold_decision")
	earlier := second.copied(t)
	for name, s := range map[string]*site{"new": first, "in the place of an earlier one": second} {
		t.Run(name, func(t *testing.T) {
			said := 0
			for _, fault := range exportFaults {
				for n := 1; n <= fault.most; n += max(1, min(step, fault.most/3)) {
					said += exportFails(t, s, fault.call, fault.errno, fault.word, n)
					// The next one begins with what there was.
					s.remove("out")
					if s == second {
						if err := os.CopyFS(s.at("out"), os.DirFS(earlier.at("out"))); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if said == 0 {
				t.Error("no failure came while the bundle was written")
			}
		})
	}
}

// exportFails lets the n-th call of each thread fail while s exports, and holds what comes of it to what is promised. It returns
// how many calls failed that were about what is exported.
func exportFails(t *testing.T, s *site, call, errno, word string, n int) (hit int) {
	t.Helper()
	out, before := s.at("out"), s.list()
	trace := filepath.Join(t.TempDir(), "trace")
	got := run(t, "strace", s.folder, "-f", "-y", "-qq", "-o", trace, "-e", "trace="+call, "-e",
		fmt.Sprintf("inject=%s:error=%s:when=%d", call, errno, n), "docket", "export", out)
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "(INJECTED)") && strings.Contains(line, out) {
			hit++
		}
	}
	at := fmt.Sprintf("%s %d", call, n)
	if got.status == 0 {
		if v := s.docket("verify", out); v.status != 0 {
			t.Errorf("%s: the export went through, and does not verify: %s", at, v.stdout)
		}
	} else {
		if hit > 0 && !strings.Contains(got.stderr, word) {
			t.Errorf("%s: the export does not say what failed: %s", at, got.stderr)
		}
		if now := s.list(); hit > 0 && call != "unlinkat" && call != "fsync" && !slices.Equal(now, before) {
			t.Errorf("%s: there was %v, now there is %v; %s", at, before, now, got.stderr)
		}
	}
	return hit
}
