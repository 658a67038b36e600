package engine

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

// A LastRecord is the state of the last record on a revision or, if there is none, of the last one
// on an earlier revision.
type LastRecord uint8

const (
	NothingRecorded LastRecord = iota // nor is an earlier revision to be judged again
	LastStands                        // a record on this revision is in force, here or at the service
	LastRejected                      // a record on this revision or an earlier one is not in force
)

// A QueueRow is the stored state of the latest revision of a case or an amendment, for the queue of
// a reviewer.
type QueueRow struct {
	Key      packets.Key
	Document []byte // not to be kept
	// ImportedAt is when the revision came in.
	ImportedAt string
	Recorded   LastRecord
	Skipped    string // the reviewer's reason; "" for none
	Drafted    bool   // the reviewer has a draft on the id
	Added      bool   // a record on the revision, or on one before it, may say that people added blockers
	// Reassigned says that the service assigned it to another reviewer with a later revision.
	Reassigned bool
}

// An IndexRow holds the columns for an index of the latest revision of a case or an amendment.
type IndexRow struct {
	Key      packets.Key
	Document []byte
	Recorded []records.RecordID // on any revision of the id
}

// A QueuePart is a part of the queue whose rows have an order of their own: those assigned to the
// reviewer or all, and of open appeals those with a deadline or those without.
type QueuePart struct{ Mine, Due bool }

// Queue reads the latest revisions of the cases and the amendments. The reviewer may be absent. Ids
// and numbers come from the index, so that they are there even if a document is no longer JSON.
type Queue struct{ Tx }

// Queue returns the rows of the queue.
func (t Tx) Queue() Queue { return Queue{t} }

// byID is the order of most queries of the queue.
const byID = "latest.id"

// rows yields, in an order, the stored rows for "latest (id, number, place)", which may take
// arguments from $3 on.
func (q Queue) rows(ctx context.Context, area terms.Area, reviewer terms.ID, latest, order string, yield func(*QueueRow), args ...any) error {
	table, recorded := terms.RecordTable(area), terms.EnforcementTable(area)
	id, number := q.flavor.Key(recorded)
	query := q.write(table, "SELECT latest.id, latest.number, held.document, {texts}, held.importedAt,"+
		" (SELECT CASE WHEN last.here IS NULL AND EXISTS (SELECT 1 FROM {theirs}) THEN {stands} WHEN last.ever IS NULL THEN {nothing} WHEN {notInForce} THEN {rejected}"+
		" WHEN last.here IS NULL THEN {nothing} ELSE {stands} END FROM"+
		" (SELECT max(recorded.sequence) AS ever, max(CASE WHEN recorded.{on} = latest.number THEN recorded.sequence END) AS here"+
		" FROM {recorded} WHERE recorded.{of} = latest.id) AS last),"+
		" (SELECT skip.reason FROM docket_skips AS skip WHERE skip.reviewer = $1 AND skip.tableName = $2 AND skip.id = latest.id AND skip.revision = latest.number),"+
		" EXISTS (SELECT 1 FROM docket_drafts AS draft WHERE (draft.reviewer = $1 OR substr(draft.reviewer, 1, length($1) + 1) = $1 || '@')"+
		" AND draft.tableName = $2 AND draft.id = latest.id),"+
		" EXISTS (SELECT 1 FROM {judged} WHERE judged.{of} = latest.id AND judged.{on} <= latest.number AND {mayCarry}) OR EXISTS (SELECT 1 FROM {theirsUpTo}),"+
		" EXISTS (SELECT 1 FROM docket_handin_reassigned AS given WHERE given.tableName = $2 AND given.id = latest.id AND given.revision > latest.number)"+
		" FROM ({latest}) AS latest {join} {table} AS held ON held.place = latest.place",
		"theirs", q.theirsOn(table, "latest.id", "= latest.number"),
		"theirsUpTo", q.theirsOn(table, "latest.id", "<= latest.number"),
		"nothing", fmt.Sprint(NothingRecorded), "stands", fmt.Sprint(LastStands),
		"rejected", fmt.Sprint(LastRejected),
		"notInForce", q.notInForce(recorded, "coalesce(last.here, last.ever)"), "of", id,
		"on", number, "mayCarry", q.mayCarry("judged"),
		"recorded", q.flavor.From(recorded.String(), "recorded", "key"),
		"judged", q.flavor.From(recorded.String(), "judged", "key"),
		"latest", latest) + q.flavor.InOrder(order)
	var row QueueRow
	return q.EachRow(ctx, query, func(scan Scan) error {
		var document, texts sql.RawBytes
		var skipped []byte
		var recorded int64
		if err := scan(&row.Key.ID, &row.Key.Number, &document, &texts, &row.ImportedAt, &recorded, &skipped, &row.Drafted, &row.Added, &row.Reassigned); err != nil {
			return err
		}
		row.Document, row.Recorded, row.Skipped = packets.Joined(document, texts), LastRecord(recorded), string(skipped)
		yield(&row)
		return nil
	}, append([]any{reviewer, table.String()}, args...)...)
}

