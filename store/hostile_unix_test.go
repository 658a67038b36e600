//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/verify"
)

// longestWait is more than the two seconds in which a person is told, for a busy machine. A program that waits as long as a service does
// takes longer.
const longestWait = 8 * time.Second

// What stands where an anchor has to be is a finding, at every size of the log, and is never waited for.
func TestWhatIsNoAnchorIsAFindingAndIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	hostile := map[string]struct {
		make func(path string) error
		want verify.Code
	}{
		"nothing":           {func(string) error { return nil }, verify.AnchorMissing},
		"a folder":          {func(path string) error { return os.Mkdir(path, disk.FolderMode) }, verify.AnchorUnreadable},
		"a FIFO":            {func(path string) error { return syscall.Mkfifo(path, disk.FileMode) }, verify.AnchorUnreadable},
		"a device":          {func(path string) error { return os.Symlink("/dev/zero", path) }, verify.AnchorUnreadable},
		"a link to nowhere": {func(path string) error { return os.Symlink("nowhere", path) }, verify.AnchorUnreadable},
		"a link to itself":  {func(path string) error { return os.Symlink(path, path) }, verify.AnchorUnreadable},
		"an empty file":     {func(path string) error { return os.WriteFile(path, nil, disk.FileMode) }, verify.AnchorUnreadable},
		"zeros":             {func(path string) error { return os.WriteFile(path, make([]byte, 2*merkle.SlotSize), disk.FileMode) }, verify.AnchorUnreadable},
		"a sparse giant": {func(path string) error {
			return errors.Join(os.WriteFile(path, nil, disk.FileMode), os.Truncate(path, 4<<30))
		}, verify.AnchorUnreadable},
	}
	full, kept := anchoredFixture(t)
	none := anchoredOptions(t)
	empty := fixtureAt(t, openWith(t, none))
	empty.take(empty.mill.appealPolicy(1), empty.mill.appealCase(passing("case-5", 1)))
	originals, anchors := map[int]Options{0: none, 4: kept}, map[int]string{0: empty.store.anchor.Path, 4: full.store.anchor.Path}
	full.close()
	empty.close()
	for name, c := range hostile {
		for _, size := range []int{0, 4} {
			o := copiedStore(t, originals[size])
			path := o.AnchorFolder + strings.TrimPrefix(anchors[size], originals[size].AnchorFolder)
			must(t, os.Remove(path))
			must(t, c.make(path))
			begun := time.Now()
			s := openWith(t, o)
			wantKinds(t, name, s.Findings(), c.want)
			wantNot(t, s.Anchored() || time.Since(begun) > longestWait,
				"%s at %d records: anchored %v after %v", name, size, s.Anchored(), time.Since(begun))
			mustTakeNothing(t, s)
		}
	}
}

func TestALockedAnchorIsNoFindingAndIsToldSoon(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	path := d.store.anchor.Path
	d.close()
	file := need(os.Open(path))(t)
	defer func() { _ = file.Close() }()
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_EX))
	begun := time.Now()
	d = fixtureAt(t, openWith(t, o))
	wantKinds(t, "at opening", d.store.Findings())
	waited := time.Since(begun)
	wantNot(t, waited > longestWait, "opening took %v", waited)
	sub := d.submission("case-4", decision{outcome: terms.UpholdDecision})
	begun = time.Now()
	err := errOf(d.store.Append(t.Context(), sub))
	mustBe(t, err, ErrAnchorLocked)
	mustBe(t, err, disk.ErrHeld)
	waited = time.Since(begun)
	wantNot(t, waited > longestWait, "it was told after %v", waited)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 4)
	brief, end := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer end()
	mustBe(t, d.store.AwaitAnchor(brief), context.DeadlineExceeded)
	free := make(chan error)
	go func() { free <- d.store.AwaitAnchor(t.Context()) }()
	enough, leave := context.WithCancelCause(t.Context())
	reason := errors.New("the reviewer leaves")
	leave(reason)
	mustBe(t, d.store.AwaitAnchor(enough), reason)
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_UN))
	must(t, <-free)
	wantSame(t, "once it is free", need(d.store.Append(t.Context(), sub))(t).TreeSize, 13)
}

