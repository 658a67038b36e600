package store

import (
	"context"
	"testing"

	"docket/domain/terms"
	"docket/store/verify"
)

func manyRecords(b *testing.B, count int) *fixture {
	b.Helper()
	d := newFixture(b)
	d.take(d.mill.appealPolicy(1))
	for done := 0; done < count; done += portion {
		for _, p := range moreCases(d, done) {
			d.record(p.Key().ID, decision{outcome: terms.UpholdDecision})
		}
	}
	return d
}

func BenchmarkVerify(b *testing.B) {
	d := manyRecords(b, 4*portion)
	for name, depth := range map[string]verify.Depth{"Storage": verify.Storage, "Judged": verify.Judged} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if report, err := d.store.Verify(context.Background(), verify.Options{Depth: depth}); err != nil || !report.OK() {
					b.Fatal(report.Findings, err)
				}
			}
			b.ReportMetric(float64(b.N)*4*portion/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func BenchmarkEntries(b *testing.B) {
	d := manyRecords(b, 4*portion)
	for b.Loop() {
		seen := 0
		if err := d.store.Entries(context.Background(), 0, func(verify.Entry) error { seen++; return nil }); err != nil || seen != 4*portion {
			b.Fatal(seen, err)
		}
	}
	b.ReportMetric(float64(b.N)*4*portion/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkOpen(b *testing.B) {
	d, o := anchoredFixture(b)
	d.close()
	for b.Loop() {
		s := need(Open(context.Background(), o))(b)
		b.StopTimer()
		must(b, s.Close())
		b.StartTimer()
	}
}
