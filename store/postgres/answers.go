package postgres

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
func (*transaction) AnswersOf(tx engine.Tx) engine.Answers { return answersOf{tx} }

func (q answersOf) Bound(ctx context.Context) ([]string, error) {
	return engine.Column[string](ctx, q, "SELECT key FROM docket.docket_handin_service ORDER BY position")
}

func (q answersOf) Bind(ctx context.Context, key string, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_service", "position, key, boundAt"), key, at.String())
}

func (q answersOf) Followed(ctx context.Context) ([]engine.FollowedStatement, error) {
	const query = "SELECT ended, size, statement, signature, logSignature FROM docket.docket_handin_statements ORDER BY position"
	return engine.List(ctx, q, query, (*engine.FollowedStatement).Columns)
}

func (q answersOf) Follow(ctx context.Context, s engine.FollowedStatement, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_statements", "position, ended, size, statement, signature, logSignature, keptAt"),
		s.Ended, s.Size, s.Text, string(s.Signature), string(s.LogSignature), at.String())
}

const shownColumns = "SELECT position, kind, checkpoint, key, known, knownKey, proof, keptAt FROM docket.docket_handin_checkpoints"

func (q answersOf) NewestShown(ctx context.Context) (c engine.ShownCheckpoint, err error) {
	err = q.Row(ctx, shownColumns+" ORDER BY position DESC LIMIT 1", nil, c.Columns()...)
	return c, err
}

func (q answersOf) Setbacks(ctx context.Context) ([]signed.Setback, error) {
	const query = "SELECT shown.kind, shown.checkpoint, shown.key, shown.known, shown.knownKey, shown.proof, shown.keptAt," +
		" coalesce(later.checkpoint, ''), coalesce(later.key, '') FROM docket.docket_handin_checkpoints AS shown" +
		" LEFT JOIN docket.docket_handin_checkpoints AS later ON later.position =" +
		" (SELECT min(position) FROM docket.docket_handin_checkpoints WHERE position > shown.position AND kind = '') WHERE shown.kind <> '' ORDER BY shown.position"
	return engine.List(ctx, q, query, engine.SetbackColumns)
}

func (q answersOf) Shown(ctx context.Context, yield func(*engine.ShownCheckpoint) error) error {
	return engine.Each(ctx, q, shownColumns+" ORDER BY position", (*engine.ShownCheckpoint).Columns, yield)
}

func (q answersOf) Show(ctx context.Context, c engine.ShownCheckpoint, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_checkpoints", "position, kind, checkpoint, key, known, knownKey, proof, keptAt"),
		c.Setback.Kind, c.Checkpoint, c.Key, c.Setback.Known, c.Setback.KnownKey, c.Setback.Proof, at.String())
}

func (q answersOf) AcceptedAbove(ctx context.Context, origin string, size int64, yield func(*engine.Acceptance) error) error {
	const query = "SELECT origin, treeSize, checkpoint FROM docket.docket_handin_acceptances WHERE origin = $1 AND treeSize > $2 ORDER BY treeSize"
	return engine.Each(ctx, q, query, func(a *engine.Acceptance) []any { return []any{&a.Origin, &a.TreeSize, &a.Checkpoint} }, yield, origin, size)
}

// notAnswered is the condition that the service gave no final answer for a row of the log, and signedRevoked the one
// that a revoked key signed its record.
var (
	notAnswered = fmt.Sprintf("NOT EXISTS (SELECT 1 FROM docket.docket_handin_acceptances AS accepted WHERE accepted.sequence = log.sequence AND NOT %s) AND NOT %s",
		isLost("accepted"), isRejected("log.sequence"))
	signedRevoked = fmt.Sprintf("(%s OR %s)", isRevoked(terms.AppealEnforcements, "log.sequence"), isRevoked(terms.AmendmentEnforcements, "log.sequence"))
)

// Unanswered leaves out a record that a revoked key signed: it is not in force, and the service would reject it.
func (q answersOf) Unanswered(ctx context.Context, after int64, most int) ([]int64, error) {
	query := fmt.Sprintf("SELECT log.sequence FROM docket.docket_log AS log WHERE log.sequence > $1 AND %s AND NOT %s ORDER BY log.sequence LIMIT $2", notAnswered, signedRevoked)
	return engine.Column[int64](ctx, q, query, after, most)
}

