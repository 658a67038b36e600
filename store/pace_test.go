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

// BenchmarkHandInBesideAnImport measures what a record waits for its receipt at a service while another program imports packets of 3 KB without
// end.
func BenchmarkHandInBesideAnImport(b *testing.B) {
	d := serviceFixture(b)
	d.take(d.mill.appealPolicy(1))
	d.register()
	o := d.store.options
	importer, list := openWith(b, o), packetsOf3KB(b, 20_000)
	cases := moreCases(d, 2_000_000)
	stop, imported := make(chan struct{}), 0
	var wait sync.WaitGroup
	wait.Go(func() {
		for from := 0; from+1000 <= len(list); from += 1000 {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := importer.Import(context.Background(), list[from:from+1000]); err != nil {
				b.Error(err)
				return
			}
			imported = from + 1000
		}
	})
	var waits []time.Duration
	for i := 0; b.Loop(); i++ {
		if i == len(cases) {
			b.Fatal("at most", len(cases), "records")
		}
		sub := d.judged(cases[i].Key().ID, decision{})
		sub.Token = d.grant(sub.Record.Members().Reviewer)
		begin := time.Now()
		need(d.store.HandIn(context.Background(), sub))(b)
		waits = append(waits, time.Since(begin))
	}
	close(stop)
	wait.Wait()
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(imported), "imported")
}
