package verify

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

func TestRecordsAreToldApartExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := map[recordName]records.RecordID{}
		for range 200 {
			at := terms.InstantOf(time.UnixMilli(rapid.Int64Range(1<<40, 1<<40+3).Draw(t, "millisecond")))
			random := [10]byte{9: rapid.Byte().Draw(t, "random")}
			id := records.NewRecordID(at, random)
			if before, there := names[nameOf(id)]; there && before != id {
				t.Fatalf("%s and %s have one name", before, id)
			}
			names[nameOf(id)] = id
		}
	})
}

// mostKept is how many bytes may be kept of a log of any size, the hashes of its latest leaves, and keptEach of each
// record: its id, the name of its revision and upper hashes. The package comment says what is kept.
const (
	mostKept = 4 << 20
	keptEach = 192
)

func TestFewBytesAreKeptOfEachRecord(t *testing.T) {
	for _, logged := range [...]int{1 << 16, 1 << 18} {
		before := liveHeap()
		c := newChain()
		tree := &Tree{}
		for i := range logged {
			m := records.Members{Area: terms.Appeals, RecordID: records.RecordID(fmt.Sprintf("019ecb6a-4e00-7abc-8def-%012x", i)),
				Key: packets.Key{ID: terms.ID(fmt.Sprintf("case-%d", i)), Number: 1}}
			if kind, _ := c.add(&m, int64(i), nil); kind != 0 {
				t.Fatal(kind)
			}
			if _, err := tree.Add([32]byte{byte(i), byte(i >> 8)}); err != nil {
				t.Fatal(err)
			}
		}
		if kept := liveHeap() - before; kept > mostKept+keptEach*int64(logged) {
			t.Errorf("%d bytes are kept of %d records", kept, logged)
		} else {
			t.Logf("%d bytes are kept of %d records", kept, logged)
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