func (q answersOf) Of(ctx context.Context, sequence int64) (engine.Answer, error) {
	query := fmt.Sprintf("SELECT accepted.receipt, accepted.keptAt, rejected.signed, rejected.changes FROM (SELECT $1::bigint AS sequence) AS record"+
		" LEFT JOIN docket.docket_handin_acceptances AS accepted ON accepted.sequence = record.sequence AND NOT %s"+
		" LEFT JOIN docket.docket_handin_rejections AS rejected ON rejected.sequence = record.sequence", isLost("accepted"))
	var r engine.AnswerRow
	err := q.Row(ctx, query, []any{sequence}, r.Columns()...)
	return r.Answer(), err
}

func (q answersOf) Tally(ctx context.Context) (tally engine.Tally, err error) {
	query := "SELECT (SELECT count(*) FROM docket.docket_handin_acceptances AS accepted WHERE NOT " + isLost("accepted") + ")," +
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
		" AND theirs.revision > held.number AND NOT %[4]s)", in(table), held, in(held), isLostThere("theirs"))
	return fmt.Sprintf("SELECT (SELECT count(*) FROM docket.docket_handin_rejections AS rejected JOIN %[1]s AS held ON held.sequence = rejected.sequence WHERE %[2]s),"+
		" (SELECT count(*) FROM %[1]s AS held JOIN docket.docket_log AS log ON log.sequence = held.sequence"+
		" WHERE EXISTS (SELECT 1 FROM docket.docket_revoked_keys) AND %[3]s AND %[4]s AND %[2]s)", in(table), open, notAnswered, isRevoked(table, "held.sequence"))
}

func (q answersOf) Taken(ctx context.Context, origin string, treeSize int64) (taken bool, err error) {
	const query = "SELECT EXISTS (SELECT 1 FROM docket.docket_handin_acceptances WHERE origin = $1 AND treeSize = $2)"
	err = q.Row(ctx, query, []any{origin, treeSize}, &taken)
	return taken, err
}

func (q answersOf) Accept(ctx context.Context, a engine.Acceptance, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_acceptances", "position, sequence, origin, treeSize, receipt, proof, checkpoint, keptAt"),
		a.Sequence, a.Origin, a.TreeSize, a.Receipt, a.Proof, a.Checkpoint, at.String())
}

func (q answersOf) Lost(ctx context.Context, from, to int64, yield func(*engine.Acceptance) error) error {
	query := "SELECT sequence, origin, treeSize, receipt, proof, checkpoint FROM docket.docket_handin_acceptances AS accepted" +
		" WHERE sequence >= $1 AND sequence < $2 AND " + isLost("accepted") + " ORDER BY sequence, position"
	return engine.Each(ctx, q, query, (*engine.Acceptance).Columns, yield, from, to)
}

// The leaf to which an answer belongs is without table, id and hash if the log has no such row.
const (
	answeredLeaf = "kept.sequence, coalesce(log.tableName, ''), coalesce(log.recordId, ''), log.leafHash"
	withLeaf     = " AS kept LEFT JOIN docket.docket_log AS log ON log.sequence = kept.sequence"
)

func (q answersOf) Acceptances(ctx context.Context, yield func(*engine.Acceptance) error) error {
	query := fmt.Sprintf("SELECT "+answeredLeaf+", kept.origin, kept.treeSize, kept.receipt, kept.proof, kept.checkpoint, %s AND NOT %s"+
		" FROM docket.docket_handin_acceptances"+withLeaf+" ORDER BY kept.sequence, kept.position", isRejected("kept.sequence"), isLost("kept"))
	return engine.Each(ctx, q, query, (*engine.Acceptance).ColumnsWithLeaf, yield)
}

func (q answersOf) LastRejection(ctx context.Context) (position int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(position), -1) FROM docket.docket_handin_rejections", nil, &position)
	return position, err
}

func (q answersOf) Reject(ctx context.Context, r engine.Rejection, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_rejections", "position, sequence, inForce, signed, changes, keptAt"),
		r.Sequence, r.InForce, r.Signed, r.Changes, at.String())
}

