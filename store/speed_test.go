package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
)

const portion = 500

// packetsOf3KB makes cases of the usual size in an order that is not that of their ids.
func packetsOf3KB(b *testing.B, count int) []packets.Packet {
	b.Helper()
	m := &mill{t: b}
	statement := strings.Repeat("The meter was read twice on one day. ", 50)
	packets := make([]packets.Packet, count)
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
		need(s.Import(context.Background(), packets[from:from+size]))(b)
		done += size
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
}

func BenchmarkImportUnchanged(b *testing.B) {
	packets := packetsOf3KB(b, portion)
	s := openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon)
	for b.Loop() {
		need(s.Import(context.Background(), packets))(b)
	}
	b.ReportMetric(float64(b.N)*portion/b.Elapsed().Seconds(), "packets/s")
}

func BenchmarkQueue10000(b *testing.B) {
	packets := packetsOf3KB(b, 10_000)
	d := fixtureAt(b, openAt(b, filepath.Join(b.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1))
	d.take(packets...)
	for b.Loop() {
		rows, err := queueOf(context.Background(), d.store, terms.Appeals, terms.InstantOf(noon), reviewerID)
		if err != nil || len(rows) != len(packets) {
			b.Fatal(len(rows), err)
		}
	}
}

// BenchmarkAppend measures all that happens between a reviewer's choice and the receipt: the packet is looked up and
// evaluated, the record made and signed, appended with its checkpoint, and the checkpoint kept outside the store. The
// same bytes are also appended to a plain file with one fsync each, turn by turn; "of-raw" is how fast the whole path
// is compared with that.
func BenchmarkAppend(b *testing.B) {
	folder := b.TempDir()
	d := fixtureAt(b, openWith(b, Options{Path: filepath.Join(folder, "store", "docket.db"), Now: func() time.Time { return noon },
		AnchorFolder: filepath.Join(folder, "anchors")}))
	d.take(d.mill.appealPolicy(1))
	raw := need(os.OpenFile(filepath.Join(folder, "raw"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, disk.FileMode))(b)
	defer func() { _ = raw.Close() }()
	var whole, plain time.Duration
	var cases []packets.Packet
	record := 0
	for b.Loop() {
		if record == len(cases) {
			cases = append(cases, moreCases(d, len(cases))...)
		}
		caseFile := d.caseFile(terms.AppealCases, cases[record].Key().ID)
		begin := time.Now()
		sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision})
		_, err := d.store.Append(context.Background(), sub)
		whole += time.Since(begin)
		must(b, err)
		record++
		begin = time.Now()
		need(raw.Write(append(sub.Record.Document(), sub.Signature...)))(b)
		must(b, raw.Sync())
		plain += time.Since(begin)
	}
	b.ReportMetric(float64(b.N)/whole.Seconds(), "records/s")
	b.ReportMetric(plain.Seconds()/whole.Seconds(), "of-raw")
}

// moreCases imports cases to record on, numbered from first.
func moreCases(d *fixture, first int) []packets.Packet {
	d.t.Helper()
	cases := make([]packets.Packet, portion)
	for i := range cases {
		cases[i] = d.mill.appealCase(passing(fmt.Sprintf("case-%d", first+i), 1))
	}
	d.take(cases...)
	return cases
}

// BenchmarkHandIn measures the same as BenchmarkAppend, at a service: the packets are judged twice there. Both stores take
// turns in being the first; "of-append" is how fast the one is compared with the other.
func BenchmarkHandIn(b *testing.B) {
	consoles := [2]*fixture{serviceFixture(b), fixtureAt(b, openWith(b, Options{Path: filepath.Join(b.TempDir(), "docket.db"),
		AnchorFolder: b.TempDir(), Now: func() time.Time { return noon }}))}
	for _, d := range consoles {
		d.take(d.mill.appealPolicy(1))
	}
	consoles[0].register()
	heads := [2]*records.LogHead{&consoleHead, nil}
	var taken [2]time.Duration
	var cases []packets.Packet
	for record := 0; b.Loop(); record++ {
		if record == len(cases) {
			moreCases(consoles[0], len(cases))
			cases = append(cases, moreCases(consoles[1], len(cases))...)
		}
		for turn := range consoles {
			which := (record + turn) % 2
			d := consoles[which]
			caseFile := d.caseFile(terms.AppealCases, cases[record].Key().ID)
			begin := time.Now()
			sub := d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, head: heads[which]})
			err := d.bring(sub)
			taken[which] += time.Since(begin)
			must(b, err)
		}
	}
	b.ReportMetric(float64(b.N)/taken[0].Seconds(), "records/s")
	b.ReportMetric(taken[1].Seconds()/taken[0].Seconds(), "of-append")
}

// bring hands a record in, or appends it, as the store asks.
func (d *fixture) bring(sub Submission) (err error) {
	if d.store.options.Service {
		_, _, _, err = d.offer(sub)
		return err
	}
	_, err = d.store.Append(context.Background(), sub)
	return err
}
