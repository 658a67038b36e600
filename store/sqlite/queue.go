package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// queueOf is the engine.Queue of a transaction.
type queueOf struct{ engine.Tx }

// QueueOf implements engine.Flavor.
func (flavor) QueueOf(tx engine.Tx) engine.Queue { return queueOf{tx} }

func (q queueOf) After(ctx context.Context, area terms.Area, reviewer, after terms.ID, most int, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, latestAfter(terms.RecordTable(area)), yield, string(after), most)
}

func (q queueOf) Of(ctx context.Context, area terms.Area, reviewer, id terms.ID, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, latestOf(terms.RecordTable(area)), yield, string(id))
}

func (q queueOf) Top(ctx context.Context, area terms.Area, part engine.QueuePart, reviewer terms.ID, most int, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, topOf(area, part), yield, string(reviewer), most)
}

func (q queueOf) Related(ctx context.Context, area terms.Area, reviewer, about, but terms.ID, most int, yield func(*engine.QueueRow)) error {
	return q.rows(ctx, area, reviewer, relatedTo(terms.RecordTable(area)), yield, string(about), string(but), most)
}

// rows yields the rows of a query of the queue. Its first arguments are the reviewer and the table's name; the given
// ones follow.
func (q queueOf) rows(ctx context.Context, area terms.Area, reviewer terms.ID, query string, yield func(*engine.QueueRow), args ...any) error {
	args = append([]any{string(reviewer), terms.RecordTable(area).String()}, args...)
	var row engine.QueueRow
	var document sql.RawBytes
	var skipped sql.NullString
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		if err := scan(&row.Key.ID, &row.Key.Number, &document, &row.ImportedAt, &row.Recorded, &skipped, &row.Drafted, &row.Added, &row.Reassigned); err != nil {
			return err
		}
		row.Document, row.Skipped = document, skipped.String
		yield(&row)
		return nil
	}, args...)
}

func (q queueOf) IndexAfter(ctx context.Context, area terms.Area, after terms.ID, most int, yield func(engine.IndexRow) error) error {
	table := terms.RecordTable(area)
	return q.index(ctx, withRecordIDs(table, revisionsAfter(table, 1)), yield, string(after), most)
}

func (q queueOf) IndexOf(ctx context.Context, area terms.Area, id terms.ID, yield func(engine.IndexRow) error) error {
	table := terms.RecordTable(area)
	return q.index(ctx, withRecordIDs(table, lastRevisionOf(table, 1)), yield, string(id))
}

func (q queueOf) index(ctx context.Context, query string, yield func(engine.IndexRow) error, args ...any) error {
	return q.EachRow(ctx, query, func(scan engine.Scan) error {
		var row engine.IndexRow
		var recorded string
		if err := scan(&row.Key.ID, &row.Key.Number, &row.Document, &recorded); err != nil {
			return err
		}
		for id := range strings.FieldsSeq(recorded) {
			row.Recorded = append(row.Recorded, records.RecordID(id))
		}
		return yield(row)
	}, args...)
}

func (q queueOf) Mark(ctx context.Context, area terms.Area) (mark queue.Watermark, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(place), 0) FROM main.%s), (SELECT coalesce(max(place), 0) FROM main.%s), "+
		"(SELECT coalesce(max(sequence) + 1, 0) FROM main.%s), (SELECT coalesce(max(position) + 1, 0) FROM main.%s), "+
		"(SELECT coalesce(max(position) + 1, 0) FROM main.%s), (SELECT coalesce(max(position) + 1, 0) FROM main.%s), (SELECT coalesce(max(position) + 1, 0) FROM main.%s)",
		terms.RecordTable(area), terms.PolicyTable(area), logTable, rejectionsTable, statementsTable, reassignedTable, serviceRecordsTable)
	err = q.Row(ctx, query, nil, &mark.Packets, &mark.Policies, &mark.Records, &mark.Rejections, &mark.Statements, &mark.Reassigned, &mark.ServiceRecords)
	return mark, err
}

