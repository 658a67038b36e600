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
	if err := child.Wait(); err != nil {
		t.Fatalf("%v:\n%s", err, out.String())
	}
	wantSame(t, "records in the log", len(wholeLog(t, d.store)), 2*each)
	wantKinds(t, "a check", proven(t, d.store))
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
