package sqlite

import (
	"context"
	"errors"
	"strings"
	"time"

	"docket/store/engine"
)

// storedOf is the engine.Rows of a transaction.
type storedOf struct{ transaction }

// Rows implements engine.Tx.
func (t transaction) Rows() engine.Rows { return storedOf{t} }

// columnsOf lists the names of the columns of a table.
func columnsOf(table *engine.StoredTable) string {
	names := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		names[i] = column.Name
	}
	return strings.Join(names, ", ")
}

func (q storedOf) Count(ctx context.Context, table *engine.StoredTable) (count int64, err error) {
	err = q.row(ctx, "SELECT count(*) FROM main."+table.Name, nil, &count)
	return count, err
}

func (q storedOf) Each(ctx context.Context, table *engine.StoredTable, yield func(values []any) error) error {
	columns := columnsOf(table)
	return q.EachRow(ctx, "SELECT "+columns+" FROM main."+table.Name+" ORDER BY "+columns, func(scan engine.Scan) error {
		values, err := table.Scan(scan)
		if err != nil {
			return err
		}
		return yield(values)
	})
}

func (q storedOf) Put(ctx context.Context, table *engine.StoredTable, values []any) error {
	stored := make([]any, len(values))
	for i, column := range table.Columns {
		if stored[i] = values[i]; column.Kind == engine.StoredText {
			stored[i] = string(values[i].([]byte)) // a STRICT column of texts refuses bytes
		}
	}
	places := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	return q.changeOne(ctx, "INSERT INTO main."+table.Name+" ("+columnsOf(table)+") VALUES ("+places+")", stored...)
}

// Load makes a store of an empty file from rows of another database. It makes the triggers that compare a row with
// earlier ones after the rows. The file is whole when Load returns, without any file beside it.
func Load(ctx context.Context, path string, busy time.Duration, fill engine.Work) error {
	if err := lockByFile(); err != nil {
		return err
	}
	db, err := openPool(ctx, Connect(creating, path, busy), 1)
	if err != nil {
		return err
	}
	made, err := create(ctx, db, fill, true)
	if err == nil && !made {
		err = errors.New("the file is not empty")
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return putByItself(ctx, path, busy)
}
