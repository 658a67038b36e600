package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"docket/domain/terms"
)

// injections are what is made to go wrong, at one call after the other; with a plus at that call and all after it.
var injections = []struct {
	calls, fault string
	usual, long  int // how many runs there are; a long one has each of the first calls fail in turn, a usual one some of them
}{
	{"fsync,fdatasync", "error=EIO", 2, 16},
	{"fsync,fdatasync", "error=EIO+", 2, 16},
	{"pwrite64", "error=ENOSPC+", 2, 40},
	{"pwrite64", "error=ENOSPC", 2, 40},
	{"pwrite64", "error=EIO", 2, 40},
	{"ftruncate", "error=EIO", 2, 10},
	{"fsync,fdatasync", "signal=KILL", 2, 16},
	{"pwrite64", "signal=KILL", 2, 40},
	{"ftruncate", "signal=KILL", 2, 10},
	{"openat", "signal=KILL", 2, 30},
	{"linkat,unlinkat,renameat,unlink,rename", "signal=KILL", 2, 10},
	{"close", "signal=KILL", 2, 30},
}

func straced(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed; on Debian: apt-get install strace")
	}
	if out, err := exec.CommandContext(t.Context(), program, "-qq", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("this machine does not allow tracing: %v %s", err, out)
	}
	return program
}

// traced is a command under strace.
func traced(command *exec.Cmd, strace string, options ...string) *exec.Cmd {
	command.Args = slices.Concat([]string{strace, "-f", "-qq"}, options, command.Args)
	command.Path = strace
	return command
}

func TestNothingAcknowledgedIsLostWhenTheSystemFails(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		recordThrough(t, folder)
		return
	}
	program, original := straced(t), storeOfCases(t)
	for _, c := range injections {
		t.Run(c.calls+" "+c.fault, func(t *testing.T) {
			turns := sampled(c.long, c.usual, 1)
			stride := c.long / turns
			for turn := range turns {
				fault, forever := strings.CutSuffix(c.fault, "+")
				inject := fmt.Sprintf("inject=%s:%s:when=%d", c.calls, fault, 1+turn*stride)
				if forever {
					inject += "+"
				}
				child := func(folder string) *exec.Cmd {
					command := again(t, "TestNothingAcknowledgedIsLostWhenTheSystemFails", folder)
					return traced(command, program, "-o", filepath.Join(folder, "trace"), "-e", "trace="+c.calls, "-e", inject)
				}
				mustSurvive(t, original, inject, child)
			}
		})
	}
}

// storeOfCases makes a store of a few cases, of which one is recorded on, and returns its folder.
func storeOfCases(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	d := fixtureAt(t, openWith(t, faultOptions(folder)))
	d.take(d.mill.appealPolicy(1))
	for i := range 6 {
		d.take(d.mill.appealCase(passing(fmt.Sprintf("case-%d", i), 1)))
	}
	d.record("case-5", decision{outcome: terms.UpholdDecision})
	d.close()
	return folder
}

// mustSurvive runs a child on a copy of a store, and holds what it acknowledged to what is there afterwards.
func mustSurvive(t *testing.T, original, fault string, child func(folder string) *exec.Cmd) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(folder, os.DirFS(original)))
	o := faultOptions(folder)
	command := child(folder)
	var out strings.Builder
	command.Stdout, command.Stderr = &out, io.Discard
	if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	var acknowledged [][]string
	for line := range strings.Lines(out.String()) {
		words, found := strings.CutPrefix(line, "ack ")
		if found && strings.HasPrefix(words, "findings") {
			t.Errorf("%s: %s", fault, line)
		} else if found {
			acknowledged = append(acknowledged, strings.Fields(words))
		}
	}
	s := openWith(t, o)
	wantKinds(t, fault, append(s.Findings(), proven(t, s)...))
	if !s.Anchored() {
		t.Errorf("%s: the anchor is gone", fault)
	}
	count := mustHold(t, s, acknowledged)
	t.Logf("%s: %d acknowledged", fault, count)
	mustBeWholeBackup(t, filepath.Join(folder, "backup.db"))
	fixtureAt(t, s).retake(t)
}

// mustBeWholeBackup fails if there is a backup that is none.
func mustBeWholeBackup(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return
	}
	s, err := Open(t.Context(), Options{Path: path, ReadOnly: true})
	if err != nil {
		t.Error(err)
		return
	}
	wantKinds(t, "the backup", append(s.Findings(), proven(t, s)...))
	must(t, s.Close())
}

// retake records on what is left to be recorded on: the store has to take it.
func (d *fixture) retake(t *testing.T) {
	t.Helper()
	for i := range 6 {
		id := terms.ID(fmt.Sprintf("case-%d", i))
		if caseFile := d.caseFile(terms.AppealCases, id); caseFile.InForce == "" {
			d.record(id, decision{outcome: terms.UpholdDecision})
		}
	}
	wantSame(t, "records in the end", len(wholeLog(t, d.store)), 6)
}

// limitVariable is how large a file may grow in a process that is run again.
const limitVariable = "DOCKET_FILE_LIMIT"

// TestNothingAcknowledgedIsLostWhenFilesCannotGrow stands for a full disk where no small one can be mounted.
func TestNothingAcknowledgedIsLostWhenFilesCannotGrow(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		var limit uint64
		need(fmt.Sscan(os.Getenv(limitVariable), &limit))(t)
		signal.Ignore(syscall.SIGXFSZ)
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}))
		recordThrough(t, folder)
		return
	}
	original := storeOfCases(t)
	for _, limit := range []int{0, 100, 4096, 5000, 20_000, 33_000, 40_000, 60_000, 90_000, 150_000, 400_000} {
		mustSurvive(t, original, fmt.Sprintf("files of at most %d bytes", limit), func(folder string) *exec.Cmd {
			command := again(t, t.Name(), folder)
			command.Env = append(command.Env, fmt.Sprintf("%s=%d", limitVariable, limit))
			return command
		})
	}
}
