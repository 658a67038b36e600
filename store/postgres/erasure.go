package postgres

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
	const ownRow = " WHERE reviewer = $1 AND tableName = $2 AND id = $3 AND revision = $4"
	own := []any{by, e.Table.String(), e.Key.ID, e.Key.Number}
	switch e.What {
	case records.ErasableNote:
		return []erasedRows{{"docket_notes", ofRecord, []any{e.Record}}}
	case records.ErasableStatement:
		return []erasedRows{{"docket_statements", ofRecord, []any{e.Record}}}
	case records.ErasableTexts:
		return []erasedRows{
			{"docket_packet_texts", fmt.Sprintf(" WHERE place = (SELECT held.place FROM %s"+ofKey+")", in(terms.AppealCases)), []any{e.Key.ID, e.Key.Number}},
			// A record's packetDigest covers the texts, too: with its salt a short text could be guessed.
			{"docket_packet_salts", fmt.Sprintf(" WHERE sequence IN (SELECT held.sequence FROM %s"+ofKey+") AND sequence < $3", in(terms.AppealEnforcements)),
				[]any{e.Key.ID, e.Key.Number, before}},
		}
	case records.ErasableDraft:
		return []erasedRows{{"docket_drafts", ownRow, own}}
	}
	return []erasedRows{{"docket_skips", ownRow, own}}
}

func (q recordsOf) Erasable(ctx context.Context, e records.Erasure, by terms.ID, before int64) (own, salts int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		into := &own
		if rows.table == "docket_packet_salts" {
			into = &salts
		}
		if err := q.Row(ctx, "SELECT count(*) FROM docket."+rows.table+rows.where, rows.args, into); err != nil {
			return 0, 0, err
		}
	}
	return own, salts, nil
}

func (q recordsOf) Erase(ctx context.Context, e records.Erasure, by terms.ID, before int64) (total int64, err error) {
	for _, rows := range rowsOf(e, by, before) {
		count, err := q.Exec(ctx, "DELETE FROM docket."+rows.table+rows.where, rows.args...)
		if err != nil {
			return 0, err
		}
		total += count
	}
	return total, nil
}
