package store

import (
	"bytes"
	"context"
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
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
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
	err := command.Run()
	mustNot(t, err != nil && !errors.As(err, new(*exec.ExitError)), "%v", err)
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
	wantNot(t, !s.Anchored(), "%s: the anchor is gone", fault)
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
			err := child.Run()
			mustNot(t, err != nil && !errors.As(err, new(*exec.ExitError)), "%v", err)
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
	wantNot(t, whole == 0 || none == 0, "no kill was in the middle")
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
	report := need(s.Verify(t.Context(), verify.Options{}))(t)
	mustNot(t, !report.OK() || s.ReadOnly(), "%s: %v", at, report.Findings)
	stated := map[records.Erasure]bool{}
	for i := range report.Accepted {
		if e, is := report.Accepted[i].Erasure(); is {
			stated[e.Object()] = true
		}
	}
	// The files are read by another program: this one has them open.
	read := func(script, path string) []byte {
		t.Helper()
		return need(exec.CommandContext(t.Context(), "sh", "-c", script, "sh", path).Output())(t)
	}
	beside := read(`cat "$1" "$1"-*`, o.Path)
	copied := filepath.Join(folder, "backup.db")
	err := s.Backup(t.Context(), copied, nil)
	mustNot(t, err != nil, "%s: %v", at, err)
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
	notes := need(filepath.Glob(o.Path + "-erasing-*"))(t)
	wantNot(t, len(notes) > 0, "%s: %v is left", at, notes)
	caseFile := fixtureAt(t, s).caseFile(terms.AppealCases, "case-2")
	wantNot(t, caseFile.InForce == "", "%s: a record is gone", at)
	must(t, s.Close())
	return erased
}

// A store that is made outlasts a power failure only if the folders that name its files are synced, too: each that was made, the one
// that they were made in, and those of the anchor and the key.
func TestEveryFolderOfANewStoreIsSynced(t *testing.T) {
	t.Parallel()
	options := func(folder string) Options {
		return Options{Path: filepath.Join(folder, "new", "store", "docket.db"), AnchorFolder: filepath.Join(folder, "state", "anchors")}
	}
	if folder := os.Getenv(pathVariable); folder != "" {
		must(t, openWith(t, options(folder)).Close())
		return
	}
	program := straced(t)
	folder := need(filepath.EvalSymlinks(t.TempDir()))(t)
	trace := filepath.Join(t.TempDir(), "trace")
	command := again(t, t.Name(), folder)
	command.Args = append([]string{program, "-ff", "-y", "-qq", "-o", trace, "-e", "trace=fsync"}, command.Args...)
	command.Path = program
	out, err := command.CombinedOutput()
	mustNot(t, err != nil, "%v:\n%s", err, out)
	traces, err := filepath.Glob(trace + ".*") // one a thread: in a common one the calls of two threads cut each other in two
	must(t, err)
	var text []byte
	for _, trace := range traces {
		of := need(os.ReadFile(trace))(t)
		text = append(text, of...)
	}
	anchors := need(filepath.Glob(filepath.Join(folder, "state", "anchors", "*")))(t)
	mustNot(t, len(anchors) == 0, "%d anchors", len(anchors))
	for _, made := range append(anchors, folder, filepath.Join(folder, "new"), filepath.Join(folder, "new", "store"),
		filepath.Join(folder, "state"), filepath.Join(folder, "state", "anchors")) {
		wantText(t, made, string(text), "<"+made+">) = 0")
	}
}

// TestADiskThatFillsUpLosesNothing runs again in a process with mounts of its own, on a disk of a few kilobytes.
func TestADiskThatFillsUpLosesNothing(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv(pathVariable); folder != "" {
		onSmallDisk(t, folder)
		return
	}
	child := again(t, t.Name(), t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if out, err := child.CombinedOutput(); errors.Is(err, syscall.EPERM) {
		t.Skip("only root can mount a small disk to fill up")
	} else if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
}

func onSmallDisk(t *testing.T, folder string) {
	must(t, syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=4m"))
	filler := filepath.Join(folder, "filler")
	fill := func() {
		err := os.WriteFile(filler, make([]byte, 1<<23), 0o600)
		mustNot(t, !errors.Is(err, syscall.ENOSPC), "the disk is not full: %v", err)
	}
	free := func() {
		must(t, os.Remove(filler))
	}
	path := filepath.Join(folder, "docket.db")
	fill()
	mustBe(t, openFailing(t, Options{Path: path}), ErrDiskFull)
	free()
	d := fixtureAt(t, openAt(t, path, noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	sub := d.submission("case-1", decision{outcome: terms.UpholdDecision, note: records.Note{Salt: "s", Text: strings.Repeat("x", 1<<18)}})
	wantErr(t, "on a disk with room", d.store.Appendable(t.Context(), 1<<20), nil)
	mustBe(t, d.store.Appendable(t.Context(), 1<<40), ErrDiskFull)
	fill()
	mustBe(t, d.store.Appendable(t.Context(), 1<<20), ErrDiskFull)
	mustBe(t, errOf(d.store.Append(context.Background(), sub)), ErrDiskFull)
	mustBe(t, d.store.Appendable(t.Context(), 1<<20), ErrDiskFull)
	packets := make([]packets.Packet, 100)
	for i := range packets {
		packets[i] = d.mill.appealCase(passing("case-2", int64(i+1)))
	}
	mustBe(t, errOf(d.store.Import(context.Background(), packets)), ErrDiskFull)
	wantNot(t, len(wholeLog(t, d.store)) != 0 || len(d.queue(terms.Appeals, "")) != 1,
		"something was written in part")
	free()
	wantErr(t, "on a disk with room again", d.store.Appendable(t.Context(), 1<<20), nil)
	need(d.store.Append(context.Background(), sub))(t)
	d.take(packets...)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 1)
	// A copy of the open store, with its write-ahead log and without the index of that, is read all the same, also by what would write.
	copied := filepath.Join(folder, "copied.db")
	for _, suffix := range []string{"", "-wal"} {
		out, err := exec.Command("cp", path+suffix, copied+suffix).CombinedOutput()
		mustNot(t, err != nil, "%v: %s", err, out)
	}
	fill()
	for _, only := range []bool{true, false} {
		s := openWith(t, Options{Path: copied, ReadOnly: only, Now: func() time.Time { return noon }})
		wantNot(t, len(wholeLog(t, s)) != 1 || len(s.Findings()) > 0 || !s.ReadOnly(),
			"a copy on the full disk, only read %v: %d records, %v", only, len(wholeLog(t, s)), s.Findings())
		must(t, s.Close())
	}
	wantErr(t, "the write-ahead log of the copy", errOf(os.Stat(copied+"-wal")), nil)
	free()
	wantSame(t, "records in the copy", len(wholeLog(t, openWith(t, Options{Path: copied, Now: func() time.Time { return noon }}))), 1)
}
