package sqlite

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/engine"
)

// answersOf is the engine.Answers of a transaction.
type answersOf struct{ engine.Tx }

// AnswersOf implements engine.Flavor.
func (flavor) AnswersOf(tx engine.Tx) engine.Answers { return answersOf{tx} }

func (q answersOf) Bound(ctx context.Context) ([]string, error) {
	return engine.Column[string](ctx, q, "SELECT key FROM main."+boundTable+" ORDER BY position")
}

func (q answersOf) Bind(ctx context.Context, key string, at terms.Instant) error {
	const add = "INSERT INTO main." + boundTable + " (position, key, boundAt) VALUES (" + nextIn + boundTable + "), ?, ?)"
	return q.Exec1(ctx, add, key, at.String())
}

func (q answersOf) Followed(ctx context.Context) ([]engine.FollowedStatement, error) {
	const query = "SELECT ended, size, statement, signature, logSignature FROM main." + followedTable + " ORDER BY position"
	return engine.List(ctx, q, query, (*engine.FollowedStatement).Columns)
}

func (q answersOf) Follow(ctx context.Context, s engine.FollowedStatement, at terms.Instant) error {
	const add = "INSERT INTO main." + followedTable + " (position, ended, size, statement, signature, logSignature, keptAt) VALUES (" +
		nextIn + followedTable + "), ?, ?, ?, ?, ?, ?)"
	return q.Exec1(ctx, add, s.Ended, s.Size, s.Text, string(s.Signature), string(s.LogSignature), at.String())
}

const shownColumns = "SELECT position, kind, checkpoint, key, known, knownKey, proof, keptAt FROM main." + shownTable

func (q answersOf) NewestShown(ctx context.Context) (c engine.ShownCheckpoint, err error) {
	err = q.Row(ctx, shownColumns+" ORDER BY position DESC LIMIT 1", nil, c.Columns()...)
	return c, err
}

func (q answersOf) Setbacks(ctx context.Context) ([]signed.Setback, error) {
	const query = "SELECT row.kind, row.checkpoint, row.key, row.known, row.knownKey, row.proof, row.keptAt, coalesce(later.checkpoint, ''), coalesce(later.key, '')" +
		" FROM main." + shownTable + " AS row LEFT JOIN main." + shownTable + " AS later ON later.position =" +
		" (SELECT min(position) FROM main." + shownTable + " WHERE position > row.position AND kind = '') WHERE row.kind <> '' ORDER BY row.position"
	return engine.List(ctx, q, query, engine.SetbackColumns)
}

func (q answersOf) Shown(ctx context.Context, yield func(*engine.ShownCheckpoint) error) error {
	return engine.Each(ctx, q, shownColumns+" ORDER BY position", (*engine.ShownCheckpoint).Columns, yield)
}

func (q answersOf) Show(ctx context.Context, c engine.ShownCheckpoint, at terms.Instant) error {
	const add = "INSERT INTO main." + shownTable + " (position, kind, checkpoint, key, known, knownKey, proof, keptAt) VALUES (" +
		nextIn + shownTable + "), ?, ?, ?, ?, ?, ?, ?)"
	return q.Exec1(ctx, add, c.Setback.Kind, c.Checkpoint, c.Key, c.Setback.Known, c.Setback.KnownKey, c.Setback.Proof, at.String())
}

func (q answersOf) AcceptedAbove(ctx context.Context, origin string, size int64, yield func(*engine.Acceptance) error) error {
	const query = "SELECT origin, treeSize, checkpoint FROM main." + acceptancesTable + " WHERE origin = ? AND treeSize > ? ORDER BY treeSize"
	return engine.Each(ctx, q, query, func(a *engine.Acceptance) []any { return []any{&a.Origin, &a.TreeSize, &a.Checkpoint} }, yield, origin, size)
}

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

func (q answersOf) Unanswered(ctx context.Context, after int64, most int) ([]int64, error) {
	return engine.Column[int64](ctx, q, unanswered, after, most)
}

// answerQuery reads the service's answers about the record at ?1.
var answerQuery = fmt.Sprintf("SELECT accepted.receipt, accepted.keptAt, rejected.signed, rejected.changes FROM (SELECT ?1 AS sequence) AS record"+
	" LEFT JOIN main.%s AS accepted ON accepted.sequence = record.sequence AND NOT %s"+
	" LEFT JOIN main.%s AS rejected ON rejected.sequence = record.sequence", acceptancesTable, isLost("accepted"), rejectionsTable)

