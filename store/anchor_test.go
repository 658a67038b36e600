package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/verify"
)

func TestTheAnchorIsKeptOutsideTheStoreForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	signed := need(d.store.Checkpoint(t.Context()))(t)
	wantNot(t, !d.store.Anchored(), "a new store has no anchor from its making on")
	path := d.store.anchor.Path
	rel := need(filepath.Rel(o.AnchorFolder, path))(t)
	wantNot(t, strings.HasPrefix(rel, ".."), "it is at %s", path)
	content := need(os.ReadFile(path))(t)
	wantNot(t, !bytes.Contains(content, signed), "it holds %s", content)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, o.AnchorFolder: 0o700} {
		wantSame(t, name, need(os.Stat(name))(t).Mode().Perm(), want)
	}
}

func TestAStoreWhoseAnchorCannotBeMadeIsNotMade(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	anchors := filepath.Join(folder, "anchors")
	if err := os.WriteFile(anchors, nil, disk.FileMode); err != nil { // a file where the folder has to be
		t.Fatal(err)
	}
	o := Options{Path: filepath.Join(folder, "store", "docket.db"), AnchorFolder: anchors}
	mustBe(t, openFailing(t, o), ErrNoAnchor)
	left := need(os.ReadDir(filepath.Dir(o.Path)))(t)
	wantNot(t, len(left) > 0, "left behind: %v", left)
	must(t, os.Remove(anchors))
	wantWriting(t, openWith(t, o))
}

func TestAnAnchorThatGoesWhileTheStoreIsOpenStopsRecording(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	mustBe(t, d.store.anchor.Close(), nil)
	must(t, os.RemoveAll(o.AnchorFolder))
	mustBe(t, errOf(d.store.Append(t.Context(), d.submission("case-4", decision{outcome: terms.UpholdDecision}))), ErrTampered)
	wantKinds(t, "the open store", d.store.Findings(), verify.AnchorMissing)
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 4)
}

func TestManyConsolesKeepOneAnchorThatOnlyGrows(t *testing.T) {
	t.Parallel()
	const consoles, each = 4, 12
	first, o := anchoredFixture(t)
	ids := first.cases("more", consoles*each)
	stop, watched := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(watched)
		watcher, newest := merkle.NewAnchor(o.AnchorFolder, first.store.key, time.Second), int64(0)
		for {
			select {
			case <-stop:
				return
			default:
			}
			c, err := watcher.Read(context.Background())
			if err != nil || c.Size < newest {
				watched <- fmt.Errorf("from %d to %d: %w", newest, c.Size, err)
				return
			}
			newest = c.Size
			runtime.Gosched()
		}
	}()
	var all []*fixture
	for range consoles {
		all = append(all, fixtureAt(t, openWith(t, o)))
	}
	failures := atOnce(consoles, func(i int) error { return all[i].recordAll(context.Background(), ids[i*each:(i+1)*each]) })
	close(stop)
	must(t, errors.Join(append(failures, <-watched)...))
	held := need(first.store.anchor.Read(t.Context()))(t)
	wantSame(t, "the anchor is of", held.Size, 12+2*consoles*each)
	wantSame(t, "records", len(wholeLog(t, first.store)), 4+consoles*each)
	wantWriting(t, openWith(t, o))
}

func changeAnchor(t testing.TB, d *fixture, change func([]byte) []byte) {
	t.Helper()
	path := d.store.anchor.Path
	must(t, os.WriteFile(path, change(bytes.Clone(need(os.ReadFile(path))(t))), disk.FileMode))
}

func TestWhatIsWrongWithAnAnchorIsFound(t *testing.T) {
	t.Parallel()
	both := func(replace func(slot []byte) []byte) func([]byte) []byte {
		return func(content []byte) []byte {
			return append(replace(content[:merkle.SlotSize:merkle.SlotSize]), replace(content[merkle.SlotSize:])...)
		}
	}
	replaced := func(old, changed string) func([]byte) []byte {
		return both(func(slot []byte) []byte { return bytes.Replace(slot, []byte(old), []byte(changed), 1) })
	}
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   []verify.Code
	}{
		{"as it is", bytes.Clone, nil},
		{"emptied", func([]byte) []byte { return nil }, []verify.Code{verify.AnchorUnreadable}},
		{"zeroed", func(c []byte) []byte { return make([]byte, len(c)) }, []verify.Code{verify.AnchorUnreadable}},
		{"longer than it is written", func(c []byte) []byte { return append(c, '\n') }, []verify.Code{verify.AnchorUnreadable}},
		{"one slot torn", func(c []byte) []byte { return append(make([]byte, 100), c[100:]...) }, nil},
		{"the other slot torn", func(c []byte) []byte { copy(c[merkle.SlotSize+20:], make([]byte, 30)); return c }, nil},
		{"the other slot missing", func(c []byte) []byte { return c[:merkle.SlotSize] }, nil},
		{"cut short", func(c []byte) []byte { return c[:100] }, []verify.Code{verify.AnchorUnreadable}},
		{"both edited", both(func(slot []byte) []byte {
			return regexp.MustCompile(`\n[0-9]+\n`).ReplaceAll(slot, []byte("\n9\n"))
		}), []verify.Code{verify.AnchorUnreadable}},
		{"another origin", both(func(slot []byte) []byte {
			return regexp.MustCompile("^docket/.").ReplaceAll(slot, []byte("docket/x"))
		}), []verify.Code{verify.CheckpointUnusable}},
		{"no origin", replaced("docket/", "docket."), []verify.Code{verify.AnchorUnreadable}},
		{"other text", func([]byte) []byte { return []byte("hello\n") }, []verify.Code{verify.AnchorUnreadable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, o := anchoredFixture(t)
			d.close()
			changeAnchor(t, d, c.change)
			s := openWith(t, o)
			wantKinds(t, "at opening", s.Findings(), c.want...)
			if c.want != nil {
				mustTakeNothing(t, s)
				return
			}
			fixtureAt(t, s).record("case-4", decision{outcome: terms.UpholdDecision})
		})
	}
}

func TestAForkInEitherSlotOfTheAnchorIsFound(t *testing.T) {
	t.Parallel()
	for slot := range 2 {
		d, o := anchoredFixture(t)
		forked, err := d.store.key.Sign(2, tlog.Hash{1})
		held, failed := d.store.anchor.Read(t.Context())
		must(t, errors.Join(err, failed))
		d.close()
		changeAnchor(t, d, func(content []byte) []byte {
			in := content[slot*merkle.SlotSize : (slot+1)*merkle.SlotSize]
			copy(in, bytes.Repeat([]byte("\n"), merkle.SlotSize))
			copy(in, slices.Concat(forked.Note, held.Tables.Note))
			return content
		})
		s := openWith(t, o)
		wantKinds(t, fmt.Sprintf("in slot %d", slot), s.Findings(), verify.Forked)
		wantNot(t, !s.ReadOnly(), "slot %d: it takes records", slot)
	}
}