func (q queueOf) Changed(ctx context.Context, area terms.Area, since queue.Watermark) (ids []terms.ID, err error) {
	const rejected = "sequence IN (SELECT sequence FROM main." + rejectionsTable + " WHERE position >= ?)"
	for _, changed := range []struct {
		table terms.Table
		where string
		since int64
	}{
		{terms.RecordTable(area), "place > ?", since.Packets},
		{terms.EnforcementTable(area), "sequence >= ?", since.Records},
		{terms.EnforcementTable(area), rejected, since.Rejections},
	} {
		id, _ := keyColumns(changed.table)
		query := fmt.Sprintf("SELECT %s FROM main.%s WHERE %s", quote(id), changed.table, changed.where)
		some, err := engine.Column[terms.ID](ctx, q, query, changed.since)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	const query = "SELECT id FROM main." + reassignedTable + " WHERE position >= ?1 AND tableName = ?3" +
		" UNION ALL SELECT id FROM main." + serviceRecordsTable + " WHERE position >= ?2 AND tableName = ?3"
	some, err := engine.Column[terms.ID](ctx, q, query, since.Reassigned, since.ServiceRecords, terms.RecordTable(area).String())
	return append(ids, some...), err
}

// The queries of the queue. Each selects id, number, document, importedAt, recorded, skipped, drafted, added and reassigned, and takes the reviewer and the
// table's name first. Ids and numbers come from the index, so that they are there even if a document is no longer
// JSON.

// withState selects, for the rows of "latest (id, number, place)", the columns of a row of the queue.
func withState(table terms.Table, latest string) string {
	enforcements := terms.EnforcementTable(terms.AreaOf(table))
	id, number := keyColumns(enforcements)
	theirs := "EXISTS (SELECT 1 FROM " + theirsOn(table, "latest.id", "= latest.number") + ")"
	return fmt.Sprintf("SELECT latest.id, latest.number, %[12]s, held.importedAt,"+
		" (SELECT CASE WHEN last.here IS NULL AND %[14]s THEN %[10]d WHEN last.ever IS NULL THEN %[9]d WHEN "+notInForce(enforcements, "coalesce(last.here, last.ever)")+" THEN %[11]d"+
		" WHEN last.here IS NULL THEN %[9]d ELSE %[10]d END FROM"+
		" (SELECT max(recorded.sequence) AS ever, max(CASE WHEN recorded.%[5]s = latest.number THEN recorded.sequence END) AS here"+
		" FROM main.%[2]s AS recorded INDEXED BY %[3]s WHERE recorded.%[4]s = latest.id) AS last),"+
		" (SELECT reason FROM main.%[6]s AS skip WHERE skip.reviewer = ?1 AND skip.tableName = ?2 AND skip.id = latest.id"+
		" AND skip.revision = latest.number),"+
		" EXISTS (SELECT 1 FROM main.%[8]s AS draft WHERE (draft.reviewer = ?1 OR substr(draft.reviewer, 1, length(?1) + 1) = ?1 || '@') AND draft.tableName = ?2 AND draft.id = latest.id),"+
		" EXISTS (SELECT 1 FROM main.%[2]s AS judged INDEXED BY %[3]s WHERE judged.%[4]s = latest.id AND judged.%[5]s <= latest.number AND "+
		mayCarry("judged")+") OR EXISTS (SELECT 1 FROM "+theirsOn(table, "latest.id", "<= latest.number")+"),"+
		" EXISTS (SELECT 1 FROM main.%[13]s AS given WHERE given.tableName = ?2 AND given.id = latest.id AND given.revision > latest.number)"+
		" FROM (%[7]s) AS latest CROSS JOIN main.%[1]s AS held ON held.place = latest.place",
		table, enforcements, keyIndex(enforcements), quote(id), quote(number), skipsTable, latest, draftsTable,
		engine.NothingRecorded, engine.LastStands, engine.LastRejected, storedPacket(table, "held"), reassignedTable, theirs)
}

// latestAfter selects the latest revision of each id after ?3, at most ?4 of them, in the order of the ids.
func latestAfter(table terms.Table) string { return withState(table, revisionsAfter(table, 3)) }

// revisionsAfter selects the latest revisions of the ids after an argument; the next argument is the limit.
func revisionsAfter(table terms.Table, after int) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT %[2]s AS id, max(%[3]s) AS number, place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s > ?%[5]d GROUP BY %[2]s ORDER BY %[2]s LIMIT ?%[6]d", table, quote(id), quote(number), keyIndex(table), after, after+1)
}

// latestOf selects the latest revision of the id ?3.
func latestOf(table terms.Table) string { return withState(table, lastRevisionOf(table, 3)) }

