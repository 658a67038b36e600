package store

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"docket/domain/terms"
)

// BenchmarkTwoConsoles measures what a reviewer waits for a receipt while somebody else records in the same store,
// each of them twenty times a second: far more often than people do.
func BenchmarkTwoConsoles(b *testing.B) {
	const each, pause = 60, 50 * time.Millisecond
	first, o := anchoredFixture(b)
	var waits []time.Duration
	var mutex sync.Mutex
	number := 1000
	for b.Loop() {
		var wait sync.WaitGroup
		for range 2 {
			d := fixtureAt(b, openWith(b, o))
			cases := moreCases(first, number)[:each]
			number += portion
			wait.Go(func() {
				for next := time.NewTicker(pause); len(cases) > 0; cases = cases[1:] {
					<-next.C
					begin := time.Now()
					if err := d.recordAll(context.Background(), []terms.ID{cases[0].Key().ID}); err != nil {
						b.Error(err)
					}
					mutex.Lock()
					waits = append(waits, time.Since(begin))
					mutex.Unlock()
				}
			})
		}
		wait.Wait()
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
}
