package store

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain"
)

const portion = 500

// packetsOf3KB makes cases of the usual size in an order that is not that of their ids.
func packetsOf3KB(b *testing.B, count int) []domain.Packet {
	b.Helper()
	m := &mill{t: b}
	statement := strings.Repeat("The meter was read twice on one day. ", 50)
	packets := make([]domain.Packet, count)
	for i := range packets {
		record := passing(fmt.Sprintf("case-%07d", i*7919%1_000_003), 1).with(members{
			"evidenceScope": members{"items": []string{"ev-1", "ev-2"}, "statement": statement}})
		packets[i] = m.appealCase(record)
	}
	return packets
}

func BenchmarkImportDurable(b *testing.B) {
	packets := packetsOf3KB(b, 10_000)
	b.SetBytes(int64(len(packets[0].Document())))
	s := openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon)
	done := 0
	b.ResetTimer()
	for done < b.N {
		from := done % len(packets)
		if from == 0 && done > 0 {
			b.StopTimer()
			s = openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon)
			b.StartTimer()
		}
		size := min(portion, b.N-done, len(packets)-from)
		if _, err := s.Import(context.Background(), packets[from:from+size]); err != nil {
			b.Fatal(err)
		}
		done += size
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
}

func BenchmarkImportUnchanged(b *testing.B) {
	packets := packetsOf3KB(b, portion)
	s := openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon)
	for b.Loop() {
		if _, err := s.Import(context.Background(), packets); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*portion/b.Elapsed().Seconds(), "packets/s")
}

func BenchmarkQueue10000(b *testing.B) {
	packets := packetsOf3KB(b, 10_000)
	d := deskAt(b, openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1))
	d.take(packets...)
	for b.Loop() {
		rows, err := d.store.Queue(context.Background(), domain.Appeals, domain.InstantOf(noon), reviewerID)
		if err != nil || len(rows) != len(packets) {
			b.Fatal(len(rows), err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	d := deskAt(b, openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
	dossier := d.dossier(domain.AppealCases, "case-1")
	var supersedes domain.RecordID
	head, err := d.store.Head(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		if supersedes != "" && head.Size%50 == 0 {
			// A revision with ever more records on it would measure that, and not appending.
			number := dossier.View.Key().Number + 1
			d.take(d.mill.appealCase(passing("case-1", number)))
			dossier, supersedes = d.dossier(domain.AppealCases, "case-1"), ""
		}
		sub := d.decide(&dossier.View, decision{outcome: domain.UpholdDecision, supersedes: supersedes, head: &head})
		b.StartTimer()
		receipt, err := d.store.Append(context.Background(), sub)
		if err != nil {
			b.Fatal(err)
		}
		supersedes, head = receipt.RecordID, domain.LogHead{Size: receipt.TreeSize, Root: receipt.Root}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
