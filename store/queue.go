package store

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/store/engine"
	"docket/store/parsed"
)

// Queue evaluates the latest revision of every case or amendment of the area for the moment at, by
// the policy it names and the latest policy version and revision that are held. The skips and
// drafts are those of reviewer, who may be absent. A stored packet that cannot be read has a row
// that says so. progress, which may be nil, is called with the number of rows that are done.
//
// It blocks no writer; later arrivals are among the changes since the returned mark.
func (s *Store) Queue(ctx context.Context, area terms.Area, at terms.Instant, reviewer terms.ID,
	progress func(done, total int64)) (*queue.Queue, queue.Watermark, error) {
	packets := int64(0)
	mark, err := ask(ctx, s, "read the queue", func(ctx context.Context, tx engine.Tx) (mark queue.Watermark, err error) {
		if packets, err = tx.Packets().Count(ctx, terms.RecordTable(area)); err == nil {
			mark, err = tx.Queue().Mark(ctx, area)
		}
		return mark, err
	})
	if err != nil {
		return nil, queue.Watermark{}, err
	}
	var all []queue.Row
	load := newQueueLoad(s, area, at, reviewer)
	last, done := terms.ID(""), int64(0)
	for more := true; more; {
		err = s.reading(ctx, "read the queue", func(ctx context.Context, tx engine.Tx) error {
			rows, err := load.portion(ctx, tx, func(yield func(*engine.QueueRow)) error {
				return tx.Queue().After(ctx, area, reviewer, last, portionRows, yield)
			})
			if all = append(all, rows...); len(rows) > 0 {
				last = rows[len(rows)-1].ID
			}
			done += int64(len(rows))
			more = len(rows) == portionRows
			return err
		})
		if err != nil {
			return nil, queue.Watermark{}, err
		}
		if progress != nil {
			progress(done, max(packets, done)) // the queue has no more rows than there are packets
		}
	}
	return queue.New(area, all), mark, nil
}

// portionRows is how many rows are read in one snapshot: few enough that none lasts long.
const portionRows = 256

// QueueTop evaluates some of the open rows at the top of the queue, in no particular order: those
// assigned to the reviewer and then the others, by their deadline. It reads no more rows than it
// needs, and stops early rather than read many.
func (s *Store) QueueTop(ctx context.Context, area terms.Area, at terms.Instant, reviewer terms.ID,
	most int) ([]queue.Row, error) {
	load := newQueueLoad(s, area, at, reviewer)
	return ask(ctx, s, "read the queue", func(ctx context.Context, tx engine.Tx) (top []queue.Row, err error) {
		seen := map[terms.ID]bool{}
		for _, part := range queueParts[area] {
			if len(top) >= most {
				break
			}
			if part.Mine && !reviewer.Present() {
				continue
			}
			for read, wanted := 0, most-len(top); ; {
				rows, err := load.portion(ctx, tx, func(yield func(*engine.QueueRow)) error {
					return tx.Queue().Top(ctx, area, part, reviewer, wanted, yield)
				})
				if err != nil {
					return nil, err
				}
				for i := read; i < len(rows); i++ {
					if len(top) < most && rows[i].Open() && !seen[rows[i].ID] {
						seen[rows[i].ID] = true
						top = append(top, rows[i])
					}
				}
				if len(top) >= most || len(rows) < wanted || wanted >= most*topShare {
					break
				}
				read, wanted = len(rows), most*topShare
			}
		}
		return top, nil
	})
}

// queueParts go from what comes first in the queue to what comes last.
var queueParts = map[terms.Area][]engine.QueuePart{
	terms.Appeals:    {{Mine: true, Due: true}, {Mine: true}, {Due: true}, {}},
	terms.Amendments: {{Mine: true}, {}},
}

// topShare is how many rows of a part are read for each wanted one: some are decided or skipped.
const topShare = 2

