package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"docket/domain"
)

func TestATableHoldsWhatAMapHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, err := newTable(rapid.SampledFrom([]int64{1000, keysInMemory + 1}).Draw(t, "room"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := table.close(); err != nil {
				t.Error(err)
			}
		}()
		want := map[uint64]uint32{}
		for _, key := range rapid.SliceOf(rapid.Uint64Range(0, 500)).Draw(t, "keys") {
			key *= 0x9e3779b97f4a7c15
			if rapid.Bool().Draw(t, "known") {
				key = fingerprint(key)
			}
			want[fingerprint(key)] = uint32(len(want))
			if err := table.set(key, want[fingerprint(key)]); err != nil {
				t.Fatal(err)
			}
		}
		for key, value := range want {
			if got, there, err := table.get(key); !there || got != value || err != nil {
				t.Fatalf("%d is %d (%v, %v), want %d", key, got, there, err, value)
			}
		}
		if _, there, err := table.get(0xdeadbeef); there || err != nil {
			t.Fatal("a key that was never set is there")
		}
	})
}

func TestATableInAFileRefusesMoreThanItWasMadeFor(t *testing.T) {
	file, err := newTableFile(100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if err := file.set(uint64(i+1), uint32(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.set(1, 7); err != nil {
		t.Errorf("a key that is there cannot be set again: %v", err)
	}
	if value, there, err := file.get(1); value != 7 || !there || err != nil {
		t.Error(value, there, err)
	}
	if file.set(101, 0) == nil {
		t.Error("one key more is taken")
	}
	if err := file.close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file.file.Name()); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the file is still there")
	}
	if _, _, err := file.get(1); err == nil {
		t.Error("a closed table answers")
	}
}

// mostKept is how many bytes may be kept of a log besides its upper hashes, whatever its size: the hashes of its latest
// leaves, and the fingerprints of a log of which they still are in memory. The package comment says what is kept.
const (
	mostKept        = 6 << 20
	upperHashesEach = 1 // bytes a record, rounded up
)

func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	for _, records := range [...]int{keysInMemory, 4 * keysInMemory} {
		before := liveHeap()
		c, err := newChain(int64(records))
		if err != nil {
			t.Fatal(err)
		}
		tree := &Tree{}
		for i := range records {
			m := domain.EnforcementMembers{Area: domain.Appeals, RecordID: domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
				Key: domain.Key{ID: domain.ID(fmt.Sprintf("case-%d", i)), Number: 1}}
			if kind, _, err := c.add(&m, int64(i), nil); kind != 0 || err != nil {
				t.Fatal(kind, err)
			}
			if err := tree.Add([32]byte{byte(i), byte(i >> 8)}); err != nil {
				t.Fatal(err)
			}
		}
		if kept := liveHeap() - before; kept > mostKept+upperHashesEach*int64(records) {
			t.Errorf("%d bytes are kept of %d records", kept, records)
		} else {
			t.Logf("%d bytes are kept of %d records", kept, records)
		}
		runtime.KeepAlive(tree)
		if err := c.close(); err != nil {
			t.Error(err)
		}
	}
}

func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
