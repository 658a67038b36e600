package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/sqlite"
)

// A countingConn notes the queries that go through it.
type countingConn struct {
	sqlite.Conn
	queries *[]string
}

func (c countingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	*c.queries = append(*c.queries, query)
	return c.Conn.QueryContext(ctx, query, args)
}

// A countingConnector makes connections that note their queries.
type countingConnector struct {
	driver.Connector
	queries *[]string
}

func (c countingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return countingConn{conn.(sqlite.Conn), c.queries}, nil
}

// counted is the store of the desk, opened once more to be read. Its queries are noted.
func (d *desk) counted() (*Store, *[]string) {
	var queries []string
	return openWith(d.t, Options{Path: d.store.Path(), ReadOnly: true, connector: func(p sqlite.Purpose, path string, busy time.Duration) driver.Connector {
		return countingConnector{sqlite.Connect(p, path, busy), &queries}
	}}), &queries
}

// logOfMany is a desk with a record on each of so many cases.
func logOfMany(t testing.TB, count int) *desk {
	t.Helper()
	d := deskAt(t, openAt(t, filepath.Join(t.TempDir(), "docket.db"), noon))
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
	d := logOfMany(t, 300)
	read, queries := d.counted()
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
			t.Errorf("before %d: %d queries: %s", before, len(*queries), strings.Join(*queries, "\n"))
		}
		for i := range page.Records {
			one, err := d.store.Record(t.Context(), page.Records[i].Receipt.RecordID)
			if err != nil || one.Receipt != page.Records[i].Receipt {
				t.Fatalf("%+v by itself, %v", one.Receipt, err)
			}
		}
	}
	rows, err := d.store.db.Reader().Query("EXPLAIN QUERY PLAN "+fmt.Sprintf(recordQuery, "WHERE leaf.sequence < ? ORDER BY leaf.sequence DESC LIMIT ?"), 100, 10)
	if err != nil {
		t.Fatal(err)
	}
	// The leaves are read backwards as far as the page goes; the others hold a row for each revoked key and each restore of the service.
	small := []string{"SCAN leaf", "SCAN revoked", "SCAN later", "SCAN ending", rejectionsTable, "CONSTANT"}
	for step := range strings.Lines(planOf(t, rows)) {
		if strings.Contains(step, "SCAN") && !slices.ContainsFunc(small, func(part string) bool { return strings.Contains(step, part) }) {
			t.Errorf("a page looks at whole tables: %s", step)
		}
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