// QueueRows evaluates the latest revisions of the ids, in no particular order, without unknown ids.
func (s *Store) QueueRows(ctx context.Context, area terms.Area, ids []terms.ID, at terms.Instant,
	reviewer terms.ID) ([]queue.Row, error) {
	load := newQueueLoad(s, area, at, reviewer)
	return ask(ctx, s, "read the queue", func(ctx context.Context, tx engine.Tx) (all []queue.Row, err error) {
		for _, id := range ids {
			rows, err := load.portion(ctx, tx, func(yield func(*engine.QueueRow)) error { return tx.Queue().Of(ctx, area, reviewer, id, yield) })
			if err != nil {
				return nil, err
			}
			all = append(all, rows...)
		}
		return all, nil
	})
}

// queueLoad evaluates rows of the queue, and keeps policies for one snapshot only.
type queueLoad struct {
	store    *Store
	area     terms.Area
	table    terms.Table
	at       terms.Instant
	reviewer terms.ID
	readers  []packets.Reader
	held     []heldRow
	bytes    []byte
}

func newQueueLoad(store *Store, area terms.Area, at terms.Instant, reviewer terms.ID) *queueLoad {
	return &queueLoad{store: store, area: area, table: terms.RecordTable(area), at: at, reviewer: reviewer}
}

type heldRow struct {
	key      packets.Key
	from, to int // its document, in queueLoad.bytes
	packet   packets.Packet
	err      error // why it cannot be read
}

