package sqlite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docket/store/engine"
)

// coveredOf is the engine.Covered of a transaction.
type coveredOf struct{ transaction }

// Covered implements engine.Tx.
func (t transaction) Covered() engine.Covered { return coveredOf{t} }

// A coveredTable is an append-only table beside the log. A column numbers its rows from 0, which is the rowid.
type coveredTable struct {
	name, columns string
	grows         bool
}

var coveredTables = [...]coveredTable{
	{statementsTable, "statement, signature, logSignature, checkpoint", false},
	{followedTable, "ended, size, statement, signature, logSignature, keptAt", false},
	{boundTable, "key, boundAt", false},
	{shownTable, "kind, checkpoint, key, known, knownKey, proof, keptAt", true},
	{tokensTable, "id, digest, principal, role, owners, createdAt, expiresAt", false},
	{revocationsTable, "id, revokedAt", false},
	{movesTable, "origin, movedAt", false},
	{cosignaturesTable, "checkpoint, cosignature, key, keptAt", true},
	{acceptancesTable, "sequence, origin, treeSize, receipt, proof, checkpoint, keptAt", true},
	{rejectionsTable, "sequence, inForce, signed, changes, keptAt", true},
	{serviceRecordsTable, "tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, proof, checkpoint, afterRecords, afterRejections, keptAt", true},
	{receivedTable, "receivedAt, origin, recordId, size", true},
}

var coveredEnds = func() string {
	var ends []string
	for _, t := range coveredTables {
		ends = append(ends, "(SELECT coalesce(max(rowid) + 1, 0) FROM main."+t.name+")")
	}
	return "SELECT " + strings.Join(ends, ", ")
}()

func (q coveredOf) Tables(ctx context.Context) ([]engine.CoveredTable, error) {
	tables, into := make([]engine.CoveredTable, len(coveredTables)), make([]any, len(coveredTables))
	for i, t := range coveredTables {
		tables[i].Name, tables[i].Grows, into[i] = t.name, t.grows, &tables[i].Rows
	}
	return tables, q.row(ctx, coveredEnds, nil, into...)
}

func (q coveredOf) Rows(ctx context.Context, table string, after, most int64, yield func(columns [][]byte)) error {
	t := &coveredTables[slices.IndexFunc(coveredTables[:], func(t coveredTable) bool { return t.name == table })]
	query := fmt.Sprintf("SELECT rowid, %s FROM main.%s WHERE rowid >= ? ORDER BY rowid LIMIT ?", t.columns, t.name)
	columns := make([][]byte, strings.Count(t.columns, ",")+1)
	var place int64
	into := []any{&place}
	for i := range columns {
		into = append(into, &columns[i])
	}
	whole, due := true, after
	return q.eachRow(ctx, query, func(scan func(...any) error) error {
		if err := scan(into...); err != nil {
			return err
		}
		if whole = whole && place == due; whole {
			yield(columns)
			due++
		}
		return nil
	}, due, most)
}
