package sqlite

import (
	"context"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"docket/domain/terms"
	"docket/store/engine"
)

func (flavor) TryWrite(ctx context.Context, q engine.Tx) error {
	_, err := q.Exec(ctx, "DELETE FROM main.docket_skips WHERE false")
	return err
}

func (f flavor) OpenedEarly(ctx context.Context, q engine.Tx, table terms.Table, yield func(*engine.Opened)) error {
	packets := terms.RecordTable(terms.AreaOf(table))
	id, number := f.Key(table)
	packetID, revision := f.Key(packets)
	query := fmt.Sprintf(`SELECT held.sequence, held."recordId", held."openedAt", packet.importedAt FROM main.%s AS held JOIN main.%s AS packet
		ON packet.%s = held.%s AND packet.%s = held.%s WHERE substr(held."openedAt", 1, 19) <= substr(packet.importedAt, 1, 19)`,
		table, packets, packetID, id, revision, number)
	return engine.Each(ctx, q, query, func(o *engine.Opened) []any { return []any{&o.Sequence, &o.RecordID, &o.OpenedAt, &o.ImportedAt} },
		func(o *engine.Opened) error { yield(o); return nil })
}

// Faults runs SQLite's own check of the file.
func (flavor) Faults(ctx context.Context, q engine.Tx) (faults int, err error) {
	defer func() {
		if codeOf(err) == sqlite3.SQLITE_ERROR { // a column cannot be computed from a document that is no JSON
			faults, err = faults+1, nil
		}
	}()
	err = q.EachRow(ctx, "PRAGMA integrity_check", func(scan engine.Scan) error {
		var line string
		if err := scan(&line); err != nil {
			return err
		}
		if line != "ok" {
			faults++
		}
		return nil
	})
	return faults, err
}
