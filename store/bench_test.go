package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/verify"
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
