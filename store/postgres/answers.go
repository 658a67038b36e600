package postgres

import (
	"context"
	"fmt"

	"docket/domain/terms"
	"docket/store/engine"
)

// notAnswered is the condition that the service gave no final answer for a row of the log, and signedRevoked the one
// that a revoked key signed its record.
var (
	notAnswered = fmt.Sprintf("NOT EXISTS (SELECT 1 FROM docket.docket_handin_acceptances AS accepted WHERE accepted.sequence = log.sequence AND NOT %s) AND NOT %s",
		isEarlier("accepted"), isRejected("log.sequence"))
	signedRevoked = fmt.Sprintf("(%s OR %s)", isRevoked(terms.AppealEnforcements, "log.sequence"), isRevoked(terms.AmendmentEnforcements, "log.sequence"))
)

// Unanswered leaves out a record that a revoked key signed: it is not in force, and the service would reject it.
func (*transaction) Unanswered(ctx context.Context, q engine.Tx, after int64, most int) ([]int64, error) {
	query := fmt.Sprintf("SELECT log.sequence FROM docket.docket_log AS log WHERE log.sequence > $1 AND %s AND NOT %s ORDER BY log.sequence LIMIT $2", notAnswered, signedRevoked)
	return engine.Column[int64](ctx, q, query, after, most)
}

func (*transaction) Tally(ctx context.Context, q engine.Tx) (tally engine.Tally, err error) {
	query := "SELECT (SELECT count(*) FROM docket.docket_handin_acceptances AS accepted WHERE NOT " + isEarlier("accepted") + ")," +
		" (SELECT count(*) FROM docket.docket_handin_rejections), (SELECT count(*) FROM docket.docket_log AS log" +
		" WHERE EXISTS (SELECT 1 FROM docket.docket_revoked_keys) AND " + notAnswered + " AND " + signedRevoked + ")"
	if err := q.Row(ctx, query, nil, &tally.Accepted, &tally.Rejected, &tally.Revoked); err != nil || tally.Rejected == 0 && tally.Revoked == 0 {
		return tally, err
	}
	for _, table := range enforcements {
		var open, revoked int64
		if err := q.Row(ctx, toJudgeAgain(table), nil, &open, &revoked); err != nil {
			return tally, err
		}
		tally.Open, tally.RevokedOpen = tally.Open+open, tally.RevokedOpen+revoked
	}
	return tally, nil
}

// toJudgeAgain counts the records of a table that the service rejected, and those without an answer that a revoked key
// signed: of each those without a later record on the same or a later revision. It leaves out those whose case or
// amendment the service assigned to another reviewer, or on which another console decided in a later revision.
func toJudgeAgain(table terms.Table) string {
	held := terms.RecordTable(terms.AreaOf(table))
	open := fmt.Sprintf("NOT EXISTS (SELECT 1 FROM %[1]s AS later WHERE later.id = held.id AND later.number >= held.number AND later.sequence > held.sequence)"+
		" AND NOT EXISTS (SELECT 1 FROM docket.docket_handin_reassigned AS given WHERE given.tableName = '%[2]s' AND given.id = held.id"+
		" AND given.revision > (SELECT max(packet.number) FROM %[3]s AS packet WHERE packet.id = held.id))"+
		" AND NOT EXISTS (SELECT 1 FROM docket.docket_handin_records AS theirs WHERE theirs.tableName = '%[2]s' AND theirs.id = held.id"+
		" AND theirs.revision > held.number AND NOT %[4]s)", in(table), held, in(held), isEarlier("theirs"))
	return fmt.Sprintf("SELECT (SELECT count(*) FROM docket.docket_handin_rejections AS rejected JOIN %[1]s AS held ON held.sequence = rejected.sequence WHERE %[2]s),"+
		" (SELECT count(*) FROM %[1]s AS held JOIN docket.docket_log AS log ON log.sequence = held.sequence"+
		" WHERE EXISTS (SELECT 1 FROM docket.docket_revoked_keys) AND %[3]s AND %[4]s AND %[2]s)", in(table), open, notAnswered, isRevoked(table, "held.sequence"))
}