func (q answersOf) Of(ctx context.Context, sequence int64) (engine.Answer, error) {
	var r engine.AnswerRow
	err := q.Row(ctx, answerQuery, []any{sequence}, r.Columns()...)
	return r.Answer(), err
}

func (q answersOf) Tally(ctx context.Context) (tally engine.Tally, err error) {
	query := "SELECT (SELECT count(*) FROM main." + acceptancesTable + " AS accepted WHERE NOT " + isLost("accepted") + "), (SELECT count(*) FROM main." + rejectionsTable + ")"
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
		isLostThere("theirs"))
	return fmt.Sprintf("SELECT (SELECT count(*) FROM main.%[1]s AS rejected JOIN main.%[2]s AS held ON held.sequence = rejected.sequence WHERE %[3]s),"+
		" (SELECT count(*) FROM main.%[2]s AS held JOIN main.%[4]s AS log ON log.sequence = held.sequence"+
		" WHERE EXISTS (SELECT 1 FROM main.%[5]s) AND %[6]s AND %[7]s AND %[3]s)",
		rejectionsTable, table, open, logTable, revokedTable, notAnswered, isRevoked(table, "held.sequence"))
}

func (q answersOf) Taken(ctx context.Context, origin string, treeSize int64) (taken bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM main." + acceptancesTable + " WHERE origin = ? AND treeSize = ?)"
	err = q.Row(ctx, query, []any{origin, treeSize}, &taken)
	return taken, err
}

func (q answersOf) Accept(ctx context.Context, a engine.Acceptance, at terms.Instant) error {
	const add = "INSERT INTO main." + acceptancesTable + " (position, sequence, origin, treeSize, receipt, proof, checkpoint, keptAt) VALUES (" +
		nextIn + acceptancesTable + "), ?, ?, ?, ?, ?, ?, ?)"
	return q.Exec1(ctx, add, a.Sequence, a.Origin, a.TreeSize, a.Receipt, a.Proof, a.Checkpoint, at.String())
}

func (q answersOf) Lost(ctx context.Context, from, to int64, yield func(*engine.Acceptance) error) error {
	query := "SELECT sequence, origin, treeSize, receipt, proof, checkpoint FROM main." + acceptancesTable + " AS accepted WHERE sequence >= ? AND sequence < ? AND " +
		isLost("accepted") + " ORDER BY sequence, position"
	return engine.Each(ctx, q, query, (*engine.Acceptance).Columns, yield, from, to)
}

// answeredLeaf is the leaf to which an answer belongs; without table, id and hash where the log has no such row.
const answeredLeaf = "kept.sequence, coalesce(log.tableName, ''), coalesce(log.recordId, ''), log.leafHash"

// withLeaf joins it.
const withLeaf = " AS kept LEFT JOIN main." + logTable + " AS log ON log.sequence = kept.sequence"

func (q answersOf) Acceptances(ctx context.Context, yield func(*engine.Acceptance) error) error {
	query := fmt.Sprintf("SELECT "+answeredLeaf+", kept.origin, kept.treeSize, kept.receipt, kept.proof, kept.checkpoint, %s AND NOT %s"+
		" FROM main."+acceptancesTable+withLeaf+" ORDER BY kept.sequence, kept.position", isRejected("kept.sequence"), isLost("kept"))
	return engine.Each(ctx, q, query, (*engine.Acceptance).ColumnsWithLeaf, yield)
}

func (q answersOf) LastRejection(ctx context.Context) (position int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(position), -1) FROM main."+rejectionsTable, nil, &position)
	return position, err
}

func (q answersOf) Reject(ctx context.Context, r engine.Rejection, at terms.Instant) error {
	const add = "INSERT INTO main." + rejectionsTable + " (position, sequence, inForce, signed, changes, keptAt) VALUES (" +
		nextIn + rejectionsTable + "), ?, ?, ?, ?, ?)"
	return q.Exec1(ctx, add, r.Sequence, string(r.InForce), r.Signed, r.Changes, at.String())
}

func (q answersOf) Rejections(ctx context.Context, after, last int64, most int, yield func(*engine.Rejection) error) error {
	const query = "SELECT " + answeredLeaf + ", kept.position, kept.inForce, kept.signed, kept.changes FROM main." + rejectionsTable + withLeaf +
		" WHERE kept.position > ? AND kept.position <= ? ORDER BY kept.position LIMIT ?"
	return engine.Each(ctx, q, query, (*engine.Rejection).ColumnsWithLeaf, yield, after, last, most)
}

