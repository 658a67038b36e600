package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/merkle"
	"docket/store/verify"

	"golang.org/x/mod/sumdb/tlog"
)

// changeAnchor rewrites the anchor of a closed store.
func changeAnchor(t testing.TB, d *fixture, change func([]byte) []byte) {
	t.Helper()
	path := d.store.anchor.Path
	content := need(os.ReadFile(path))(t)
	must(t, os.WriteFile(path, change(bytes.Clone(content)), disk.FileMode))
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
		}), []verify.Code{verify.CheckpointOrigin}},
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

func TestALockThatIsNotGivenUpIsNotWaitedForForever(t *testing.T) {
	t.Parallel()
	d, o := anchoredFixture(t)
	d.close()
	o.BusyTimeout = briefly
	d = fixtureAt(t, openWith(t, o))
	file := need(os.Open(d.store.anchor.Path))(t)
	must(t, disk.Lock(t.Context(), file, disk.Exclusive, time.Second))
	caseFile := d.caseFile(terms.AppealCases, "case-4")
	sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
	mustBe(t, errOf(d.store.Append(t.Context(), sub)), disk.ErrHeld)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mustBe(t, disk.Lock(ctx, file, disk.Exclusive, time.Second), nil) // its own lock
	must(t, file.Close())
	need(d.store.Append(t.Context(), sub))(t)
}

// Both slots are held to the log: a checkpoint of another history in either of them is found.
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
			copy(in, slices.Concat(forked.Note, held.Packets.Note, held.Tables.Note))
			return content
		})
		s := openWith(t, o)
		wantKinds(t, fmt.Sprintf("in slot %d", slot), s.Findings(), verify.Forked)
		if !s.ReadOnly() {
			t.Errorf("slot %d: it takes records", slot)
		}
	}
}
