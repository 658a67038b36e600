package postgres

import (
	"context"
	"fmt"
	"strings"

	"docket/store/engine"
)

// storedOf is the engine.Rows of a transaction.
type storedOf struct{ *transaction }

// Rows implements engine.Tx.
func (t *transaction) Rows() engine.Rows { return storedOf{t} }

// columnsOf lists the names of the columns of a table.
func columnsOf(table *engine.StoredTable) string {
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
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
