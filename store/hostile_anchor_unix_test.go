//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

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
			return os.WriteFile(path, nil, disk.FileMode)
		}, verify.AnchorUnreadable},
	}
	full, kept := anchoredFixture(t)
	folder := t.TempDir()
	none := Options{Path: folder + "/store/docket.db", AnchorFolder: folder + "/state/anchors", Now: func() time.Time { return noon }}
	empty := fixtureAt(t, openWith(t, none))
	empty.take(empty.mill.appealPolicy(1), empty.mill.appealCase(passing("case-5", 1)))
	originals, anchors := map[int]Options{0: none, 4: kept}, map[int]string{0: empty.store.anchor.Path, 4: full.store.anchor.Path}
	full.close()
	empty.close()
	for name, c := range hostile {
		for _, size := range []int{0, 4} {
			o := copyOf(t, originals[size])
			path := o.AnchorFolder + strings.TrimPrefix(anchors[size], originals[size].AnchorFolder)
			must(t, os.Remove(path))
			must(t, c.make(path))
			if name == "a sparse giant" {
				must(t, os.Truncate(path, 4<<30))
			}
			begun := time.Now()
			s := openWith(t, o)
			wantKinds(t, name, s.Findings(), c.want)
			if s.Anchored() || time.Since(begun) > longestWait {
				t.Errorf("%s at %d records: anchored %v after %v", name, size, s.Anchored(), time.Since(begun))
			}
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
	if waited := time.Since(begun); waited > longestWait {
		t.Errorf("opening took %v", waited)
	}
	caseFile := d.caseFile(terms.AppealCases, "case-4")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	begun = time.Now()
	mustBe(t, errOf(d.store.Append(t.Context(), sub)), ErrAnchorLocked)
	if waited := time.Since(begun); waited > longestWait {
		t.Errorf("it was told after %v", waited)
	}
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
	wantSame(t, "once it is free", need(d.store.Append(t.Context(), sub))(t).TreeSize, 5)
}

// A store that only others may lock for writing keeps the record and says that the anchor is behind.
func TestAnAnchorThatCannotBeKeptIsSaidWithTheReceipt(t *testing.T) {
	t.Parallel()
	d, _ := anchoredFixture(t)
	file := need(os.Open(d.store.anchor.Path))(t)
	defer func() { _ = file.Close() }()
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_SH))
	caseFile := d.caseFile(terms.AppealCases, "case-4")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	receipt, err := d.store.Append(t.Context(), sub)
	var unanchored *AnchorError
	if !errors.As(err, &unanchored) || receipt.TreeSize != 5 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	wantSame(t, "records in the log", wholeLog(t, d.store)[receipt.RecordID].Receipt, receipt)
	must(t, syscall.Flock(int(file.Fd()), syscall.LOCK_UN))
	wantSame(t, "once it can be kept", need(d.store.Append(t.Context(), sub))(t), receipt)
	wantSame(t, "the anchor is of", need(d.store.anchor.Read(t.Context()))(t).Size, 5)
}
