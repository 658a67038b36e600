package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/postgres/postgrestest"
)

// TestServicesInProcessesOfTheirOwn has two processes hand in to one database, each with an anchor of its own.
func TestServicesInProcessesOfTheirOwn(t *testing.T) {
	t.Parallel()
	const each = 12
	handIn := func(d *fixture, of string) {
		d.register()
		for _, id := range d.many(of, each) {
			d.handIn(d.judged(id, decision{outcome: terms.UpholdDecision}))
		}
	}
	if places := strings.Fields(os.Getenv(pathVariable)); len(places) == 2 {
		handIn(fixtureAt(t, onDatabase(t, places[0], places[1], filepath.Join(places[1], "anchors-child"))), "child")
		return
	}
	dsn, folder := postgrestest.New(t).DSN(postgrestest.Superuser), t.TempDir()
	anchors := filepath.Join(folder, "anchors")
	d := fixtureAt(t, onDatabase(t, dsn, folder, anchors))
	must(t, os.CopyFS(filepath.Join(folder, "anchors-child"), os.DirFS(anchors)))
	child := again(t, t.Name(), dsn+" "+folder)
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	must(t, child.Start())
	handIn(d, "parent")
	err := child.Wait()
	mustNot(t, err != nil, "%v:\n%s", err, out.String())
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 2*each)
	wantKinds(t, "a check", proven(t, d.store))
}

// BenchmarkHandInToPostgres measures records that clients hand in to services on one PostgreSQL, each with an anchor of its own:
// "of-single" is how many of them are taken in the time of one insertion of the same bytes by one client, turn by turn. Commits are
// on the disk; the server adds a delay in microseconds to each of them, for a disk that takes that much longer.
func BenchmarkHandInToPostgres(b *testing.B) {
	for _, delay := range []string{"0", "1000", "2000"} {
		server := postgrestest.Start(b, "fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "commit_siblings=0", "commit_delay="+delay)
		for _, of := range []struct{ clients, services int }{{1, 1}, {64, 1}, {64, 4}} {
			b.Run(fmt.Sprintf("delay=%sus/clients=%d/services=%d", delay, of.clients, of.services), func(b *testing.B) {
				benchmarkHandIn(b, server.New(b), of.clients, of.services)
			})
		}
	}
}

func benchmarkHandIn(b *testing.B, database *postgrestest.Database, clients, services int) {
	folder, dsn := b.TempDir(), database.DSN(postgrestest.Superuser)
	d := fixtureAt(b, onDatabase(b, dsn, folder, filepath.Join(folder, "anchors")))
	d.take(d.mill.appealPolicy(1))
	d.register()
	stores := []*Store{d.store}
	for n := 1; n < services; n++ {
		own := filepath.Join(folder, fmt.Sprintf("anchors-%d", n))
		must(b, os.CopyFS(own, os.DirFS(filepath.Join(folder, "anchors"))))
		stores = append(stores, onDatabase(b, dsn, folder, own))
	}
	conn := connect(b, database)
	need(conn.Exec(b.Context(), "CREATE TABLE plain (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document bytea, signature bytea)"))(b)
	var whole, plain time.Duration
	count, inserts := 0, 0
	for b.Loop() {
		var subs []Submission
		for _, packet := range moreCases(d, count) {
			sub := d.judged(packet.Key().ID, decision{outcome: terms.UpholdDecision})
			sub.Token = d.grant(d.reviewer)
			subs = append(subs, sub)
		}
		count += len(subs)
		begin := time.Now()
		for i := range subs[:len(subs)/4] {
			need(conn.Exec(b.Context(), "INSERT INTO plain (document, signature) VALUES ($1, $2)", subs[i].Record.Document(), subs[i].Signature))(b)
			inserts++
		}
		plain += time.Since(begin)
		begin = time.Now()
		var next atomic.Int64
		var wait sync.WaitGroup
		for client := range clients {
			wait.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(subs); i = int(next.Add(1)) - 1 {
					if _, err := stores[client%services].HandIn(b.Context(), subs[i]); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wait.Wait()
		whole += time.Since(begin)
	}
	b.ReportMetric(float64(count)/whole.Seconds(), "records/s")
	b.ReportMetric(float64(inserts)/plain.Seconds(), "single-inserts/s")
	b.ReportMetric(float64(count)/whole.Seconds()/float64(inserts)*plain.Seconds(), "of-single")
}

const portion = 500

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

func moreCases(d *fixture, first int) []packets.Packet {
	d.t.Helper()
	cases := make([]packets.Packet, portion)
	for i := range cases {
		cases[i] = d.mill.appealCase(passing(fmt.Sprintf("case-%d", first+i), 1))
	}
	d.take(cases...)
	return cases
}