func (q answersOf) AddServiceRecord(ctx context.Context, r *engine.ServiceRecord, at terms.Instant) error {
	const add = "INSERT INTO main." + serviceRecordsTable + " (position, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence," +
		" proof, checkpoint, afterRecords, afterRejections, keptAt) VALUES (" + nextIn + serviceRecordsTable + "), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	return q.Exec1(ctx, add, r.Table.String(), string(r.Key.ID), r.Key.Number, string(r.RecordID), string(r.Supersedes), r.Record, r.Signature, r.Origin,
		r.Sequence, r.Proof, r.Checkpoint, r.AfterRecords, r.AfterRejections, at.String())
}

var serviceRecordColumns = "SELECT theirs.position, theirs.tableName, theirs.id, theirs.revision, theirs.recordId, theirs.supersedes, theirs.record," +
	" theirs.signature, theirs.origin, theirs.sequence, theirs.proof, theirs.checkpoint, theirs.afterRecords, theirs.afterRejections, " + isLostThere("theirs") +
	" FROM main." + serviceRecordsTable + " AS theirs "

func (q answersOf) ServiceRecordsOn(ctx context.Context, table terms.Table, key packets.Key) (list []engine.ServiceRecord, err error) {
	query := serviceRecordColumns + "INDEXED BY " + serviceRecordsTable + "_key WHERE theirs.tableName = ? AND theirs.id = ? AND theirs.revision = ? ORDER BY theirs.position"
	err = engine.EachServiceRecord(ctx, q, query, func(r *engine.ServiceRecord) error {
		list = append(list, *r)
		return nil
	}, table.String(), string(key.ID), key.Number)
	return list, err
}

func (q answersOf) LastServiceRecord(ctx context.Context) (position int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(position), -1) FROM main."+serviceRecordsTable, nil, &position)
	return position, err
}

func (q answersOf) ServiceRecords(ctx context.Context, after, last int64, most int, yield func(*engine.ServiceRecord) error) error {
	return engine.EachServiceRecord(ctx, q, serviceRecordColumns+"WHERE theirs.position > ? AND theirs.position <= ? ORDER BY theirs.position LIMIT ?", yield, after, last, most)
}

func (q answersOf) Reassigned(ctx context.Context, table terms.Table, id terms.ID) (revision int64, err error) {
	err = q.Row(ctx, "SELECT coalesce((SELECT revision FROM main."+reassignedTable+" WHERE tableName = ? AND id = ?), 0)",
		[]any{table.String(), string(id)}, &revision)
	return revision, err
}

// SetReassigned moves the row to the end, so that each change raises the last position.
func (q answersOf) SetReassigned(ctx context.Context, table terms.Table, key packets.Key, at terms.Instant) error {
	const set = "INSERT INTO main." + reassignedTable + " (position, tableName, id, revision, toldAt) VALUES (" + nextIn + reassignedTable + "), ?, ?, ?, ?)" +
		" ON CONFLICT (tableName, id) DO UPDATE SET position = excluded.position, revision = excluded.revision, toldAt = excluded.toldAt"
	return q.Exec1(ctx, set, table.String(), string(key.ID), key.Number, at.String())
}

// ClearReassigned keeps the rows, so that positions go on. Revisions begin at 1; 0 stands for none.
func (q answersOf) ClearReassigned(ctx context.Context) error {
	_, err := q.Exec(ctx, "UPDATE main."+reassignedTable+" SET revision = 0 WHERE revision <> 0")
	return err
}

func (q answersOf) Pull(ctx context.Context) (cursor, completedAt string, err error) {
	err = q.Row(ctx, "SELECT cursor, completedAt FROM main."+pullTable+" LIMIT 1", nil, &cursor, &completedAt)
	return cursor, completedAt, err
}

func (q answersOf) SetPull(ctx context.Context, cursor string, completed terms.Instant) error {
	return q.Exec1(ctx, "INSERT INTO main."+pullTable+" (id, cursor, completedAt) VALUES (0, ?, ?) ON CONFLICT DO UPDATE "+
		"SET cursor = excluded.cursor, completedAt = CASE excluded.completedAt WHEN '' THEN completedAt ELSE excluded.completedAt END",
		cursor, completed.String())
}
