package engine

import (
	"context"
	"database/sql"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
)

// A QueueRow is the latest revision of a case or an amendment as stored, for a reviewer's queue.
type QueueRow struct {
	Key packets.Key
	// ImportedAt is when the revision came in.
	ImportedAt string
	Skipped    string // the reviewer's reason; "" for none
	Drafted    bool   // the reviewer has a draft on the id
	// Reassigned says that the service assigned it to another reviewer with a later revision.
	Reassigned bool
	Document   []byte // not to be kept
}

// A QueuePart is a part of the queue whose rows have an order of their own: those assigned to the
// reviewer or all, and of open appeals those with a deadline or those without.
type QueuePart struct{ Mine, Due bool }

// Queue reads the latest revisions of the cases and the amendments. The reviewer may be absent. Ids
// and numbers come from the index, so that they are there even if a document is no longer JSON.
type Queue struct{ Tx }

// Queue returns the rows of the queue.
func (t Tx) Queue() Queue { return Queue{t} }

// rows yields, in an order, the rows for "latest (id, number, place)", whose arguments begin at $3.
func (q Queue) rows(ctx context.Context, area terms.Area, reviewer terms.ID, latest, order string,
	yield func(*QueueRow), args ...any) error {
	table := terms.RecordTable(area)
	var row QueueRow
	var document, texts sql.RawBytes
	into := columns(&row)
	into = append(into[:len(into)-1], &document, &texts)
	join, err := q.joiner(ctx, table)
	if err != nil {
		return err
	}
	query := q.on(table, "latest", latest, "order", order).named("QueueRows")
	return q.EachRow(ctx, query, func(scan Scan) error {
		err := scan(into...)
		if err == nil {
			row.Document = join(row.Key, document, texts)
			yield(&row)
		}
		return err
	}, append([]any{reviewer, table.String()}, args...)...)
}

const byID = "latest.id"

// After yields at most so many rows with an id after one, in the order of the ids.
func (q Queue) After(ctx context.Context, area terms.Area, reviewer, after terms.ID, most int, yield func(*QueueRow)) error {
	return q.rows(ctx, area, reviewer, "{after $3 | $4}", byID, yield, after, most)
}

// Of yields the row of an id, if it is held.
func (q Queue) Of(ctx context.Context, area terms.Area, reviewer, id terms.ID, yield func(*QueueRow)) error {
	return q.rows(ctx, area, reviewer, "{ofID $3}", byID, yield, id)
}

// Top yields at most so many rows of a part of the queue, from the top of its index.
func (q Queue) Top(ctx context.Context, area terms.Area, part QueuePart, reviewer terms.ID, most int, yield func(*QueueRow)) error {
	index, whose, due, order := "key", "CAST($3 AS text) IS NOT NULL", "NULL", byID
	if area == terms.Appeals {
		index, order = "deadline", "latest.deadline, latest.id"
	}
	if part.Mine {
		index, whose = "assignee", "{assignee listed} = $3"
	}
	if part.Due {
		due = "NOT NULL"
	}
	return q.rows(ctx, area, reviewer, "{top "+index+" | "+whose+" | "+due+"}", order, yield, reviewer, most)
}

// Related yields at most so many rows about the subject or agreement, but for the id's own, by id.
func (q Queue) Related(ctx context.Context, area terms.Area, reviewer, about, but terms.ID, most int, yield func(*QueueRow)) error {
	return q.rows(ctx, area, reviewer, "{related}", byID, yield, about, but, most)
}

// Mark returns the present sizes of the tables on which the queue of an area depends.
func (q Queue) Mark(ctx context.Context, area terms.Area) (queue.Watermark, error) {
	return one[queue.Watermark](ctx, q.on(terms.RecordTable(area)), "Mark")
}

// Changed returns the ids of packets, records and rejections since the mark, some more than once.
func (q Queue) Changed(ctx context.Context, area terms.Area, since queue.Watermark) ([]terms.ID, error) {
	table := terms.RecordTable(area)
	return all[terms.ID](ctx, q.on(table), "Changed", since.Packets, since.Records, since.Rejections,
		since.Reassigned, table.String(), since.ServiceRecords)
}
