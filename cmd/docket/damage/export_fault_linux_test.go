package damage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/cmd/internal/programtest"
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
// or it goes through and the bundle verifies. A sample of the calls fails in turn, with DOCKET_LONG=1 every one.
func TestAnExportThatTheSystemFailsIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	needsStrace(t)
	step := 18
	if os.Getenv("DOCKET_LONG") == "1" {
		step = 1
	}
	first := programtest.Decided(t)
	first.Done("docket-decide", programtest.SampleCase, "request_evidence")
	second := first.Copied(t)
	second.Done("docket", "export", second.At("out"))
	second.Done("docket-decide", programtest.SampleCase, "uphold_decision")
	earlier := second.Copied(t)
	for name, s := range map[string]*programtest.Site{"new": first, "in the place of an earlier one": second} {
		t.Run(name, func(t *testing.T) {
			said := 0
			for _, fault := range exportFaults {
				for n := 1; n <= fault.most; n += max(1, min(step, fault.most/3)) {
					said += exportFails(t, s, fault.call, fault.errno, fault.word, n)
					// The next one begins with what there was.
					s.Remove("out")
					if s == second {
						must(t, os.CopyFS(s.At("out"), os.DirFS(earlier.At("out"))))
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
func exportFails(t *testing.T, s *programtest.Site, call, errno, word string, n int) (hit int) {
	t.Helper()
	out, before := s.At("out"), s.List()
	trace := filepath.Join(t.TempDir(), "trace")
	got := programtest.Run(t, "strace", s.Folder, "-f", "-y", "-qq", "-o", trace, "-e", "trace="+call, "-e",
		fmt.Sprintf("inject=%s:error=%s:when=%d", call, errno, n), "docket", "export", out)
	text, err := os.ReadFile(trace)
	must(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "(INJECTED)") && strings.Contains(line, out) {
			hit++
		}
	}
	at := fmt.Sprintf("%s %d", call, n)
	if got.Status == 0 {
		if v := s.Docket("verify", out); v.Status != 0 {
			t.Errorf("%s: the export went through, and does not verify: %s", at, v.Stdout)
		}
	} else {
		if hit > 0 && !strings.Contains(got.Stderr, word) {
			t.Errorf("%s: the export does not say what failed: %s", at, got.Stderr)
		}
		if now := s.List(); hit > 0 && call != "unlinkat" && call != "fsync" && !slices.Equal(now, before) {
			t.Errorf("%s: there was %v, now there is %v; %s", at, before, now, got.Stderr)
		}
	}
	return hit
}