// lastRevisionOf selects the latest revision of the id that is an argument.
func (q Queue) lastRevisionOf(table terms.Table, named int) string {
	return q.write(table, "SELECT held.{id} AS id, held.{number} AS number, held.place FROM {held} WHERE held.{id} = ${named} ORDER BY held.{number} DESC LIMIT 1",
		"held", q.flavor.From(table.String(), "held", "key"), "named", fmt.Sprint(named))
}

// After yields at most so many rows with an id after one, in the order of the ids.
func (q Queue) After(ctx context.Context, area terms.Area, reviewer, after terms.ID, most int, yield func(*QueueRow)) error {
	return q.rows(ctx, area, reviewer, q.flavor.LatestAfter(terms.RecordTable(area), 3), byID, yield, after, most)
}

// Of yields the row of an id, if it is held.
func (q Queue) Of(ctx context.Context, area terms.Area, reviewer, id terms.ID, yield func(*QueueRow)) error {
	return q.rows(ctx, area, reviewer, q.lastRevisionOf(terms.RecordTable(area), 3), byID, yield, id)
}

// listed selects latest revisions, as listed, read by an index.
func (q Queue) listed(table terms.Table, index, rest string, more ...string) string {
	return q.write(table, "SELECT listed.{id} AS id, listed.{number} AS number, listed.place"+rest, append(more,
		"listed", q.flavor.From(table.String(), "listed", index)+q.write(table, " WHERE NOT EXISTS (SELECT 1 FROM {newer}"+
			" WHERE newer.{id} = listed.{id} AND newer.{number} > listed.{number})", "newer", q.flavor.From(table.String(), "newer", "key")))...)
}

// Top yields at most so many rows of a part of the queue, from the top of its index.
func (q Queue) Top(ctx context.Context, area terms.Area, part QueuePart, reviewer terms.ID, most int, yield func(*QueueRow)) error {
	table := terms.RecordTable(area)
	index, where, order := "key", "CAST($3 AS text) IS NOT NULL", byID
	switch {
	case part.Mine:
		index, where = "assignee", q.flavor.Assignee("listed")+" = $3"
	case area == terms.Appeals:
		index = "deadline"
	}
	rest := " FROM {listed} AND {where} ORDER BY listed.{id} LIMIT $4"
	if area == terms.Appeals {
		where += " AND listed.deadline IS NULL AND " + Unsettled("listed.status")
		if part.Due {
			where = strings.Replace(where, "deadline IS NULL", "deadline IS NOT NULL", 1)
		}
		// The rank is that of the rows in their order: by a column of the table that they are
		// joined with, all of that would be sorted.
		rest, order = ", listed.deadline AS deadline FROM {listed} AND {where} ORDER BY listed.deadline, listed.{id} LIMIT $4", "latest.deadline, latest.id"
	}
	return q.rows(ctx, area, reviewer, q.listed(table, index, rest, "where", where), order, yield, reviewer, most)
}

