package postgres

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"docket/store/engine"
)

// storedOf is the engine.Rows of a transaction.
type storedOf struct{ *transaction }

// Rows implements engine.Tx.
func (t *transaction) Rows() engine.Rows { return storedOf{t} }

// named returns the name of a column in this schema: importedAt is imported_at.
func named(name string) string {
	var out strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// columnsOf lists the names of the columns of a table.
func columnsOf(table *engine.StoredTable) string {
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = named(column.Name)
	}
	return strings.Join(names, ", ")
}

func (q storedOf) Count(ctx context.Context, table *engine.StoredTable) (count int64, err error) {
	err = q.row(ctx, "SELECT count(*) FROM docket."+table.Name, nil, &count)
	return count, err
}

func (q storedOf) Each(ctx context.Context, table *engine.StoredTable, yield func(values []any) error) error {
	columns := columnsOf(table)
	return q.EachRow(ctx, "SELECT "+columns+" FROM docket."+table.Name+" ORDER BY "+columns, func(scan engine.Scan) error {
		values, err := table.Scan(scan)
		if err != nil {
			return err
		}
		return yield(values)
	})
}

func (q storedOf) Put(ctx context.Context, table *engine.StoredTable, values []any) error {
	places := make([]string, len(values))
	for i := range values {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return q.changeOne(ctx, "INSERT INTO docket."+table.Name+" ("+columnsOf(table)+") VALUES ("+strings.Join(places, ", ")+")", values...)
}
