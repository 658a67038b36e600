package audit

import (
	"fmt"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"docket/domain"
)

func TestATableHoldsWhatAMapHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table table
		want := map[uint64]uint32{}
		for _, key := range rapid.SliceOf(rapid.Uint64Range(0, 500)).Draw(t, "keys") {
			key *= 0x9e3779b97f4a7c15
			if rapid.Bool().Draw(t, "known") {
				key = fingerprint(key)
			}
			want[fingerprint(key)] = uint32(len(want))
			table.set(key, want[fingerprint(key)])
		}
		for key, value := range want {
			if got, there := table.get(key); !there || got != value {
				t.Fatalf("%d is %d (%v), want %d", key, got, there, value)
			}
		}
		if _, there := table.get(0xdeadbeef); there {
			t.Fatal("a key that was never set is there")
		}
	})
}

// memoryPerRecord is how much may be kept of a record; the package comment promises it.
const memoryPerRecord = 50

func TestLittleIsKeptOfEachRecord(t *testing.T) {
	for _, records := range [...]int{50_000, 200_000} {
		before := liveHeap()
		c, tree := newChain(), &Tree{}
		for i := range records {
			m := domain.EnforcementMembers{Area: domain.Appeals, RecordID: domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
				Key: domain.Key{ID: domain.ID(fmt.Sprintf("case-%d", i)), Number: 1}}
			if kind, _ := c.add(&m, int64(i)); kind != 0 {
				t.Fatal(kind)
			}
			if err := tree.Add([32]byte{byte(i), byte(i >> 8)}); err != nil {
				t.Fatal(err)
			}
		}
		const window = 4 << 20 // hashes of the latest leaves, whatever the size of the log
		if kept := liveHeap() - before; kept > memoryPerRecord*int64(records)+window {
			t.Errorf("%d bytes are kept of %d records", kept, records)
		}
		runtime.KeepAlive(&c)
		runtime.KeepAlive(tree)
	}
}

func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