func (q answersOf) Rejections(ctx context.Context, after, last int64, most int, yield func(*engine.Rejection) error) error {
	const query = "SELECT " + answeredLeaf + ", kept.position, kept.inForce, kept.signed, kept.changes FROM docket.docket_handin_rejections" + withLeaf +
		" WHERE kept.position > $1 AND kept.position <= $2 ORDER BY kept.position LIMIT $3"
	return engine.Each(ctx, q, query, (*engine.Rejection).ColumnsWithLeaf, yield, after, last, most)
}

func (q answersOf) AddServiceRecord(ctx context.Context, r *engine.ServiceRecord, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_records", "position, tableName, id, revision, recordId, supersedes, record, signature, origin, sequence, proof,"+
		" checkpoint, afterRecords, afterRejections, keptAt"), r.Table.String(), r.Key.ID, r.Key.Number, r.RecordID, r.Supersedes, r.Record, r.Signature,
		r.Origin, r.Sequence, r.Proof, r.Checkpoint, r.AfterRecords, r.AfterRejections, at.String())
}

var serviceRecordColumns = "SELECT theirs.position, theirs.tableName, theirs.id, theirs.revision, theirs.recordId, theirs.supersedes, theirs.record," +
	" theirs.signature, theirs.origin, theirs.sequence, theirs.proof, theirs.checkpoint, theirs.afterRecords, theirs.afterRejections, " + isLostThere("theirs") +
	" FROM docket.docket_handin_records AS theirs "

func (q answersOf) ServiceRecordsOn(ctx context.Context, table terms.Table, key packets.Key) (list []engine.ServiceRecord, err error) {
	err = engine.EachServiceRecord(ctx, q, serviceRecordColumns+"WHERE theirs.tableName = $1 AND theirs.id = $2 AND theirs.revision = $3 ORDER BY theirs.position", func(r *engine.ServiceRecord) error {
		list = append(list, *r)
		return nil
	}, table.String(), key.ID, key.Number)
	return list, err
}

func (q answersOf) LastServiceRecord(ctx context.Context) (position int64, err error) {
	err = q.Row(ctx, "SELECT coalesce(max(position), -1) FROM docket.docket_handin_records", nil, &position)
	return position, err
}

func (q answersOf) ServiceRecords(ctx context.Context, after, last int64, most int, yield func(*engine.ServiceRecord) error) error {
	return engine.EachServiceRecord(ctx, q, serviceRecordColumns+"WHERE theirs.position > $1 AND theirs.position <= $2 ORDER BY theirs.position LIMIT $3", yield, after, last, most)
}

func (q answersOf) Reassigned(ctx context.Context, table terms.Table, id terms.ID) (revision int64, err error) {
	err = q.Row(ctx, "SELECT coalesce((SELECT revision FROM docket.docket_handin_reassigned WHERE tableName = $1 AND id = $2), 0)",
		[]any{table.String(), id}, &revision)
	return revision, err
}

// SetReassigned moves the row to the end, so that each change raises the last position.
func (q answersOf) SetReassigned(ctx context.Context, table terms.Table, key packets.Key, at terms.Instant) error {
	return q.Exec1(ctx, insert("docket_handin_reassigned", "position, tableName, id, revision, toldAt")+
		" ON CONFLICT (tableName, id) DO UPDATE SET position = excluded.position, revision = excluded.revision, toldAt = excluded.toldAt",
		table.String(), key.ID, key.Number, at.String())
}

// ClearReassigned keeps the rows, so that positions go on. Revisions begin at 1; 0 stands for none.
func (q answersOf) ClearReassigned(ctx context.Context) error {
	_, err := q.Exec(ctx, "UPDATE docket.docket_handin_reassigned SET revision = 0 WHERE revision <> 0")
	return err
}

func (q answersOf) Pull(ctx context.Context) (cursor, completedAt string, err error) {
	err = q.Row(ctx, "SELECT cursor, completedAt FROM docket.docket_handin_pull LIMIT 1", nil, &cursor, &completedAt)
	return cursor, completedAt, err
}

func (q answersOf) SetPull(ctx context.Context, cursor string, completed terms.Instant) error {
	return q.Exec1(ctx, "INSERT INTO docket.docket_handin_pull AS held (id, cursor, completedAt) VALUES (0, $1, $2) ON CONFLICT (id) DO UPDATE"+
		" SET cursor = excluded.cursor, completedAt = CASE excluded.completedAt WHEN '' THEN held.completedAt ELSE excluded.completedAt END",
		cursor, completed.String())
}
