package verify

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/domain"
)

func TestRecordsAreToldApartExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := map[recordName]domain.RecordID{}
		for range 200 {
			at := domain.InstantOf(time.UnixMilli(rapid.Int64Range(1<<40, 1<<40+3).Draw(t, "millisecond")))
			random := [10]byte{9: rapid.Byte().Draw(t, "random")}
			id := domain.NewRecordID(at, random)
			if before, there := names[nameOf(id)]; there && before != id {
				t.Fatalf("%s and %s have one name", before, id)
			}
			names[nameOf(id)] = id
		}
	})
}

// mostKept is how many bytes may be kept of a log whatever its size, the hashes of its latest leaves, and keptEach of each
// record: its id, the name of its revision and upper hashes. The package comment says what is kept.
const (
	mostKept = 4 << 20
	keptEach = 192
)

func TestFewBytesAreKeptOfEachRecord(t *testing.T) {
	for _, records := range [...]int{1 << 16, 1 << 18} {
		before := liveHeap()
		c := newChain()
		tree := &Tree{}
		for i := range records {
			m := domain.EnforcementMembers{Area: domain.Appeals, RecordID: domain.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
				Key: domain.Key{ID: domain.ID(fmt.Sprintf("case-%d", i)), Number: 1}}
			if kind, _ := c.add(&m, int64(i), nil); kind != 0 {
				t.Fatal(kind)
			}
			if _, err := tree.Add([32]byte{byte(i), byte(i >> 8)}); err != nil {
				t.Fatal(err)
			}
		}
		if kept := liveHeap() - before; kept > mostKept+keptEach*int64(records) {
			t.Errorf("%d bytes are kept of %d records", kept, records)
		} else {
			t.Logf("%d bytes are kept of %d records", kept, records)
		}
		runtime.KeepAlive(tree)
		runtime.KeepAlive(&c)
	}
}

func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
