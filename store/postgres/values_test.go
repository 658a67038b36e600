package postgres

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"docket/domain/terms"
	"docket/store/engine"
)

// asked asks a query of a database and reads its first row.
func (d *DB) ask(t *testing.T, query string, args []any, into ...any) error {
	t.Helper()
	return d.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return tx.Row(ctx, query, args, into...)
	})
}

func TestWhatIsSentComesBack(t *testing.T) {
	db := opened(t)
	texts := []string{"", "NULL", `a "quoted" \ text`, "{a,b}", "two\nlines\tand a tab", "Zürich 東京 🙂", "'; DROP TABLE x; --", `\x00`, "$1", " "}
	for _, text := range texts {
		var one string
		var raw []byte
		var id terms.ID
		var there *string
		if err := db.ask(t, "SELECT $1::text, $1::text, $1::text, $1::text", []any{text}, &one, &raw, &id, &there); err != nil {
			t.Fatal(err)
		}
		if one != text || string(raw) != text || string(id) != text || there == nil || *there != text {
			t.Errorf("%q comes back as %q, %q, %q, %v", text, one, raw, id, there)
		}
	}
	var list []string
	err := db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		list, err = listOf[string](ctx, tx, "SELECT * FROM unnest($1::text[])", texts)
		return err
	})
	if err != nil || !slices.Equal(list, texts) {
		t.Errorf("%q, %v", list, err)
	}
	for _, content := range [][]byte{nil, {}, {0}, []byte("\\x00"), slices.Repeat([]byte{0xff, 0, '"'}, 1<<16)} {
		var one []byte
		if err := db.ask(t, "SELECT $1::bytea", []any{content}, &one); err != nil || !reflect.DeepEqual(one, content) {
			t.Errorf("%d bytes come back as %d, %v", len(content), len(one), err)
		}
	}
	var each [][]byte
	err = db.View(t.Context(), func(ctx context.Context, tx engine.Tx) (err error) {
		each, err = listOf[[]byte](ctx, tx, "SELECT * FROM unnest($1::bytea[])", [][]byte{{}, {0, 1}, []byte(`"\`)})
		return err
	})
	if err != nil || !reflect.DeepEqual(each, [][]byte{{}, {0, 1}, []byte(`"\`)}) {
		t.Errorf("%q, %v", each, err)
	}
	for _, number := range []int64{0, -1, math.MaxInt64, math.MinInt64} {
		var one int64
		var there *int64
		if err := db.ask(t, "SELECT $1::bigint, $1::bigint", []any{number}, &one, &there); err != nil || one != number || there == nil || *there != number {
			t.Errorf("%d comes back as %d, %v, %v", number, one, there, err)
		}
	}
	var small int
	var yes, no bool
	if err := db.ask(t, "SELECT -5, true, false", nil, &small, &yes, &no); err != nil || small != -5 || !yes || no {
		t.Errorf("%d, %v, %v, %v", small, yes, no, err)
	}
	for _, numbers := range [][]int64{nil, {}, {1, -2, math.MaxInt64}} {
		var count int
		var none bool
		if err := db.ask(t, "SELECT coalesce(cardinality($1::bigint[]), 0), $1 IS NULL", []any{numbers}, &count, &none); err != nil || count != len(numbers) || none != (numbers == nil) {
			t.Errorf("%d: %d, %v, %v", numbers, count, none, err)
		}
	}
}

func listOf[T any](ctx context.Context, tx engine.Tx, query string, args ...any) ([]T, error) {
	return engine.Column[T](ctx, tx, query, args...)
}

func TestTheAddressSaysHowManyConnectionsRead(t *testing.T) {
	t.Parallel()
	for address, size := range map[string]int{
		"postgres://db/docket":                   mostReaders,
		"postgres://db/docket?pool_max_conns=3":  3,
		"host=db pool_max_conns=20":              20,
		"postgres://db/docket?pool_max_conns=0":  0,
		"postgres://db/docket?pool_max_conns=-1": 0,
		"postgres://db/docket?pool_max_conns=x":  0,
		"postgres://db/docket?pool_max_conns=":   0,
	} {
		db, err := New(Options{DSN: address})
		if (err == nil) != (size > 0) || err == nil && db.readers != size {
			t.Errorf("%s: %v, %v", address, db, err)
		}
	}
}