func (l *queueLoad) portion(ctx context.Context, tx engine.Tx, read func(yield func(*engine.QueueRow)) error) ([]queue.Row, error) {
	var states []engine.QueueRow
	l.held, l.bytes = l.held[:0], l.bytes[:0]
	err := read(func(row *engine.QueueRow) {
		from := len(l.bytes)
		l.bytes = append(l.bytes, row.Document...)
		l.held, states = append(l.held, heldRow{key: row.Key, from: from, to: len(l.bytes)}), append(states, *row)
		states[len(states)-1].Document = nil // it is not to be kept
	})
	if err != nil {
		return nil, err
	}
	if err := l.read(); err != nil {
		return nil, err
	}
	policies, reader := newPolicyBook(tx, l.area, &l.store.cache), &packets.Reader{}
	rows := make([]queue.Row, len(l.held))
	ids := make([]terms.ID, len(l.held))
	for i := range l.held {
		ids[i] = l.held[i].key.ID
	}
	histories, err := l.store.historiesOf(ctx, tx, l.area, ids)
	if err != nil {
		return nil, err
	}
	for i := range l.held {
		state := queue.RowState{Skipped: states[i].Skipped, Draft: states[i].Drafted, Reassigned: states[i].Reassigned}
		// The column is this machine's own word; an absent time shows as none.
		state.ImportedAt, _ = terms.ParseInstant(states[i].ImportedAt)
		if on, key := histories[l.held[i].key.ID], l.held[i].key; on != nil {
			var unanswered []records.Addition
			state.Carried, unanswered = on.Added(key.Number)
			for j := range on.Statuses {
				state.Recorded = append(state.Recorded, on.Statuses[j].Record)
			}
			state.Unanswered, state.Rejected = records.CodesOf(unanswered), on.Again(key.Number) != nil
			if inForce := on.InForce(key.Number); inForce.Present() && !state.Rejected {
				state.Decided, state.Ruling = true, rulingIn(reader, l.area, on.documents[inForce])
			}
			if on.damaged != nil {
				l.held[i].err, state.Decided = errRecordOnIt, true
			}
		}
		if rows[i], err = l.judge(ctx, policies, &l.held[i], state); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// rulingIn is zero for a stored record that is not held or cannot be read.
func rulingIn(reader *packets.Reader, area terms.Area, document []byte) records.Ruling {
	record, _ := records.ReadEnforcement(reader, area, document)
	return record.Members().Ruling()
}

func (l *queueLoad) read() error {
	const share = 32 // documents that one core takes at a time
	parts := (len(l.held) + share - 1) / share
	if len(l.readers) < parts {
		l.readers = make([]packets.Reader, parts)
	}
	return inParallel(parts, func(part int) {
		for i := part * share; i < min((part+1)*share, len(l.held)); i++ {
			row := &l.held[i]
			row.packet, row.err = parsed.Read(&l.readers[part], l.bytes[row.from:row.to], l.table, row.key)
		}
	})
}

// errRecordOnIt says that the gate is unknown: an unreadable record may hold blockers of people.
var errRecordOnIt = errors.New("a record on it cannot be read; verify the store")

func (l *queueLoad) judge(ctx context.Context, policies *policyBook, row *heldRow, state queue.RowState) (queue.Row, error) {
	if row.err != nil {
		l.store.cache.Unread(l.table, row.key, row.err)
		unreadable := queue.UnreadableRow(l.table, row.key, row.err.Error())
		unreadable.Decided,
			unreadable.Rejected, unreadable.Skipped, unreadable.Draft, unreadable.Reassigned =
			state.Decided, state.Rejected, state.Skipped, state.Draft, state.Reassigned
		unreadable.Ruling, unreadable.ImportedAt = state.Ruling, state.ImportedAt
		return unreadable, nil
	}
	policy, latestVersion, err := policies.of(ctx, row.packet)
	if err != nil {
		return queue.Row{}, err
	}
	latest := rules.Latest{PolicyVersion: latestVersion, Revision: row.key.Number}
	return queue.NewRow(policy, row.packet, latest, l.at, state), nil
}

// QueueChanges returns the changes of the queue of an area since a mark: packets that came in,
// records that were appended, records that the service rejected, at any console, and records of the
// service's log. Skips are the reviewer's own and not included.
func (s *Store) QueueChanges(ctx context.Context, area terms.Area, since queue.Watermark) (queue.Changes, error) {
	return ask(ctx, s, "read the queue", func(ctx context.Context, tx engine.Tx) (news queue.Changes, err error) {
		if news.Watermark, err = tx.Queue().Mark(ctx, area); err != nil {
			return news, err
		}
		now := news.Watermark
		news.Everything = now.Policies != since.Policies || now.Statements != since.Statements ||
			max(now.Packets-since.Packets, now.Records-since.Records, now.Rejections-since.Rejections,
				now.Reassigned-since.Reassigned, now.ServiceRecords-since.ServiceRecords) > mostChanges
		if !news.Everything {
			news.IDs, err = tx.Queue().Changed(ctx, area, since)
		}
		return news, err
	})
}

// mostChanges is how many changes are listed one by one.
const mostChanges = 2000

// related lists the latest revisions about the same subject or agreement, and if there are more.
func (s *Store) related(ctx context.Context, tx engine.Tx, packet packets.Packet, at terms.Instant,
	reviewer terms.ID) (rows []queue.Row, more bool, err error) {
	by, table, key := queue.RelatedBy(packet), packet.Table(), packet.Key()
	if !by.Present() {
		return nil, false, nil
	}
	load := newQueueLoad(s, terms.AreaOf(table), at, reviewer)
	rows, err = load.portion(ctx, tx, func(yield func(*engine.QueueRow)) error {
		return tx.Queue().Related(ctx, terms.AreaOf(table), reviewer, by, key.ID, queue.MostRelated+1, yield)
	})
	if err != nil || len(rows) <= queue.MostRelated {
		return rows, false, err
	}
	return rows[:queue.MostRelated], true, nil
}

// inParallel calls do for each number below count on all processors; a panic becomes an error.
func inParallel(count int, do func(i int)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), count)
	failed := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			failed[w] = recovering(func() error {
				for i := next.Add(1) - 1; i < int64(count); i = next.Add(1) - 1 {
					do(int(i))
				}
				return nil
			})
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}
