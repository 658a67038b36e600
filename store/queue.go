package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/store/engine"
)

// Queue evaluates the latest revision of every case or amendment of the area for the moment at, by the policy it names
// and the latest policy version and revision that are held. reviewer is whose skips and drafts count; it may be absent. A stored
// packet that cannot be read has a row that says so. progress may be nil; it is called with the number of rows that are done.
//
// It goes through the area in portions and keeps nobody from writing; what arrives meanwhile is among the changes since the
// mark that it returns.
func (s *Store) Queue(ctx context.Context, area terms.Area, at terms.Instant, reviewer terms.ID,
	progress func(done, total int64)) (*queue.Queue, queue.Watermark, error) {
	mark, total, err := s.mark(ctx, area)
	if err != nil {
		return nil, queue.Watermark{}, err
	}
	builder := queue.Builder{Area: area}
	load := newQueueLoad(&s.cache, area, at, reviewer)
	last, done := terms.ID(""), int64(0)
	for more := true; more; {
		err = s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
			rows, err := load.portion(ctx, tx, latestAfter(load.table), string(last), portionRows)
			for i := range rows {
				builder.Add(&rows[i])
				last = rows[i].ID
			}
			done += int64(len(rows))
			more = len(rows) == portionRows
			return err
		})
		if err != nil {
			return nil, queue.Watermark{}, err
		}
		if progress != nil {
			progress(done, max(total, done))
		}
	}
	return builder.Queue(), mark, nil
}

// portionRows is how many rows are read in one snapshot: few enough that none lasts long.
const portionRows = 256

