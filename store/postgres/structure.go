package postgres

import (
	"context"
	"fmt"
	"strings"

	"docket/domain/terms"
	"docket/store/engine"
)

// TryWrite asks for the right to write, and has the server write a sort to its disk: a table with
// room in its pages would not show that the disk is full.
func (*transaction) TryWrite(ctx context.Context, q engine.Tx) error {
	const onDisk = "SELECT set_config(name, CASE name WHEN 'work_mem' THEN '64' ELSE '' END, true) FROM pg_settings WHERE name IN ('work_mem', 'temp_tablespaces')"
	const sort = `SELECT count(*) FROM (SELECT (repeat('docket', 80) || n) COLLATE "C" FROM generate_series(1, 1000) AS n ORDER BY 1 OFFSET 0) AS sorted`
	if _, err := q.Exec(ctx, "UPDATE docket.docket_head SET turn = turn WHERE false"); err != nil {
		return err
	}
	if _, err := q.Exec(ctx, onDisk); err != nil {
		return err
	}
	return q.Row(ctx, sort, nil, new(int64))
}

// Faults counts rows with columns that are not those of their document.
func (*transaction) Faults(ctx context.Context, q engine.Tx) (faults int, err error) {
	for _, table := range append(terms.PacketTables.Terms(), terms.AppealEnforcements, terms.AmendmentEnforcements) {
		query := fmt.Sprintf("SELECT count(*) FROM %s AS held WHERE docket.filled_%s(held) IS DISTINCT FROM held", table, table)
		var differ int
		err := q.Nested(ctx, func(ctx context.Context, tx engine.Tx) error { return tx.Row(ctx, query, nil, &differ) })
		if strings.HasPrefix(codeOf(err), "22") { // a document that is no JSON
			differ, err = 1, nil
		}
		if err != nil {
			return 0, err
		}
		faults += differ
	}
	return faults, nil
}