// A store that only others may lock for writing keeps the record and says that the anchor is behind.
func TestAnAnchorThatCannotBeKeptIsSaidWithTheReceipt(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	file := need(os.Open(d.store.anchor.Path))(t)
	defer func() { _ = file.Close() }()
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_SH))
	sub := d.submission("case-4", decision{outcome: terms.UpholdDecision})
	receipt, err := d.store.Append(t.Context(), sub)
	var unanchored *AnchorError
	mustNot(t, !errors.As(err, &unanchored) || receipt.TreeSize != 13, "%+v, %v", receipt, err)
	wantSame(t, "records in the log", wholeLog(t, d.store)[receipt.RecordID].Receipt, receipt)
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_UN))
	wantSame(t, "once it can be kept", need(d.store.Append(t.Context(), sub))(t), receipt)
	wantSame(t, "the anchor is of", need(d.store.anchor.Read(t.Context()))(t).Size, 13)
}

// TestAStoreThatMayOnlyBeReadCanBeRead runs again as a user who owns nothing, because root may write anywhere.
func TestAStoreThatMayOnlyBeReadCanBeRead(t *testing.T) {
	t.Parallel()
	if path := os.Getenv(pathVariable); path != "" {
		mayOnlyRead(t, path)
		return
	}
	folder := need(os.MkdirTemp("", "docket-read-only-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	mode := func(name string, mode os.FileMode) {
		t.Helper()
		must(t, os.Chmod(name, mode))
	}
	mode(folder, 0o755)
	path := filepath.Join(folder, "docket.db")
	d := fixtureAt(t, openAt(t, path, noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	must(t, d.store.Close())
	mode(path, 0o444)
	for name, folderMode := range map[string]os.FileMode{"in a folder that cannot be written": 0o555, "in one that can": 0o777} {
		t.Run(name, func(t *testing.T) {
			mode(folder, folderMode)
			defer mode(folder, 0o755)
			asNobody(t, "TestAStoreThatMayOnlyBeReadCanBeRead", folder, path)
		})
	}
}

func mayOnlyRead(t *testing.T, path string) {
	for _, readOnly := range []bool{true, false} {
		s := openWith(t, Options{Path: path, ReadOnly: readOnly, Now: func() time.Time { return noon }})
		wantSame(t, "rows", len(need(queueOf(t.Context(), s, terms.Appeals, terms.InstantOf(noon), ""))(t)), 1)
		mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{(&mill{t: t}).appealCase(passing("case-9", 1))})), ErrReadOnly)
		if !readOnly {
			mustBe(t, s.Obstacle(), ErrReadOnly)
		}
	}
	if !disk.FolderWritable(path) {
		mustBe(t, openFailing(t, Options{Path: filepath.Join(filepath.Dir(path), "other.db")}), ErrReadOnly)
	}
}

// asNobody runs the test again from a copy of this program that everybody may run.
func asNobody(t *testing.T, name, folder, path string) {
	t.Helper()
	program := need(os.ReadFile(os.Args[0]))(t)
	shared := need(os.MkdirTemp("", "docket-program-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(shared) })
	copied := filepath.Join(shared, "store.test")
	must(t, os.WriteFile(copied, program, 0o600))
	for _, open := range []string{shared, copied} {
		must(t, os.Chmod(open, 0o755))
	}
	command := again(t, name, path)
	command.Path, command.Dir = copied, folder
	if os.Getuid() == 0 {
		const nobody = 65534
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := command.CombinedOutput()
	mustNot(t, err != nil, "%v:\n%s", err, out)
}

// What is written to a file that has lost its name is gone with the last program that has it open.
func TestAStoreThatIsNoLongerAtItsPathTakesNothing(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"removed": func(path string) error { return disk.Discard(path) },
		"moved":   func(path string) error { return os.Rename(path, path+".moved") },
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("another file"), disk.FileMode))
		},
		"without its write-ahead log": func(path string) error { return os.Remove(path + "-wal") },
	} {
		t.Run(name, func(t *testing.T) {
			s := need(Open(t.Context(), anchoredOptions(t)))(t)
			defer func() { _ = s.Close() }() // its files are gone
			d := fixtureAt(t, s)
			d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
			d.record("case-1", decision{outcome: terms.UpholdDecision})
			caseFile := d.caseFile(terms.AppealCases, "case-1")
			must(t, change(s.Path()))
			err := errOf(s.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.BlockReliance, supersedes: caseFile.InForce,
				added: []terms.Blocker{terms.ScopeMissing}})))
			mustBe(t, err, ErrReplaced)
			wantText(t, "it does not say what happened", err.Error(), s.Path(), "nothing was written")
			mustBe(t, errOf(s.Import(t.Context(), []packets.Packet{d.mill.appealCase(passing("case-9", 1))})), ErrReplaced)
			mustBe(t, s.Skip(t.Context(), reviewerID, terms.AppealCases, packets.Key{ID: "case-1", Number: 1}, "why"), ErrReplaced)
		})
	}
}
