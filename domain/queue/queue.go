// Package queue orders and filters the cases and amendments that wait for a decision, and gathers
// what is known of one.
//
// A [Row] is one line of the queue. A [Queue] holds the rows of an area: [Queue.Order] sorts them,
// [Queue.Select] filters them by a [Filter], and [Queue.Tally] counts them. A [CaseFile] is one packet
// in view with its records, its draft and its timeline.
package queue

import (
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// A Queue is the queue of an area as it was evaluated: a row for the latest revision of each case
// or amendment. Rows have a place, from 0, in the order of their ids; the places stay the same as
// long as the queue lives. The zero Queue is empty.
//
// It is not for use by several goroutines at once while one of them calls Put.
type Queue struct {
	area             terms.Area
	rows             []heldRow
	writes           uint64                        // how often a row was written
	widest           int                           // of the ids
	widestAssignee   int                           // of theirs
	widestBlockers   int                           // of a first blocker, with the number of others
	blockerSets      map[terms.BlockerSet]struct{} // those that widestBlockers has
	drafts, erased   int                           // how many rows have one, and how many are
	nextPolicyChange terms.Instant                 // no time before it changes what a policy does
}

// A heldRow is a row with what filters and orders look at, found once.
type heldRow struct {
	Row
	closed, open, waiting bool
	due, waitsSince       terms.Instant
	earlier               terms.BlockerSet // that people added on earlier revisions
}

func (r *heldRow) ended() bool { return r.closed || r.Reassigned }

func (r *heldRow) workable() bool { return r.open && r.Unreadable == "" }

// New makes a queue of rows in any order and sorts the slice; of those with one id the last counts.
func New(area terms.Area, rows []Row) *Queue {
	d := &Queue{area: area, rows: make([]heldRow, 0, len(rows))}
	slices.SortStableFunc(rows, func(a, b Row) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for i := range rows {
		if i+1 < len(rows) && rows[i+1].ID == rows[i].ID {
			continue
		}
		d.rows = append(d.rows, heldRow{})
		d.widest = max(d.widest, len(rows[i].ID))
		d.put(len(d.rows)-1, &rows[i])
	}
	return d
}

// Area is whose queue it is.
func (d *Queue) Area() terms.Area { return d.area }

// Len is the number of rows.
func (d *Queue) Len() int { return len(d.rows) }

// IDWidth is the length of the longest id.
func (d *Queue) IDWidth() int { return d.widest }

// AssigneeWidth is the length of the longest id of a reviewer that a row is assigned to.
func (d *Queue) AssigneeWidth() int { return d.widestAssignee }

// BlockersWidth is the longest first blocker of a row, with room for the number of others.
func (d *Queue) BlockersWidth() int { return d.widestBlockers }

// Writes is how often rows were written: while it is the same, so is everything else.
func (d *Queue) Writes() uint64 { return d.writes }

// HasErased reports whether texts of a row were erased.
func (d *Queue) HasErased() bool { return d.erased > 0 }

// HasDrafts reports whether there is a row on which the reviewer has begun a decision.
func (d *Queue) HasDrafts() bool { return d.drafts > 0 }

// Workable reports whether the row at a place is open and can be read.
func (d *Queue) Workable(at int) bool { return d.rows[at].workable() }

// ClosedFrom is the index of the first of the places, in an order of Order, whose row is closed or
// given to somebody else; their number if none is.
func (d *Queue) ClosedFrom(places []uint32) int {
	return sort.Search(len(places), func(i int) bool { return d.rows[places[i]].ended() })
}

func (d *Queue) put(at int, row *Row) {
	d.writes++
	if row.nextPolicyChange.Before(d.nextPolicyChange) {
		d.nextPolicyChange = row.nextPolicyChange
	}
	d.widestAssignee = max(d.widestAssignee, len(row.AssignedTo))
	d.widenBlockers(row.Blockers)
	old := &d.rows[at]
	d.drafts += one(row.Draft) - one(old.Draft)
	d.erased += one(row.Erased) - one(old.Erased)
	*old = heldRow{*row, row.Closed(), row.Open(), row.Waiting(), row.Due(), row.WaitsSince(),
		row.Unanswered().Set}
}

func (d *Queue) widenBlockers(codes Codes) {
	if _, known := d.blockerSets[codes.Set]; known || codes.Set.Empty() {
		return
	}
	if d.blockerSets == nil {
		d.blockerSets = map[terms.BlockerSet]struct{}{}
	}
	d.blockerSets[codes.Set] = struct{}{}
	list := codes.List()
	width := len(list[0].String())
	if others := len(list) - 1; others > 0 {
		width += len(" +") + len(strconv.Itoa(others))
	}
	d.widestBlockers = max(d.widestBlockers, width)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Row returns the row at a place.
func (d *Queue) Row(at int) Row { return d.rows[at].Row }

// All goes over the rows in the order of their ids, with their places.
func (d *Queue) All() iter.Seq2[int, Row] {
	return func(yield func(int, Row) bool) {
		for at := range d.rows {
			if !yield(at, d.rows[at].Row) {
				return
			}
		}
	}
}

// Find returns the place of an id; false if no row has it.
func (d *Queue) Find(id terms.ID) (int, bool) {
	return slices.BinarySearchFunc(d.rows, id, func(r heldRow, id terms.ID) int { return strings.Compare(string(r.ID), string(id)) })
}

// Put replaces the row with the same id; false if there is none, and then nothing has changed.
func (d *Queue) Put(row *Row) bool {
	at, found := d.Find(row.ID)
	if found {
		d.put(at, row)
	}
	return found
}

// ChangedBy lists at most so many ids of rows that time alone may have changed by now. everything
// is true if a policy's time has come, so that every row has to be judged again.
func (d *Queue) ChangedBy(now terms.Instant, most int) (ids []terms.ID, everything bool) {
	if d.nextPolicyChange.NotAfter(now) {
		return nil, true
	}
	for at := range d.rows {
		if row := &d.rows[at]; len(ids) < most && row.nextChange.NotAfter(now) {
			ids = append(ids, row.ID)
		}
	}
	return ids, false
}

// A Watermark says how far a store had grown when a queue was made of it. The numbers only grow.
type Watermark struct{ Packets, Policies, Records, Rejections, Statements, Reassigned, ServiceRecords int64 }

// Changes is what has changed in a queue since a watermark.
type Changes struct {
	IDs        []terms.ID // of the rows to judge again; some may be new, and one may stand there twice
	Everything bool       // so much has changed that the queue is better read again
	Watermark  Watermark
}
