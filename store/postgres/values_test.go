package postgres

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/store/engine"
)

// asked asks a query of a database and reads its first row.
func (d *DB) ask(t *testing.T, query string, args []any, into ...any) error {
	t.Helper()
	return d.View(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		return tx.(*transaction).row(ctx, query, args, into...)
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
	return engine.Column[T](ctx, tx.(*transaction), query, args...)
}

// A value that is read into something else than it is, is an error and never taken for another one.
func TestAValueOfAnotherTypeIsRefused(t *testing.T) {
	db := opened(t)
	for query, into := range map[string]any{
		"SELECT NULL::text":           new(string),
		"SELECT NULL::bigint":         new(int64),
		"SELECT NULL::boolean":        new(bool),
		"SELECT NULL::text, ''":       new(terms.ID),
		"SELECT 7::bigint":            new(string),
		"SELECT 7":                    new(bool),
		"SELECT '7'":                  new(int64),
		"SELECT 7::smallint":          new(int64),
		"SELECT 'a text'":             new(bool),
		"SELECT true":                 new([]byte),
		"SELECT 7::numeric":           new(int),
		"SELECT now()":                new(*string),
		"SELECT 'a'::bytea":           new(string),
		"SELECT 'a', 'b'":             new(string),
		"SELECT ARRAY['a']":           new([]string),
		"SELECT 'text' WHERE true":    new(float64),
		"SELECT 1::bigint WHERE true": new(*string),
	} {
		if err := db.ask(t, query, nil, into); err == nil {
			t.Errorf("%s into a %T is no error", query, into)
		}
	}
	for _, arg := range []any{nil, 1.5, true, struct{}{}, []int{1}} {
		if err := db.ask(t, "SELECT $1::text", []any{arg}, new(string)); err == nil || !strings.Contains(err.Error(), "argument 1") {
			t.Errorf("%v is sent: %v", arg, err)
		}
	}
}

// prepared is how many statements are prepared on the connection that writes.
func (d *DB) prepared(t *testing.T, work engine.Work) (count int64) {
	t.Helper()
	err := d.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
		if err := work(ctx, tx); err != nil {
			return err
		}
		return tx.(*transaction).row(ctx, "SELECT count(*) FROM pg_prepared_statements", nil, &count)
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

func TestAStatementIsPreparedOnceAndNoMoreThanSoMany(t *testing.T) {
	db := opened(t)
	first := db.prepared(t, fact("one"))
	second := db.prepared(t, fact("two")) // with the COMMIT of the first
	if third := db.prepared(t, fact("three")); first == 0 || second > first+1 || third != second {
		t.Errorf("%d statements are prepared, then %d, then %d", first, second, third)
	}
	most := db.prepared(t, func(ctx context.Context, tx engine.Tx) error {
		for i := range mostStatements + 10 {
			var n int64
			if err := tx.(*transaction).row(ctx, "SELECT "+strings.Repeat("0+", i)+"1", nil, &n); err != nil || n != 1 {
				return err
			}
		}
		return nil
	})
	if most != mostStatements {
		t.Errorf("%d statements are prepared", most)
	}
}

// Where the server has dropped what was prepared, the transaction fails, and the next one prepares it again.
func TestWhatTheServerForgotIsPreparedAgain(t *testing.T) {
	db := opened(t)
	db.prepared(t, fact("one"))
	forget := func(ctx context.Context, tx engine.Tx) error {
		if err := tx.(*transaction).run(ctx, "DEALLOCATE ALL"); err != nil {
			return err
		}
		return fact("two")(ctx, tx)
	}
	if err := db.Update(t.Context(), forget); codeOf(err) != "26000" || db.Broken(err) {
		t.Errorf("the error is %v", err)
	}
	if err := db.Update(t.Context(), fact("two")); err != nil {
		t.Error(err)
	}
}

// A statement that fails leaves those behind it in the pipeline unprepared. They are prepared when they are sent again.
func TestAStatementBehindOneThatFailedIsPreparedLater(t *testing.T) {
	db := opened(t)
	for range 2 {
		err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
			_ = tx.(*transaction).change(-1, "SELECT 1 / 0")
			_ = tx.(*transaction).change(-1, "SELECT 2")
			return tx.(*transaction).row(ctx, "SELECT 3", nil, new(int64))
		})
		if codeOf(err) != "22012" {
			t.Fatal(err)
		}
		for _, query := range []string{"SELECT 2", "SELECT 3"} {
			err := db.Update(t.Context(), func(ctx context.Context, tx engine.Tx) error {
				return tx.(*transaction).row(ctx, query, nil, new(int64))
			})
			if err != nil {
				t.Errorf("%s: %v", query, err)
			}
		}
	}
}

func TestTheAddressSaysHowManyConnectionsRead(t *testing.T) {
	t.Parallel()
	for address, size := range map[string]int32{
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