// lastRevisionOf selects the latest revision of the id that is an argument.
func lastRevisionOf(table terms.Table, named int) string {
	id, number := keyColumns(table)
	return fmt.Sprintf("SELECT %[2]s AS id, %[3]s AS number, place FROM main.%[1]s INDEXED BY %[4]s"+
		" WHERE %[2]s = ?%[5]d ORDER BY %[3]s DESC LIMIT 1", table, quote(id), quote(number), keyIndex(table), named)
}

// withRecordIDs selects, for the rows of "latest (id, number, place)", id, number, document, and the ids of the records on any revision
// of the id, on a line each.
func withRecordIDs(table terms.Table, latest string) string {
	enforcements := terms.EnforcementTable(terms.AreaOf(table))
	id, _ := keyColumns(enforcements)
	return fmt.Sprintf("SELECT latest.id, latest.number, %[6]s, coalesce((SELECT group_concat(logged.recordId, char(10))"+
		" FROM main.%[2]s AS recorded INDEXED BY %[3]s CROSS JOIN main.%[4]s AS logged ON logged.sequence = recorded.sequence"+
		" WHERE recorded.%[5]s = latest.id), '') FROM (%[7]s) AS latest CROSS JOIN main.%[1]s AS held ON held.place = latest.place",
		table, enforcements, keyIndex(enforcements), logTable, quote(id), storedPacket(table, "held"), latest)
}

// topOf selects at most ?4 rows of a part of the queue, from its top; ?3 is the assignee, for the parts that are Mine.
func topOf(area terms.Area, part engine.QueuePart) string {
	table := terms.RecordTable(area)
	id, number := keyColumns(table)
	index, where, order := keyIndex(table), "true", quote(id)
	switch {
	case part.Mine:
		index, where = assigneeIndex(table), assignee+" = ?3"
	case area == terms.Appeals:
		index = deadlineIndex(table)
	}
	if area == terms.Appeals {
		due := " IS NULL"
		if part.Due {
			due = " IS NOT NULL"
		}
		where, order = where+" AND "+quote(deadlineColumn)+due+" AND "+unsettled(), quote(deadlineColumn)+", "+order
	}
	return withState(table, fmt.Sprintf("SELECT %[2]s AS id, %[3]s AS number, place FROM main.%[1]s AS listed"+
		" INDEXED BY %[4]s WHERE %[5]s AND NOT EXISTS (SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[7]s WHERE newer.%[2]s = listed.%[2]s"+
		" AND newer.%[3]s > listed.%[3]s) ORDER BY %[6]s LIMIT ?4",
		table, quote(id), quote(number), index, where, order, keyIndex(table)))
}

// assignee is the reviewer that a case or an amendment is assigned to.
const assignee = "json_extract(document, '$.record.neutralReview.reviewerId')"

// deadlineColumn is the member that orders the queue of appeals.
const deadlineColumn = "deadline"

// unsettled is the condition of the indexes of appeals, and therefore of their queries: otherwise the deadlines of
// closed cases would fill the top of the queue.
func unsettled() string { return noneOf("status", queue.SettledCaseStatuses()) }

// noneOf is the condition that a column holds none of the words.
func noneOf[W fmt.Stringer](column string, words []W) string {
	var list []string
	for _, word := range words {
		list = append(list, "'"+word.String()+"'")
	}
	return quote(column) + " NOT IN (" + strings.Join(list, ", ") + ")"
}

// relatedTo selects rows for the queue: the latest revisions that name ?3, except those of the id ?4, at most ?5 of
// them, by id.
func relatedTo(table terms.Table) string {
	id, number := keyColumns(table)
	return withState(table, fmt.Sprintf("SELECT named.%[2]s AS id, named.%[3]s AS number, named.place "+
		"FROM main.%[1]s AS named INDEXED BY %[5]s WHERE named.%[4]s = ?3 AND named.%[2]s <> ?4 AND NOT EXISTS "+
		"(SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[6]s WHERE newer.%[2]s = named.%[2]s AND newer.%[3]s > named.%[3]s) "+
		"ORDER BY named.%[2]s LIMIT ?5",
		table, quote(id), quote(number), quote(relatedColumn(table)), relatedIndex(table), keyIndex(table)))
}