// QueueTop evaluates some of the rows that are open and come first in the queue: those assigned to the reviewer and then
// the others, by their deadline. It reads no more rows than it needs, and stops early where it would have to
// read many. The rows are in no particular order.
func (s *Store) QueueTop(ctx context.Context, area terms.Area, at terms.Instant, reviewer terms.ID,
	most int) ([]queue.Row, error) {
	load := newQueueLoad(&s.cache, area, at, reviewer)
	var top []queue.Row
	err := s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
		seen := map[terms.ID]bool{}
		for _, query := range topQueries(area) {
			if len(top) >= most {
				break
			}
			args := []any{most * topShare}
			if query.mine {
				if !reviewer.Present() {
					continue
				}
				args = []any{string(reviewer), most * topShare}
			}
			rows, err := load.portion(ctx, tx, query.text, args...)
			if err != nil {
				return err
			}
			for i := range rows {
				if len(top) < most && rows[i].Open() && !seen[rows[i].ID] {
					seen[rows[i].ID] = true
					top = append(top, rows[i])
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return top, nil
}

// topShare is how many rows are read for one that is wanted, because some are decided, skipped or not the latest.
const topShare = 2

// QueueRows evaluates the latest revisions of the ids again, in no particular order; unknown ids are left out.
func (s *Store) QueueRows(ctx context.Context, area terms.Area, ids []terms.ID, at terms.Instant,
	reviewer terms.ID) ([]queue.Row, error) {
	load := newQueueLoad(&s.cache, area, at, reviewer)
	var all []queue.Row
	err := s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
		for _, id := range ids {
			rows, err := load.portion(ctx, tx, latestOf(load.table), string(id))
			if err != nil {
				return err
			}
			all = append(all, rows...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// queueLoad evaluates rows of the queue. It keeps policies for one snapshot only.
type queueLoad struct {
	cache    *packetCache
	area     terms.Area
	table    terms.Table
	at       terms.Instant
	reviewer terms.ID
	readers  []packets.Reader
	held     []heldRow
	bytes    []byte
}

func newQueueLoad(cache *packetCache, area terms.Area, at terms.Instant, reviewer terms.ID) *queueLoad {
	return &queueLoad{cache: cache, area: area, table: terms.RecordTable(area), at: at, reviewer: reviewer}
}

// A heldRow is what the store holds of a row of the queue.
type heldRow struct {
	key      packets.Key
	from, to int // its document, in queueLoad.bytes
	packet   packets.Packet
	err      error // why it cannot be read
}

// rowState are the columns after the document: the state of the last record, the reviewer's reason for skipping, whether the reviewer
// has a draft, and whether people may have added blockers.
type rowState struct {
	recorded int8 // nothingRecorded, lastStands or lastRejected
	skipped  sql.NullString
	drafted  bool
	added    bool // a record on the revision may say that people added blockers
}

// portion evaluates the rows that a query selects: id, number, document, recorded, skipped, drafted, added. The reviewer is its first
// argument, those given follow.
func (l *queueLoad) portion(ctx context.Context, tx engine.Tx, query string, args ...any) ([]queue.Row, error) {
	states, err := l.fetch(ctx, tx, query, append([]any{string(l.reviewer), l.table.String()}, args...))
	if err != nil {
		return nil, err
	}
	if err := l.read(); err != nil {
		return nil, err
	}
	policies := newPolicyBook(tx, l.area, l.cache)
	rows := make([]queue.Row, len(l.held))
	for i := range l.held {
		state := queue.RowState{Decided: states[i].recorded == lastStands, Rejected: states[i].recorded == lastRejected,
			Skipped: states[i].skipped.String, Draft: states[i].drafted}
		if states[i].added {
			var damaged error
			if state.Carried, damaged = carriedBlockers(ctx, tx, l.area, l.held[i].key); damaged != nil {
				if ctx.Err() != nil {
					return nil, damaged
				}
				l.held[i].err = errRecordOnIt
			}
		}
		if rows[i], err = l.judge(ctx, policies, &l.held[i], state); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// fetch copies what the query selects into l.held and l.bytes.
func (l *queueLoad) fetch(ctx context.Context, tx engine.Tx, query string, args []any) ([]rowState, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	l.held, l.bytes = l.held[:0], l.bytes[:0]
	var states []rowState
	var document sql.RawBytes
	for rows.Next() {
		var row heldRow
		var state rowState
		if err := rows.Scan(&row.key.ID, &row.key.Number, &document, &state.recorded, &state.skipped, &state.drafted, &state.added); err != nil {
			return nil, err
		}
		row.from = len(l.bytes)
		l.bytes = append(l.bytes, document...)
		row.to = len(l.bytes)
		l.held, states = append(l.held, row), append(states, state)
	}
	return states, rows.Err()
}

// read reads the documents, on all cores.
func (l *queueLoad) read() error {
	const share = 32 // documents that one core takes at a time
	parts := (len(l.held) + share - 1) / share
	if len(l.readers) < parts {
		l.readers = make([]packets.Reader, parts)
	}
	return inParallel(parts, func(part int) {
		for i := part * share; i < min((part+1)*share, len(l.held)); i++ {
			row := &l.held[i]
			row.packet, row.err = readHeld(&l.readers[part], l.bytes[row.from:row.to], l.table, row.key)
		}
	})
}

// errRecordOnIt is the fault of a packet whose gate is unknown, because a record on it may hold blockers that people added.
var errRecordOnIt = errors.New("a record on it cannot be read; verify the store")

func (l *queueLoad) judge(ctx context.Context, policies *policyBook, row *heldRow, state queue.RowState) (queue.Row, error) {
	if row.err != nil {
		unreadable := queue.UnreadableRow(l.table, row.key, row.err.Error())
		unreadable.Decided, unreadable.Rejected, unreadable.Skipped, unreadable.Draft = state.Decided, state.Rejected, state.Skipped, state.Draft
		return unreadable, nil
	}
	policy, latestVersion, err := policies.of(ctx, row.packet)
	if err != nil {
		return queue.Row{}, err
	}
	latest := rules.Latest{PolicyVersion: latestVersion, Revision: row.key.Number}
	return queue.NewRow(policy, row.packet, latest, l.at, state), nil
}

// mark returns the present size of the store, and the most rows that the queue of the area can have.
func (s *Store) mark(ctx context.Context, area terms.Area) (mark queue.Watermark, total int64, err error) {
	err = s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
		mark, err = markOf(ctx, tx, area)
		return err
	})
	return mark, mark.Packets, err
}

func markOf(ctx context.Context, tx engine.Tx, area terms.Area) (mark queue.Watermark, err error) {
	for _, count := range []struct {
		into  *int64
		query string
	}{
		{&mark.Packets, "SELECT coalesce(max(rowid), 0) FROM main." + terms.RecordTable(area).String()},
		{&mark.Policies, "SELECT coalesce(max(rowid), 0) FROM main." + terms.PolicyTable(area).String()},
		{&mark.Records, "SELECT coalesce(max(sequence) + 1, 0) FROM main." + logTable},
		{&mark.Rejections, "SELECT coalesce(max(position) + 1, 0) FROM main." + rejectionsTable},
		{&mark.Statements, "SELECT coalesce(max(position) + 1, 0) FROM main." + statementsTable},
	} {
		if err := tx.QueryRowContext(ctx, count.query).Scan(count.into); err != nil {
			return queue.Watermark{}, err
		}
	}
	return mark, nil
}

// QueueChanges returns what has changed in the queue of an area since a mark: packets that came, records that were
// appended and records that the service rejected, at any console. Skips are the reviewer's own and not in it.
func (s *Store) QueueChanges(ctx context.Context, area terms.Area, since queue.Watermark) (news queue.Changes, err error) {
	err = s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
		if news.Watermark, err = markOf(ctx, tx, area); err != nil {
			return err
		}
		if news.Watermark.Policies != since.Policies || news.Watermark.Statements != since.Statements || news.Watermark.Packets-since.Packets > mostChanges ||
			news.Watermark.Records-since.Records > mostChanges || news.Watermark.Rejections-since.Rejections > mostChanges {
			news.Everything = true
			return nil
		}
		packets, records := terms.RecordTable(area), terms.EnforcementTable(area)
		if err := addChanges(ctx, tx, packets, "rowid > ?", since.Packets, &news); err != nil {
			return err
		}
		if err := addChanges(ctx, tx, records, "sequence >= ?", since.Records, &news); err != nil {
			return err
		}
		const rejected = "sequence IN (SELECT sequence FROM main." + rejectionsTable + " WHERE position >= ?)"
		return addChanges(ctx, tx, records, rejected, since.Rejections, &news)
	})
	if err != nil {
		return queue.Changes{}, err
	}
	return news, nil
}

// mostChanges is how many changes are listed one by one.
const mostChanges = 2000

// addChanges adds the ids of rows of a table.
func addChanges(ctx context.Context, tx engine.Tx, table terms.Table, where string, since int64, news *queue.Changes) error {
	id, number := keyColumns(table)
	query := fmt.Sprintf("SELECT %s, %s FROM main.%s WHERE %s", quote(id), quote(number), table, where)
	return keyed(ctx, tx, query, []any{since}, nil, func(key packets.Key) error {
		news.IDs = append(news.IDs, key.ID)
		return nil
	})
}

// keyed goes over rows that start with an id and a number.
func keyed(ctx context.Context, tx engine.Tx, query string, args, more []any, each func(packets.Key) error) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key packets.Key
		if err := rows.Scan(append([]any{&key.ID, &key.Number}, more...)...); err != nil {
			return err
		}
		if err := each(key); err != nil {
			return err
		}
	}
	return rows.Err()
}

// related lists the latest revisions of packets about the same subject, by id: other cases on the same subject,
// other amendments of the same agreement. more reports that there are others.
func related(ctx context.Context, tx engine.Tx, cache *packetCache, packet packets.Packet, at terms.Instant,
	reviewer terms.ID) (rows []queue.Row, more bool, err error) {
	by, table, key := queue.RelatedBy(packet), packet.Table(), packet.Key()
	if !by.Present() {
		return nil, false, nil
	}
	load := newQueueLoad(cache, terms.AreaOf(table), at, reviewer)
	rows, err = load.portion(ctx, tx, relatedTo(table), string(by), string(key.ID), queue.MostRelated+1)
	if err != nil || len(rows) <= queue.MostRelated {
		return rows, false, err
	}
	return rows[:queue.MostRelated], true, nil
}

// relatedTo selects rows for the queue: the latest revisions that name ?3, but for those of the id ?4, at most ?5 of
// them, by id.
func relatedTo(table terms.Table) string {
	id, number := keyColumns(table)
	return withState(table, fmt.Sprintf("SELECT named.%[2]s AS id, named.%[3]s AS number, named.rowid AS place "+
		"FROM main.%[1]s AS named INDEXED BY %[5]s WHERE named.%[4]s = ?3 AND named.%[2]s <> ?4 AND NOT EXISTS "+
		"(SELECT 1 FROM main.%[1]s AS newer INDEXED BY %[6]s WHERE newer.%[2]s = named.%[2]s AND newer.%[3]s > named.%[3]s) "+
		"ORDER BY named.%[2]s LIMIT ?5",
		table, quote(id), quote(number), quote(relatedColumn(table)), relatedIndex(table), keyIndex(table)))
}

// inParallel calls do for each number below count, on all processors, and returns when all calls have. A panic is returned as an
// error.
func inParallel(count int, do func(i int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), count)
	failed := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed[w] = fmt.Errorf("panic: %v", r)
				}
			}()
			for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}
