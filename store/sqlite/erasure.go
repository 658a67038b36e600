package sqlite

import (
	"context"
	"fmt"

	"docket/domain/records"
	"docket/domain/terms"
)

// erasedRows selects the rows of an erasure: the table, and the condition.
type erasedRows struct {
	table, where string
	args         []any
}

func rowsOf(e records.Erasure, by terms.ID, before int64) []erasedRows {
	const onRecord = "sequence = (SELECT sequence FROM main." + logTable + " WHERE recordId = ?)"
	own := []any{string(by), e.Table.String(), string(e.Key.ID), e.Key.Number}
	switch e.What {
	case records.ErasableNote:
		return []erasedRows{{notesTable, onRecord, []any{string(e.Record)}}}
	case records.ErasableStatement:
		return []erasedRows{{reasonsTable, onRecord, []any{string(e.Record)}}}
	case records.ErasableTexts:
		return []erasedRows{
			{textsTable, fmt.Sprintf(`place = (SELECT place FROM main.%s WHERE "caseId" = ? AND revision = ?)`, terms.AppealCases),
				[]any{string(e.Key.ID), e.Key.Number}},
			// A record's packetDigest covers the texts, too: with its salt a short text could be guessed.
			{saltsTable, fmt.Sprintf(`sequence IN (SELECT sequence FROM main.%s WHERE "caseId" = ? AND "caseRevision" = ?) AND sequence < ?`,
				terms.AppealEnforcements), []any{string(e.Key.ID), e.Key.Number, before}},
		}
	case records.ErasableDraft:
		return []erasedRows{{draftsTable, "(reviewer = ?1 OR substr(reviewer, 1, length(?1) + 1) = ?1 || '@') AND tableName = ?2 AND id = ?3 AND revision = ?4", own}}
	}
	return []erasedRows{{skipsTable, "reviewer = ? AND tableName = ? AND id = ? AND revision = ?", own}}
}

func (q recordsOf) Erasable(ctx context.Context, e records.Erasure, by terms.ID, before int64) (own, salts int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		into := &own
		if rows.table == saltsTable {
			into = &salts
		}
		if err := q.Row(ctx, "SELECT count(*) FROM main."+rows.table+" WHERE "+rows.where, rows.args, into); err != nil {
			return 0, 0, err
		}
	}
	return own, salts, nil
}

func (q recordsOf) Erase(ctx context.Context, e records.Erasure, by terms.ID, before int64) (total int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		count, err := q.Exec(ctx, "DELETE FROM main."+rows.table+" WHERE "+rows.where, rows.args...)
		if err != nil {
			return 0, err
		}
		total += count
	}
	return total, nil
}
