package verify_test

import (
	"context"
	"testing"

	"docket/store/verify"
)

// mostGrowth is how many bytes of live memory a check may take more at its end than at its beginning, for any number of
// records: the batches under way and the hashes of the latest leaves. growthEach is what each record may add.
const (
	mostGrowth = 12 << 20
	growthEach = 192
)

func TestCheckingAStoreTakesFewBytesARecord(t *testing.T) {
	records := recordsOr(2_000)
	log := need(openStock(t, stock(t, records)).Snapshot(t.Context()))(t)
	var first, most, next int64
	need(verify.Check(context.Background(), log, verify.Options{Progress: func(done, total int64) {
		if done < next {
			return
		}
		next += max(1, total/10)
		if first == 0 {
			first = verify.LiveHeap()
		}
		most = max(most, verify.LiveHeap())
	}}))(t)
	t.Logf("%d bytes at the beginning, at most %d over %d records", first, most, records)
	if most-first > mostGrowth+growthEach*int64(records) {
		t.Errorf("%d bytes more than at the beginning", most-first)
	}
}
