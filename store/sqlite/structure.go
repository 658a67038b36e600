package sqlite

import (
	"context"

	sqlite3 "modernc.org/sqlite/lib"

	"docket/store/engine"
)

func (flavor) TryWrite(ctx context.Context, q engine.Tx) error {
	_, err := q.Exec(ctx, "DELETE FROM main.docket_local WHERE false")
	return err
}

// Faults runs SQLite's own check of the file.
func (flavor) Faults(ctx context.Context, q engine.Tx) (faults int, err error) {
	defer func() {
		if codeOf(err) == sqlite3.SQLITE_ERROR { // a computed column of a document that is no JSON
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
