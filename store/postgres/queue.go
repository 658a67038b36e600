package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// queueOf is the engine.Queue of a transaction.
type queueOf struct{ engine.Tx }

// QueueOf implements engine.Flavor.
func (*transaction) QueueOf(tx engine.Tx) engine.Queue { return queueOf{tx} }

func (q queueOf) After(ctx context.Context, area terms.Area, reviewer, after terms.ID, most int, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, revisionsAfter(terms.RecordTable(area), 3), byID, yield, after, most)
}

func (q queueOf) Of(ctx context.Context, area terms.Area, reviewer, id terms.ID, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, lastRevisionOf(terms.RecordTable(area), 3), byID, yield, id)
}

// Top reads an index from the top of the part.
func (q queueOf) Top(ctx context.Context, area terms.Area, part engine.QueuePart, reviewer terms.ID, most int, yield func(*engine.QueueRow)) error {
	table := terms.RecordTable(area)
	where, order, rank := "$3::text IS NOT NULL", "id", byID
	if part.Mine {
		where = "listed.assignee = $3"
	}
	if area == terms.Appeals {
		due := " IS NULL"
		if part.Due {
			due = " IS NOT NULL"
		}
		where += " AND listed.deadline" + due + " AND " + isOpen(area)
		// The rank is that of the rows in their order: by a column of the table that they are joined with, all of that would be sorted.
		order, rank = "deadline, id", "latest.deadline, latest.id"
	}
	latest := fmt.Sprintf("SELECT listed.* FROM %s AS listed WHERE %s AND %s ORDER BY %s LIMIT $4", in(table), where, isLatest(table, "listed"), order)
	return q.rows(ctx, area, reviewer, latest, rank, yield, reviewer, most)
}

func (q queueOf) Related(ctx context.Context, area terms.Area, reviewer, about, but terms.ID, most int, yield func(*engine.QueueRow)) error {
	table := terms.RecordTable(area)
	latest := fmt.Sprintf("SELECT named.id, named.number, named.place FROM %s AS named WHERE named.about = $3 AND named.id <> $4 AND %s ORDER BY named.id LIMIT $5",
		in(table), isLatest(table, "named"))
	return q.rows(ctx, area, reviewer, latest, byID, yield, about, but, most)
}

// byID is the order of most queries of the queue.
const byID = "latest.id"

// rows yields, in an order, the stored rows for "latest (id, number, place)", which may take arguments from $3 on.
func (q queueOf) rows(ctx context.Context, area terms.Area, reviewer terms.ID, latest, order string, yield func(*engine.QueueRow), args ...any) error {
	table, enforcements := terms.RecordTable(area), terms.EnforcementTable(area)
	query := fmt.Sprintf("SELECT latest.id, latest.number, held.document, %[3]s, held.importedAt,"+
		" (SELECT CASE WHEN last.here IS NULL AND %[11]s THEN %[9]d WHEN last.ever IS NULL THEN %[6]d WHEN %[7]s THEN %[8]d WHEN last.here IS NULL THEN %[6]d ELSE %[9]d END FROM"+
		" (SELECT max(recorded.sequence) AS ever, max(recorded.sequence) FILTER (WHERE recorded.number = latest.number) AS here"+
		" FROM %[2]s AS recorded WHERE recorded.id = latest.id) AS last),"+
		" (SELECT skip.reason FROM docket.docket_skips AS skip WHERE skip.reviewer = $1 AND skip.tableName = $2 AND skip.id = latest.id AND skip.revision = latest.number),"+
		" EXISTS (SELECT 1 FROM docket.docket_drafts AS draft WHERE draft.reviewer = $1 AND draft.tableName = $2 AND draft.id = latest.id),"+
		" EXISTS (SELECT 1 FROM %[2]s AS judged WHERE judged.id = latest.id AND judged.number <= latest.number AND %[10]s) OR %[12]s,"+
		" EXISTS (SELECT 1 FROM docket.docket_handin_reassigned AS given WHERE given.tableName = $2 AND given.id = latest.id AND given.revision > latest.number)"+
		" FROM (%[4]s) AS latest JOIN %[1]s AS held ON held.place = latest.place ORDER BY %[5]s",
		in(table), in(enforcements), textsOf(table, "held"), latest, order,
		engine.NothingRecorded, notInForce(enforcements, "coalesce(last.here, last.ever)"), engine.LastRejected, engine.LastStands, mayCarry("judged"),
		"EXISTS (SELECT 1 FROM "+theirsOn(table, "latest.id", "= latest.number")+")", "EXISTS (SELECT 1 FROM "+theirsOn(table, "latest.id", "<= latest.number")+")")
	args = append([]any{reviewer, table.String()}, args...)
	var row engine.QueueRow
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		var document, texts sql.RawBytes
		var skipped []byte
		var recorded int64
		if err := scan(&row.Key.ID, &row.Key.Number, &document, &texts, &row.ImportedAt, &recorded, &skipped, &row.Drafted, &row.Added, &row.Reassigned); err != nil {
			return err
		}
		row.Document, row.Recorded, row.Skipped = packets.Joined(document, texts), engine.LastRecord(recorded), string(skipped)
		yield(&row)
		return nil
	}, args...)
}

