package storelog_test

import (
	"context"
	"runtime"
	"testing"

	"docket/cmd/internal/storelog"
	"docket/store/verify"
)

// mostGrowth is how many bytes of live memory a check may take more at its end than at its beginning, whatever the
// number of records: the batches under way, the hashes of the latest leaves and the fingerprints of 65,536 records.
const mostGrowth = 16 << 20

func TestCheckingAStoreTakesNoMoreMemoryTheMoreRecordsItHas(t *testing.T) {
	records := recordsOr(2_000)
	log, err := storelog.Of(context.Background(), openStock(t, stock(t, records)))
	if err != nil {
		t.Fatal(err)
	}
	var first, most, next int64
	_, err = verify.Check(context.Background(), log, verify.Options{Progress: func(done, total int64) {
		if done < next {
			return
		}
		next += max(1, total/10)
		if first == 0 {
			first = liveHeap()
		}
		most = max(most, liveHeap())
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes at the beginning, at most %d over %d records", first, most, records)
	if most-first > mostGrowth {
		t.Errorf("%d bytes more than at the beginning", most-first)
	}
}

func liveHeap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