// Related yields at most so many rows about the subject or agreement, but for those of the id, by
// id.
func (q Queue) Related(ctx context.Context, area terms.Area, reviewer, about, but terms.ID, most int, yield func(*QueueRow)) error {
	table := terms.RecordTable(area)
	latest := q.listed(table, "related", " FROM {listed} AND listed.{about} = $3 AND listed.{id} <> $4 ORDER BY listed.{id} LIMIT $5",
		"about", q.flavor.About(table))
	return q.rows(ctx, area, reviewer, latest, byID, yield, about, but, most)
}

// IndexAfter yields what an index takes of at most so many ids after one, in their order.
func (q Queue) IndexAfter(ctx context.Context, area terms.Area, after terms.ID, most int, yield func(IndexRow) error) error {
	return q.index(ctx, area, q.flavor.LatestAfter(terms.RecordTable(area), 1), yield, after, most)
}

// IndexOf yields that of an id, if it is held.
func (q Queue) IndexOf(ctx context.Context, area terms.Area, id terms.ID, yield func(IndexRow) error) error {
	return q.index(ctx, area, q.lastRevisionOf(terms.RecordTable(area), 1), yield, id)
}

func (q Queue) index(ctx context.Context, area terms.Area, latest string, yield func(IndexRow) error, args ...any) error {
	query := q.write(terms.RecordTable(area), "SELECT latest.id, latest.number, held.document, {texts}, coalesce({recorded}, '')"+
		" FROM ({latest}) AS latest {join} {table} AS held ON held.place = latest.place",
		"recorded", q.flavor.RecordIDs(terms.EnforcementTable(area)),
		"latest", latest) + q.flavor.InOrder(byID)
	return q.EachRow(ctx, query, func(scan Scan) error {
		var row IndexRow
		var texts []byte
		var recorded string
		if err := scan(&row.Key.ID, &row.Key.Number, &row.Document, &texts, &recorded); err != nil {
			return err
		}
		for id := range strings.FieldsSeq(recorded) {
			row.Recorded = append(row.Recorded, records.RecordID(id))
		}
		row.Document = packets.Joined(row.Document, texts)
		return yield(row)
	}, args...)
}

// Mark returns the present sizes of the tables on which the queue of an area depends.
func (q Queue) Mark(ctx context.Context, area terms.Area) (mark queue.Watermark, err error) {
	query := fmt.Sprintf("SELECT (SELECT coalesce(max(place), 0) FROM %s), (SELECT coalesce(max(place), 0) FROM %s),"+
		" (SELECT coalesce(max(sequence) + 1, 0) FROM docket_log), (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_rejections),"+
		" (SELECT coalesce(max(position) + 1, 0) FROM docket_log_statements), (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_reassigned),"+
		" (SELECT coalesce(max(position) + 1, 0) FROM docket_handin_records)", terms.RecordTable(area), terms.PolicyTable(area))
	err = q.Row(ctx, query, nil, &mark.Packets, &mark.Policies, &mark.Records, &mark.Rejections, &mark.Statements, &mark.Reassigned, &mark.ServiceRecords)
	return mark, err
}

// Changed returns the ids of the packets, records and rejections since the mark; an id may occur
// more than once.
func (q Queue) Changed(ctx context.Context, area terms.Area, since queue.Watermark) ([]terms.ID, error) {
	of, _ := q.flavor.Key(terms.EnforcementTable(area))
	query := q.write(terms.RecordTable(area), "SELECT {id} FROM {table} WHERE place > $1 UNION ALL SELECT {of} FROM {recorded} WHERE sequence >= $2"+
		" UNION ALL SELECT held.{of} FROM docket_handin_rejections AS rejected JOIN {recorded} AS held ON held.sequence = rejected.sequence WHERE rejected.position >= $3"+
		" UNION ALL SELECT id FROM docket_handin_reassigned WHERE position >= $4 AND tableName = $5"+
		" UNION ALL SELECT id FROM docket_handin_records WHERE position >= $6 AND tableName = $5", "of", of, "recorded", terms.EnforcementTable(area).String())
	return Column[terms.ID](ctx, q, query, since.Packets, since.Records, since.Rejections, since.Reassigned, terms.RecordTable(area).String(), since.ServiceRecords)
}