// mayCarry is the condition that a record may hold blockers that people added: its columns have some or are unknown, or
// there is a rejection of it. With it the queue need not read every record.
func mayCarry(record string) string {
	return fmt.Sprintf("(%[1]s.byReviewer IS DISTINCT FROM '[]' OR %[1]s.carried IS DISTINCT FROM '[]' OR %[2]s)", record, isRejected(record+".sequence"))
}

// revisionsAfter selects the latest revisions of the ids after an argument; the next argument is the limit.
func revisionsAfter(table terms.Table, after int) string {
	return fmt.Sprintf("SELECT DISTINCT ON (id) id, number, place FROM %s WHERE id > $%d ORDER BY id, number DESC LIMIT $%d", in(table), after, after+1)
}

// lastRevisionOf selects the latest revision of the id that is an argument.
func lastRevisionOf(table terms.Table, named int) string {
	return fmt.Sprintf("SELECT id, number, place FROM %s WHERE id = $%d ORDER BY number DESC LIMIT 1", in(table), named)
}

func (q queueOf) IndexAfter(ctx context.Context, area terms.Area, after terms.ID, most int, yield func(engine.IndexRow) error) error {
	return q.index(ctx, area, revisionsAfter(terms.RecordTable(area), 1), yield, after, most)
}

func (q queueOf) IndexOf(ctx context.Context, area terms.Area, id terms.ID, yield func(engine.IndexRow) error) error {
	return q.index(ctx, area, lastRevisionOf(terms.RecordTable(area), 1), yield, id)
}

func (q queueOf) index(ctx context.Context, area terms.Area, latest string, yield func(engine.IndexRow) error, args ...any) error {
	table := terms.RecordTable(area)
	query := fmt.Sprintf("SELECT latest.id, latest.number, held.document, %s,"+
		" coalesce((SELECT string_agg(recorded.recordId, chr(10) ORDER BY recorded.sequence) FROM %s AS recorded WHERE recorded.id = latest.id), '')"+
		" FROM (%s) AS latest JOIN %s AS held ON held.place = latest.place ORDER BY latest.id", textsOf(table, "held"), in(terms.EnforcementTable(area)), latest, in(table))
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		var row engine.IndexRow
		var texts []byte
		var recorded string
		if err := scan(&row.Key.ID, &row.Key.Number, &row.Document, &texts, &recorded); err != nil {
			return err
		}
		for _, id := range strings.Fields(recorded) {
			row.Recorded = append(row.Recorded, records.RecordID(id))
		}
		row.Document = packets.Joined(row.Document, texts)
		return yield(row)
	}, args...)
}

func (q queueOf) Mark(ctx context.Context, area terms.Area) (mark queue.Watermark, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(place), 0) FROM %s), (SELECT coalesce(max(place), 0) FROM %s),"+
		" (SELECT coalesce(max(sequence) + 1, 0) FROM docket.docket_log), (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_handin_rejections),"+
		" (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_log_statements), (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_handin_reassigned),"+
		" (SELECT coalesce(max(position) + 1, 0) FROM docket.docket_handin_records)",
		in(terms.RecordTable(area)), in(terms.PolicyTable(area)))
	err = q.Row(ctx, query, nil, &mark.Packets, &mark.Policies, &mark.Records, &mark.Rejections, &mark.Statements, &mark.Reassigned, &mark.ServiceRecords)
	return mark, err
}

func (q queueOf) Changed(ctx context.Context, area terms.Area, since queue.Watermark) ([]terms.ID, error) {
	query := fmt.Sprintf("SELECT id FROM %[1]s WHERE place > $1 UNION ALL SELECT id FROM %[2]s WHERE sequence >= $2"+
		" UNION ALL SELECT held.id FROM docket.docket_handin_rejections AS rejected JOIN %[2]s AS held ON held.sequence = rejected.sequence WHERE rejected.position >= $3"+
		" UNION ALL SELECT id FROM docket.docket_handin_reassigned WHERE position >= $4 AND tableName = $5"+
		" UNION ALL SELECT id FROM docket.docket_handin_records WHERE position >= $6 AND tableName = $5", in(terms.RecordTable(area)), in(terms.EnforcementTable(area)))
	args := []any{since.Packets, since.Records, since.Rejections, since.Reassigned, terms.RecordTable(area).String(), since.ServiceRecords}
	return engine.Column[terms.ID](ctx, q, query, args...)
}
