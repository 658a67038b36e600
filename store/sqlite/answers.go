package sqlite

import (
	"context"
	"fmt"

	"docket/domain/terms"
	"docket/store/engine"
)

// notAnswered is the condition that the service gave no final answer for a row of the log, and signedRevoked the one
// that a revoked key signed its record.
var (
	notAnswered   = fmt.Sprintf("NOT %s AND NOT %s", isAccepted("log.sequence"), isRejected("log.sequence"))
	signedRevoked = fmt.Sprintf("(%s OR %s)", isRevoked(terms.AppealEnforcements, "log.sequence"), isRevoked(terms.AmendmentEnforcements, "log.sequence"))
)

// unanswered lists places of the log for which the service gave no final answer: at most ?2 of those after ?1. A record
// that a revoked key signed is not among them: it is not in force, and the service would reject it.
var unanswered = fmt.Sprintf("SELECT log.sequence FROM main.%s AS log WHERE log.sequence > ?1 AND %s AND NOT %s ORDER BY log.sequence LIMIT ?2",
	logTable, notAnswered, signedRevoked)

// revokedUnanswered counts the records that unanswered leaves out.
var revokedUnanswered = fmt.Sprintf("SELECT count(*) FROM main.%s AS log WHERE EXISTS (SELECT 1 FROM main.%s) AND %s AND %s",
	logTable, revokedTable, notAnswered, signedRevoked)

func (flavor) Unanswered(ctx context.Context, q engine.Tx, after int64, most int) ([]int64, error) {
	return engine.Column[int64](ctx, q, unanswered, after, most)
}

func (flavor) Tally(ctx context.Context, q engine.Tx) (tally engine.Tally, err error) {
	query := "SELECT (SELECT count(*) FROM main." + acceptancesTable + " AS accepted WHERE NOT " + isEarlier("accepted") + "), (SELECT count(*) FROM main." + rejectionsTable + ")"
	if err := q.Row(ctx, query, nil, &tally.Accepted, &tally.Rejected); err != nil {
		return tally, err
	}
	if err := q.Row(ctx, revokedUnanswered, nil, &tally.Revoked); err != nil || tally.Rejected == 0 && tally.Revoked == 0 {
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
// amendment the service assigned to another reviewer, or on which another console decided in a later revision. Reading
// a column of a document that is no longer JSON would end the query.
func toJudgeAgain(table terms.Table) string {
	id, number := keyColumns(table)
	packets := terms.RecordTable(terms.AreaOf(table))
	packetID, revision := keyColumns(packets)
	open := fmt.Sprintf("CASE WHEN json_valid(held.document) THEN NOT EXISTS (SELECT 1 FROM main.%[1]s AS later INDEXED BY %[2]s"+
		" WHERE later.%[3]s = held.%[3]s AND later.%[4]s >= held.%[4]s AND later.sequence > held.sequence)"+
		" AND NOT EXISTS (SELECT 1 FROM main.%[5]s AS given WHERE given.tableName = '%[6]s' AND given.id = held.%[3]s"+
		" AND given.revision > (SELECT max(packet.%[8]s) FROM main.%[6]s AS packet INDEXED BY %[9]s WHERE packet.%[7]s = held.%[3]s))"+
		" AND NOT EXISTS (SELECT 1 FROM main.%[10]s AS theirs INDEXED BY %[10]s_key WHERE theirs.tableName = '%[6]s' AND theirs.id = held.%[3]s"+
		" AND theirs.revision > held.%[4]s AND NOT %[11]s) END",
		table, keyIndex(table), quote(id), quote(number), reassignedTable, packets, quote(packetID), quote(revision), keyIndex(packets), serviceRecordsTable,
		isEarlier("theirs"))
	return fmt.Sprintf("SELECT (SELECT count(*) FROM main.%[1]s AS rejected JOIN main.%[2]s AS held ON held.sequence = rejected.sequence WHERE %[3]s),"+
		" (SELECT count(*) FROM main.%[2]s AS held JOIN main.%[4]s AS log ON log.sequence = held.sequence"+
		" WHERE EXISTS (SELECT 1 FROM main.%[5]s) AND %[6]s AND %[7]s AND %[3]s)",
		rejectionsTable, table, open, logTable, revokedTable, notAnswered, isRevoked(table, "held.sequence"))
}
