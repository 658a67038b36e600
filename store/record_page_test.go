package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/merkle"

	"golang.org/x/mod/sumdb/tlog"
)

// logOfMany is a fixture with a record on each of so many cases.
func logOfMany(t testing.TB, count int) *fixture {
	t.Helper()
	d := fixtureAt(t, openAt(t, filepath.Join(t.TempDir(), "docket.db"), noon))
	d.take(d.mill.appealPolicy(1))
	for from := 0; from < count; from += portion {
		var packets []packets.Packet
		for i := from; i < min(from+portion, count); i++ {
			packets = append(packets, d.mill.appealCase(passing(fmt.Sprintf("case-%06d", i), 1)))
		}
		d.take(packets...)
	}
	for i := range count {
		d.record(terms.ID(fmt.Sprintf("case-%06d", i)), decision{outcome: terms.UpholdDecision})
	}
	return d
}

func TestAPageOfRecordsTakesThreeQueriesAndLooksAtNoMoreOfTheLog(t *testing.T) {
	t.Parallel()
	d := logOfMany(t, 300)
	read, queries := d.noting()
	for _, before := range []int64{0, 300, 217, 64, 1} {
		*queries = nil
		page, err := read.RecordPage(t.Context(), before, 200)
		first := before
		if first == 0 {
			first = 300
		}
		if err != nil || page.Total != 300 || len(page.Records) != int(min(first, 200)) || page.Records[0].Receipt.Sequence != first-1 {
			t.Fatalf("before %d: %d of %d records, %v", before, len(page.Records), page.Total, err)
		}
		if len(*queries) == 0 || len(*queries) > 3 {
			t.Errorf("before %d: %d queries: %v", before, len(*queries), *queries)
		}
		for i := range page.Records {
			one, err := d.store.Record(t.Context(), page.Records[i].Receipt.RecordID)
			if err != nil || one.Receipt != page.Records[i].Receipt {
				t.Fatalf("%+v by itself, %v", one.Receipt, err)
			}
		}
	}
	tile := tlog.Tile{H: 8, L: -1, N: 1, W: 300 - merkle.TileWidth}
	documents, err := read.TileEntries(t.Context(), tile)
	if err != nil || len(documents) != tile.W {
		t.Fatalf("the second tile has %d entries, %v", len(documents), err)
	}
	page := need(read.RecordPage(t.Context(), 0, tile.W))(t)
	for i, document := range documents {
		wantSame(t, "entry of the second tile is a different record", string(document), string(page.Records[tile.W-1-i].Record.Document()))
	}
	*queries = nil
	need(read.RecordPage(t.Context(), 100, 10))(t)
	// The leaves are read backwards as far as the page goes; the others hold a row for each revoked key and each restore of the service.
	looked := false
	small := []string{"SCAN leaf", "SCAN revoked", "SCAN later", "SCAN ending", rejectionsTable, "CONSTANT"}
	for _, query := range *queries {
		if !strings.Contains(query.text, " AS leaf") {
			continue
		}
		looked = true
		for step := range strings.Lines(d.planOf(query)) {
			if strings.Contains(step, "SCAN") && !slices.ContainsFunc(small, func(part string) bool { return strings.Contains(step, part) }) {
				t.Errorf("a page looks at whole tables: %s", step)
			}
		}
	}
	if !looked {
		t.Error("no query reads the leaves")
	}
}

func BenchmarkRecordPageOf20000(b *testing.B) {
	const count = 20_000
	d := logOfMany(b, count)
	for name, before := range map[string]int64{"first": 0, "middle": count / 2, "last": 50} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if page, err := d.store.RecordPage(context.Background(), before, 50); err != nil || len(page.Records) != 50 {
					b.Fatal(len(page.Records), err)
				}
			}
		})
	}
}
