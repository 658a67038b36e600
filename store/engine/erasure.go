package engine

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

func (q Records) erased(e records.Erasure, by terms.ID, before int64) []erasedRows {
	const onRecord = "sequence = (SELECT sequence FROM docket_log WHERE recordId = $1)"
	own := []any{by, e.Table.String(), e.Key.ID, e.Key.Number}
	switch e.What {
	case records.ErasableNote:
		return []erasedRows{{"docket_notes", onRecord, []any{e.Record}}}
	case records.ErasableStatement:
		return []erasedRows{{"docket_statements", onRecord, []any{e.Record}}}
	case records.ErasableTexts:
		id, number := keyOf(terms.AppealCases)
		recordOn, recordNumber := keyOf(terms.AppealEnforcements)
		return []erasedRows{
			{"docket_packet_texts", fmt.Sprintf("place = (SELECT place FROM trade_appeal_cases WHERE %s = $1 AND %s = $2)", id, number),
				[]any{e.Key.ID, e.Key.Number}},
			// A record's packetDigest covers the texts, too: with its salt a short text could be guessed.
			{"docket_packet_salts", fmt.Sprintf("sequence IN (SELECT sequence FROM trade_challenge_appeal_enforcement_records WHERE %s = $1 AND %s = $2)"+
				" AND sequence < $3", recordOn, recordNumber), []any{e.Key.ID, e.Key.Number, before}},
		}
	case records.ErasableDraft: // of any console
		return []erasedRows{{"docket_drafts", "(reviewer = $1 OR substr(reviewer, 1, length($1) + 1) = $1 || '@') AND tableName = $2 AND id = $3" +
			" AND revision = $4", own}}
	}
	return []erasedRows{{"docket_skips", "reviewer = $1 AND tableName = $2 AND id = $3 AND revision = $4", own}}
}

// Erasable counts the rows that an erasure for a person deletes, and the salts of those records before a sequence whose digests cover
// them, too.
func (q Records) Erasable(ctx context.Context, e records.Erasure, by terms.ID, before int64) (own, salts int64, err error) {
	for _, rows := range q.erased(e, by, before) {
		into := &own
		if rows.table == "docket_packet_salts" {
			into = &salts
		}
		if err := q.Row(ctx, "SELECT count(*) FROM "+rows.table+" WHERE "+rows.where, rows.args, into); err != nil {
			return 0, 0, err
		}
	}
	return own, salts, nil
}

// Erase deletes these rows, and returns how many there were.
func (q Records) Erase(ctx context.Context, e records.Erasure, by terms.ID, before int64) (total int64, err error) {
	for _, rows := range q.erased(e, by, before) {
		count, err := q.Exec(ctx, "DELETE FROM "+rows.table+" WHERE "+rows.where, rows.args...)
		if err != nil {
			return 0, err
		}
		total += count
	}
	return total, nil
}
