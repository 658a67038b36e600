package engine

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed queries.sql
var shared string

var queries = Queries(shared)

// Queries reads blocks of SQL by their names. A block begins with a line "-- name: N", and the lines of comment under that say why
// it is as it is.
func Queries(text string) map[string]string {
	blocks := map[string]string{}
	for _, block := range strings.Split(text, "-- name: ")[1:] {
		name, block, _ := strings.Cut(block, "\n")
		for strings.HasPrefix(block, "--") {
			_, block, _ = strings.Cut(block, "\n")
		}
		if _, there := blocks[name]; there || name == "" {
			panic(fmt.Sprintf("two queries are named %q", name))
		}
		blocks[name] = strings.TrimSuffix(strings.TrimSpace(block), ";")
	}
	return blocks
}

// named returns the query of a name. A test holds that there is one.
func (t Tx) named(name string) string {
	if text, there := queries[name]; there {
		return text
	}
	text, there := t.flavor.Own(name)
	if !there {
		panic("there is no query " + name)
	}
	return text
}

// A columned is a pointer to a row that is read by its columns.
type columned[T any] interface {
	*T
	Columns() []any
}

// value returns the only column of the first row of a named query, or ErrNoRow.
func value[T any](ctx context.Context, t Tx, name string, args ...any) (v T, err error) {
	err = t.get(ctx, name, args, &v)
	return v, err
}

// first returns the first row of a named query, or ErrNoRow.
func first[T any, P columned[T]](ctx context.Context, t Tx, name string, args ...any) (r T, err error) {
	err = t.get(ctx, name, args, P(&r).Columns()...)
	return r, err
}

// all returns the rows of a named query.
func all[T any, P columned[T]](ctx context.Context, t Tx, name string, args ...any) ([]T, error) {
	return List(ctx, t, t.named(name), func(row *T) []any { return P(row).Columns() }, args...)
}

// get reads the first row of a named query, or returns ErrNoRow.
func (t Tx) get(ctx context.Context, name string, args []any, into ...any) error {
	return t.Row(ctx, t.named(name), args, into...)
}

// add runs a named statement that has to change exactly one row.
func (t Tx) add(ctx context.Context, name string, args ...any) error {
	return t.Exec1(ctx, t.named(name), args...)
}

// run runs a named statement and returns how many rows it changed.
func (t Tx) run(ctx context.Context, name string, args ...any) (changed int64, err error) {
	return t.Exec(ctx, t.named(name), args...)
}

// listed is a list as one argument: a JSON array.
func listed[T int64 | string | []any](list []T) string {
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers and texts have a form in JSON
	}
	return string(text)
}
