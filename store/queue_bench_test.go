package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"docket/domain/terms"
)

// amongMany is a fixture with so many cases, a hundredth of which is decided on.
func amongMany(b *testing.B, count int) *fixture {
	b.Helper()
	d := fixtureAt(b, openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1))
	packets := packetsOf3KB(b, count)
	for from := 0; from < count; from += portion {
		d.take(packets[from:min(from+portion, count)]...)
	}
	for i := range count / 100 {
		d.record(packets[i].Key().ID, decision{outcome: terms.BlockReliance})
	}
	return d
}

func BenchmarkQueueAmong100000(b *testing.B) {
	const count = 100_000
	d := amongMany(b, count)
	ctx, at := context.Background(), terms.InstantOf(noon)
	b.Run("docket", func(b *testing.B) {
		for b.Loop() {
			if docket, _, err := d.store.Queue(ctx, terms.Appeals, at, reviewerID, nil); err != nil || docket.Len() != count {
				b.Fatal(err)
			}
		}
	})
	b.Run("top", func(b *testing.B) {
		for b.Loop() {
			if rows, err := d.store.QueueTop(ctx, terms.Appeals, at, reviewerID, 60); err != nil || len(rows) != 60 {
				b.Fatal(fmt.Sprint(len(rows)), err)
			}
		}
	})
}
