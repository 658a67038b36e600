package store

import (
	"context"
	"testing"
)

func TestNothingIsWrongBesideTheRecordsOfAHealthyStore(t *testing.T) {
	d, _ := anchoredDesk(t)
	var done, total int64
	list, err := d.store.ProveBesides(t.Context(), func(d, t int64) { done, total = d, t })
	if err != nil || len(list) > 0 || len(d.store.Findings()) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	if size, err := d.store.logSize(t.Context()); err != nil || done != size || total != size {
		t.Errorf("%d of %d records, there are %d: %v", done, total, size, err)
	}
}

func BenchmarkProveBesides(b *testing.B) {
	d := manyRecords(b, 4*portion)
	for b.Loop() {
		if list, err := d.store.ProveBesides(context.Background(), nil); err != nil || len(list) > 0 {
			b.Fatal(list, err)
		}
	}
	b.ReportMetric(float64(b.N)*4*portion/b.Elapsed().Seconds(), "records/s")
}
