package merkle

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// anchored is a folder with an anchor of the first four records, which is on the disk, and the key of its log.
func anchored(t *testing.T) (folder string, key *Key) {
	t.Helper()
	key, _, err := NewKey(t.Context(), false, "")
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	a := NewAnchor(folder, key, time.Second)
	for size := range int64(5) {
		c, err := key.Sign(size, tlog.Hash{byte(size)})
		if err == nil && size == 0 {
			err = a.Begin(begun(t, key, c))
		}
		if err == nil && size > 0 {
			err = a.Keep(t.Context(), Anchored{Checkpoint: c})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return folder, key
}

// begun is what a new anchor keeps: a checkpoint, and a head of no rows.
func begun(t *testing.T, key *Key, c Checkpoint) Anchored {
	t.Helper()
	first := Anchored{Checkpoint: c}
	if err := key.SignTables(&first.Tables); err != nil {
		t.Fatal(err)
	}
	return first
}

// What a power failure leaves of the slot that is being written is any bytes. So the other one has to be on the disk
// before it is, by any writer.
func TestTheAnchorNeverWritesOverTheNewestSlotThatIsOnTheDisk(t *testing.T) {
	folder, key := anchored(t)
	a := NewAnchor(folder, key, time.Second)
	if _, err := a.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	slotOfSize := func(size int64) int {
		return slices.IndexFunc(a.slots.held[:], func(c Anchored) bool { return c.Note != nil && c.Size == size })
	}
	keep := func(size int64) {
		t.Helper()
		c, err := key.Sign(size, tlog.Hash{byte(size)})
		if err == nil {
			err = a.Keep(t.Context(), Anchored{Checkpoint: c})
		}
		if err == nil {
			_, err = a.Read(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a.syncing = true // nothing is synced in the background
	keep(5)
	durable := slotOfSize(4)
	if durable < 0 || slotOfSize(5) != 1-durable {
		t.Fatal("what another process had written was overwritten")
	}
	keep(6)
	if slotOfSize(4) != durable || slotOfSize(6) != 1-durable {
		t.Error("the slot that is on the disk was overwritten before the other one was")
	}
	a.synced(a.last, nil)
	keep(7)
	if slotOfSize(6) != 1-durable || slotOfSize(7) != durable {
		t.Error("once the other one is on the disk it is not written in turn")
	}
	a.pending.Wait()
}

func TestEveryFlippedByteOfAnAnchorLeavesNoOtherCheckpointThanOnesThatWereWritten(t *testing.T) {
	folder, key := anchored(t)
	content, err := os.ReadFile(NewAnchor(folder, key, time.Second).Path)
	if err != nil {
		t.Fatal(err)
	}
	var before slots
	if _, _, err := before.read(key, content); err != nil {
		t.Fatal(err)
	}
	for at := range content {
		flipped := bytes.Clone(content)
		flipped[at] ^= 1 << (at % 8)
		var s slots
		newest, _, err := s.read(key, flipped)
		if err != nil {
			t.Fatalf("byte %d of one slot spoils both: %v", at, err)
		}
		if !bytes.Equal(newest.Note, before.held[0].Note) && !bytes.Equal(newest.Note, before.held[1].Note) {
			t.Fatalf("byte %d makes another checkpoint", at)
		}
	}
}
