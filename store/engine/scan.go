package engine

import (
	"context"
	"fmt"
	"reflect"

	"docket/domain/terms"
)

// A Scan reads the columns of a row into pointers, as database/sql does.
type Scan = func(into ...any) error

// List returns a query's rows: the columns are the members of T in order, or T if it is no struct.
func List[T any](ctx context.Context, t Tx, query string, args ...any) (list []T, err error) {
	err = eachOf(ctx, t, query, func(row *T) error {
		list = append(list, *row)
		return nil
	}, args...)
	return list, err
}

func eachOf[T any](ctx context.Context, t Tx, query string, yield func(*T) error, args ...any) error {
	var held, none T
	into := columns(&held) // once for all rows
	return t.EachRow(ctx, query, func(scan Scan) error {
		held = none
		if err := scan(into...); err != nil {
			return err
		}
		row := held
		return yield(&row)
	}, args...)
}

type pair[K, V any] struct {
	First  K
	Second V
}

// pairs returns the rows of a named query with two columns, by the first.
func pairs[K comparable, V any](ctx context.Context, t Tx, name string, args ...any) (map[K]V, error) {
	all := map[K]V{}
	return all, each(ctx, t, name, func(row *pair[K, V]) error {
		all[row.First] = row.Second
		return nil
	}, args...)
}

// columns returns pointers to the exported members of a row, and to those of its structs.
func columns(row any) []any { return members(nil, reflect.ValueOf(row).Elem()) }

func members(list []any, v reflect.Value) []any {
	switch {
	case v.Type() == reflect.TypeFor[terms.Table]():
		return append(list, (*tableName)(v.Addr().Interface().(*terms.Table)))
	case v.Kind() != reflect.Struct:
		return append(list, v.Addr().Interface())
	}
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() || field.Anonymous {
			list = members(list, v.Field(i))
		}
	}
	return list
}

// A tableName reads the name of a table. That of a row that was edited may be none.
type tableName terms.Table

// Scan implements sql.Scanner.
func (t *tableName) Scan(from any) error {
	table, _ := terms.Tables.Parse(fmt.Sprintf("%s", from))
	*t = tableName(table)
	return nil
}
