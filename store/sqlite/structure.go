package sqlite

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"docket/domain/terms"
	"docket/store/engine"
)

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
	var extent, rows int64
	for _, table := range []string{logTable, signaturesTable, terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()} {
		var last, count int64
		if err := q.row(ctx, "SELECT coalesce(max(sequence), -1), count(*) FROM main."+table, nil, &last, &count); err != nil {
			return 0, err
		}
		extent, rows = max(extent, min(last, math.MaxInt64-1)+1), rows+count
	}
	return min(extent, rows), nil
}

func (q structureOf) BelowZero(ctx context.Context) (list []string, err error) {
	numbered := []string{logTable, hashesTable, checkpointsTable, signaturesTable, saltsTable, reasonsTable, notesTable, packetHeadsTable, signersTable,
		terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String()}
	for _, t := range coveredTables {
		numbered = append(numbered, t.name)
	}
	for _, table := range numbered {
		if list, err = q.ifAny(ctx, list, table, "rowid < 0"); err != nil { // the rowid is the column that numbers the rows
			return nil, err
		}
	}
	return list, nil
}

// ifAny adds the table to the list if it has a row for which the condition holds.
func (q structureOf) ifAny(ctx context.Context, list []string, table, condition string) ([]string, error) {
	var there bool
	err := q.row(ctx, fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM main.%s AS held WHERE %s)", table, condition), nil, &there)
	if there {
		list = append(list, table)
	}
	return list, err
}

func (q structureOf) Strays(ctx context.Context) (list []string, err error) {
	// A packet that is gone from between others is found by the heads of the packets.
	stray := map[string]string{textsTable: fmt.Sprintf("place < 1 OR place > (SELECT coalesce(max(place), 0) FROM main.%s)", terms.AppealCases)}
	for _, t := range coveredTables {
		stray[t.name] = fmt.Sprintf("rowid > 0 AND NOT EXISTS (SELECT 1 FROM main.%s AS before WHERE before.rowid = held.rowid - 1)", t.name)
	}
	for _, table := range []string{terms.AppealEnforcements.String(), terms.AmendmentEnforcements.String(), signaturesTable, saltsTable, reasonsTable, notesTable,
		receivedTable} {
		stray[table] = "NOT EXISTS (SELECT 1 FROM main." + logTable + " AS log WHERE log.sequence = held.sequence)"
	}
	for _, table := range slices.Sorted(maps.Keys(stray)) {
		if list, err = q.ifAny(ctx, list, table, stray[table]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (q structureOf) InOtherTable(ctx context.Context, table terms.Table, most int) (list []engine.Leaf, err error) {
	query := fmt.Sprintf("SELECT log.sequence, log.tableName, log.recordId, log.leafHash FROM main.%[1]s AS held "+
		"JOIN main.%[2]s AS log ON log.sequence = held.sequence WHERE log.tableName <> '%[1]s' ORDER BY log.sequence LIMIT ?", table, logTable)
	err = q.eachRow(ctx, query, func(scan func(...any) error) error {
		var leaf engine.Leaf
		err := scan(&leaf.Sequence, &leaf.Table, &leaf.RecordID, &leaf.Hash)
		list = append(list, leaf)
		return err
	}, most)
	return list, err
}

func (q structureOf) OfOtherKind(ctx context.Context, service bool) (list []string, err error) {
	for _, table := range emptyTables(service) {
		if list, err = q.ifAny(ctx, list, table, "true"); err != nil {
			return nil, err
		}
	}
	return list, nil
}
