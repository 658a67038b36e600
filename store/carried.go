package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"docket/domain"
	"docket/domain/signed"
)

// carriedOn returns the blockers that people added to a revision: those of every record on it that the service did not turn
// away, and those that its rejections name. They stand whatever the rules find.
func carriedOn(ctx context.Context, q querier, area domain.Area, key domain.Key) (codes domain.BlockerSet, err error) {
	err = eachRow(ctx, q, carriedQueries[area], func(scan func(...any) error) error {
		var added, carried string
		var rejection sql.NullString
		if err := scan(&added, &carried, &rejection); err != nil {
			return err
		}
		if rejection.Valid {
			statement, err := signed.Unverified(rejection.String)
			codes = codes.Union(statement.Carried)
			return err
		}
		for _, list := range [...]string{added, carried} {
			var words []domain.Blocker
			if err := json.Unmarshal([]byte(list), &words); err != nil {
				return fmt.Errorf("the blockers of a record on %s revision %d: %w", key.ID, key.Number, ErrDamaged)
			}
			codes = codes.Union(domain.SetOf(words...))
		}
		return nil
	}, string(key.ID), key.Number)
	return codes, err
}

// carriedQueries are the queries of carriedOn.
var carriedQueries = map[domain.Area]string{
	domain.Appeals:    carriedQuery(domain.AppealEnforcements),
	domain.Amendments: carriedQuery(domain.AmendmentEnforcements),
}

// carriedQuery reads documents that are JSON only; of one that is not, every check finds that it was altered.
func carriedQuery(table domain.Table) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT coalesce(json_extract(held.document, '$.reviewerBlockers'), '[]'), "+
		"coalesce(json_extract(held.document, '$.carriedBlockers'), '[]'), rejected.signed "+
		"FROM main.%[1]s AS held INDEXED BY %[2]s LEFT JOIN main.%[5]s AS rejected ON rejected.sequence = held.sequence "+
		"WHERE held.%[3]s = ?1 AND held.%[4]s = ?2",
		table, keyIndex(table), quote(id), quote(number), rejectionsTable)
}

// mayAdd is the condition that a record may bring blockers that people added: its document does not say that there are none, or
// a rejection speaks of it. It spares the queue a look at every record.
func mayAdd(record string) string {
	return fmt.Sprintf(`(instr(%[1]s.document, '"reviewerBlockers":[]') = 0 OR instr(%[1]s.document, '"carriedBlockers":[]') = 0 OR %[2]s)`,
		record, isRejected(record+".sequence"))
}
