package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"

	"docket/domain/terms"
	"docket/store/engine"
)

// coveredOf is the engine.Covered of a transaction.
type coveredOf struct{ transaction }

// Covered implements engine.Tx.
func (t transaction) Covered() engine.Covered { return coveredOf{t} }

var coveredEnds = func() string {
	var ends []string
	for _, t := range engine.Coverings {
		ends = append(ends, fmt.Sprintf("(SELECT coalesce(max(%s) + 1, 0) FROM main.%s)", t.Number(), t.Name))
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

func (q coveredOf) Tables(ctx context.Context) ([]engine.CoveredTable, error) {
	tables, into := engine.CoveredTables()
	return tables, q.row(ctx, coveredEnds, nil, into...)
}

func (q coveredOf) Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error {
	t := engine.CoveringOf(table)
	query := fmt.Sprintf("SELECT %[1]s FROM main.%[2]s WHERE %[3]s >= ? ORDER BY %[3]s LIMIT ?", columnsOf(t.StoredTable), t.Name, t.Number())
	return t.Rows(ctx, q, query, after, most, yield)
}

// structureOf is the engine.Structure of a transaction.
type structureOf struct{ transaction }

// Structure implements engine.Tx.
func (t transaction) Structure() engine.Structure { return structureOf{t} }

func (q structureOf) TryWrite(ctx context.Context) error {
	_, err := q.ExecContext(ctx, "DELETE FROM main.docket_skips WHERE false")
	return err
}

func (q structureOf) Ends(ctx context.Context) (ends engine.Ends, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(sequence), -1) FROM main.%s), "+
		"(SELECT coalesce(max(n), -1) FROM (SELECT max(sequence) AS n FROM main.%s UNION ALL SELECT max(sequence) FROM main.%s)), "+
		"(SELECT coalesce(max(position), -1) FROM main.%s)", signaturesTable, terms.AppealEnforcements, terms.AmendmentEnforcements, hashesTable)
	err = q.row(ctx, query, nil, &ends.Signatures, &ends.Records, &ends.Hashes)
	return ends, err
}

func (q structureOf) Extent(ctx context.Context) (int64, error) {
	return engine.Extent(func(table string) (last, rows int64, err error) {
		err = q.row(ctx, "SELECT coalesce(max(sequence), -1), count(*) FROM main."+table, nil, &last, &rows)
		return last, rows, err
	})
}

// any reports whether a table has a row, as held, for which the condition holds.
func (q structureOf) any(ctx context.Context, table *engine.StoredTable, condition string) (there bool, err error) {
	err = q.row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s AS held WHERE %s)", table.Name, condition), nil, &there)
	return there, err
}

func (q structureOf) BelowZero(ctx context.Context) ([]string, error) {
	return engine.WithAny(engine.Numbered(), func(t *engine.StoredTable) (bool, error) { return q.any(ctx, t, t.Number()+" < 0") })
}

func (q structureOf) OfOtherKind(ctx context.Context, service bool) ([]string, error) {
	return engine.WithAny(engine.OfOtherKind(service), func(t *engine.StoredTable) (bool, error) { return q.any(ctx, t, "true") })
}

func (q structureOf) Strays(ctx context.Context) ([]string, error) {
	return engine.Strays(func(t engine.Strayable) (bool, error) {
		var stray string
		switch t.Kind {
		case engine.OfNoPacket:
			stray = fmt.Sprintf("place < 1 OR place > (SELECT coalesce(max(place), 0) FROM main.%s)", terms.AppealCases)
		case engine.AfterAGap:
			stray = fmt.Sprintf("%[1]s > 0 AND NOT EXISTS (SELECT 1 FROM main.%[2]s AS before WHERE before.%[1]s = held.%[1]s - 1)", t.Number(), t.Name)
		case engine.OfNoLeaf:
			stray = "NOT EXISTS (SELECT 1 FROM main." + logTable + " AS log WHERE log.sequence = held.sequence)"
		}
		return q.any(ctx, t.StoredTable, stray)
	})
}

func (q structureOf) InOtherTable(ctx context.Context, table terms.Table, most int) ([]engine.Leaf, error) {
	query := fmt.Sprintf("SELECT log.sequence, log.tableName, log.recordId, log.leafHash FROM main.%[1]s AS held "+
		"JOIN main.%[2]s AS log ON log.sequence = held.sequence WHERE log.tableName <> '%[1]s' ORDER BY log.sequence LIMIT ?", table, logTable)
	return engine.List(ctx, q, query, (*engine.Leaf).Columns, most)
}

func (q structureOf) OpenedEarly(ctx context.Context, table terms.Table, yield func(*engine.Opened)) error {
	packets := terms.RecordTable(terms.AreaOf(table))
	id, number := keyColumns(table)
	packetID, revision := keyColumns(packets)
	query := fmt.Sprintf(`SELECT held.sequence, held."recordId", held."openedAt", packet.importedAt FROM main.%s AS held JOIN main.%s AS packet
		ON packet.%s = held.%s AND packet.%s = held.%s WHERE substr(held."openedAt", 1, 19) <= substr(packet.importedAt, 1, 19)`,
		table, packets, packetID, id, revision, number)
	return engine.Each(ctx, q, query, func(o *engine.Opened) []any { return []any{&o.Sequence, &o.RecordID, &o.OpenedAt, &o.ImportedAt} },
		func(o *engine.Opened) error { yield(o); return nil })
}

// Faults runs SQLite's own check of the file.
func (q structureOf) Faults(ctx context.Context) (faults int, err error) {
	defer func() {
		if codeOf(err) == sqlite3.SQLITE_ERROR { // a column cannot be computed from a document that is no JSON
			faults, err = faults+1, nil
		}
	}()
	rows, err := q.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return 0, err
		}
		if line != "ok" {
			faults++
		}
	}
	return faults, rows.Err()
}
