package postgres

import (
	"context"
	"fmt"
	"strings"

	"docket/domain/terms"
	"docket/store/engine"
)

// coveredOf is the engine.Covered of a transaction.
type coveredOf struct{ *transaction }

// Covered implements engine.Tx.
func (t *transaction) Covered() engine.Covered { return coveredOf{t} }

var coveredEnds = func() string {
	var ends []string
	for _, t := range engine.Coverings {
		ends = append(ends, fmt.Sprintf("(SELECT coalesce(max(%s) + 1, 0) FROM docket.%s)", t.Number(), t.Name))
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

func (q coveredOf) Tables(ctx context.Context) ([]engine.CoveredTable, error) {
	tables, into := engine.CoveredTables()
	return tables, q.row(ctx, coveredEnds, nil, into...)
}

func (q coveredOf) Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error {
	t := engine.CoveringOf(table)
	columns := t.Number()
	for _, column := range t.Columns[1:] {
		if columns += ", " + column.Name; column.Kind == engine.StoredNumber {
			columns += "::text"
		}
	}
	query := fmt.Sprintf("SELECT %[1]s FROM docket.%[2]s WHERE %[3]s >= $1 ORDER BY %[3]s LIMIT $2", columns, t.Name, t.Number())
	return t.Rows(ctx, q, query, after, most, yield)
}

// structureOf is the engine.Structure of a transaction.
type structureOf struct{ *transaction }

// Structure implements engine.Tx.
func (t *transaction) Structure() engine.Structure { return structureOf{t} }

// TryWrite asks for the right to write, and has the server write a sort to its disk, which is gone afterwards: a table that has room in its
// pages would say nothing of a disk that is full.
func (q structureOf) TryWrite(ctx context.Context) error {
	const onDisk = "SELECT set_config(name, CASE name WHEN 'work_mem' THEN '64' ELSE '' END, true) FROM pg_settings WHERE name IN ('work_mem', 'temp_tablespaces')"
	const sort = `SELECT count(*) FROM (SELECT (repeat('docket', 80) || n) COLLATE "C" FROM generate_series(1, 1000) AS n ORDER BY 1 OFFSET 0) AS sorted`
	if _, err := q.count(ctx, "UPDATE docket.docket_head SET turn = turn WHERE false"); err != nil {
		return err
	}
	if err := q.EachRow(ctx, onDisk, func(engine.Scan) error { return nil }); err != nil {
		return err
	}
	return q.row(ctx, sort, nil, new(int64))
}

func (q structureOf) Ends(ctx context.Context) (ends engine.Ends, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(sequence), -1) FROM docket.docket_signatures),"+
		" greatest((SELECT max(sequence) FROM %s), (SELECT max(sequence) FROM %s), -1), (SELECT coalesce(max(position), -1) FROM docket.docket_log_hashes)",
		in(terms.AppealEnforcements), in(terms.AmendmentEnforcements))
	err = q.row(ctx, query, nil, &ends.Signatures, &ends.Records, &ends.Hashes)
	return ends, err
}

func (q structureOf) Extent(ctx context.Context) (int64, error) {
	return engine.Extent(func(table string) (last, rows int64, err error) {
		err = q.row(ctx, "SELECT coalesce(max(sequence), -1), count(*) FROM docket."+table, nil, &last, &rows)
		return last, rows, err
	})
}

// any reports whether a table has a row, as held, for which the condition holds.
func (q structureOf) any(ctx context.Context, table *engine.StoredTable, condition string) (there bool, err error) {
	err = q.row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM docket.%s AS held WHERE %s)", table.Name, condition), nil, &there)
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
			stray = fmt.Sprintf("place < 1 OR place > (SELECT coalesce(max(place), 0) FROM %s)", in(terms.AppealCases))
		case engine.AfterAGap:
			stray = fmt.Sprintf("%[1]s > 0 AND NOT EXISTS (SELECT 1 FROM docket.%[2]s AS before WHERE before.%[1]s = held.%[1]s - 1)", t.Number(), t.Name)
		case engine.OfNoLeaf:
			stray = "NOT EXISTS (SELECT 1 FROM docket.docket_log AS log WHERE log.sequence = held.sequence)"
		}
		return q.any(ctx, t.StoredTable, stray)
	})
}

func (q structureOf) InOtherTable(ctx context.Context, table terms.Table, most int) ([]engine.Leaf, error) {
	query := fmt.Sprintf("SELECT log.sequence, log.tableName, log.recordId, log.leafHash FROM %s AS held"+
		" JOIN docket.docket_log AS log ON log.sequence = held.sequence WHERE log.tableName <> '%s' ORDER BY log.sequence LIMIT $1", in(table), table)
	return engine.List(ctx, q, query, (*engine.Leaf).Columns, most)
}

// OpenedEarly yields nothing: the store is a service's, where the console's log says what came before what.
func (q structureOf) OpenedEarly(context.Context, terms.Table, func(*engine.Opened)) error {
	return nil
}

// Faults counts rows with columns that are not those of their document.
func (q structureOf) Faults(ctx context.Context) (faults int, err error) {
	for _, table := range append(terms.PacketTables.Terms(), enforcements[:]...) {
		query := fmt.Sprintf("SELECT count(*) FROM %s AS held WHERE docket.filled_%s(held) IS DISTINCT FROM held", in(table), table)
		var differ int
		err := q.Nested(ctx, func(ctx context.Context, tx engine.Tx) error { return tx.(*transaction).row(ctx, query, nil, &differ) })
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
