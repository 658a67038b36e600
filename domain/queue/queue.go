// Package queue orders and filters the cases and amendments that wait for a decision, and gathers what is known of one.
//
// A [Row] is one line of the queue. A [Queue] holds the rows of an area in about thirty bytes each, so that a million fit in
// memory: packed.go has how. [Queue.Order] sorts them, [Queue.Select] filters them by a [Filter], and [Queue.Tally] counts them.
// An [Index] finds the texts and other ids that a filter looks for. A [CaseFile] is one packet in view with its records, its
// draft and its timeline.
package queue

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"

	"docket/domain/terms"
)

// A Queue is the queue of an area as it was evaluated: a row for the latest revision of each case or amendment. It takes
// some thirty bytes a row, so that a million of them fit beside everything else. Rows have a place, from 0, in the order
// of their ids; the places stay the same as long as the queue lives. The zero Queue is empty.
//
// It is not for use by several goroutines at once while one of them calls Put.
type Queue struct {
	area             terms.Area
	leaves           []leaf
	size             int
	writes           uint64        // how often a row was written
	widest           int           // of the ids
	nextPolicyChange terms.Instant // no time before it changes what a policy does

	people   []terms.ID // to whom rows are assigned, each once; people[0] is nobody
	byPerson map[terms.ID]int
	odd      map[int]oddRow
	skips    map[int]string // why rows are skipped
	troubles map[int]string // why rows cannot be read
	erased   map[int]bool   // whose texts were erased
	drafts   map[int]bool   // on which the reviewer has begun a decision
}

// New makes a queue of rows, each id once, in any order. It sorts the slice.
func New(area terms.Area, rows []Row) *Queue {
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.ID, b.ID) })
	b := Builder{Area: area}
	for i := range rows {
		b.Add(&rows[i])
	}
	return b.Queue()
}

// A Builder makes a queue of rows that come one after the other, best in the order of their ids.
type Builder struct {
	Area  terms.Area
	queue Queue
	last  terms.ID
	late  []Row // those that came out of order
}

// Add takes a row and copies what it keeps.
func (b *Builder) Add(row *Row) {
	d := &b.queue
	if d.size > 0 && row.ID <= b.last {
		b.late = append(b.late, *row)
		return
	}
	if d.size%leafRows == 0 {
		if n := len(d.leaves); n > 0 {
			d.leaves[n-1].ids = slices.Clip(slices.Clone(d.leaves[n-1].ids))
		}
		d.leaves = append(d.leaves, leaf{rows: make([]packedRow, 0, leafRows)})
	}
	leaf := &d.leaves[len(d.leaves)-1]
	leaf.add(row.ID, b.last)
	leaf.rows = append(leaf.rows, packedRow{})
	b.last = row.ID
	d.widest = max(d.widest, len(row.ID))
	d.size++
	d.put(d.size-1, row)
}

// Queue returns the queue of the added rows and ends the builder. If several rows have one id, the last one added counts.
func (b *Builder) Queue() *Queue {
	b.queue.area = b.Area
	if len(b.late) == 0 {
		return &b.queue
	}
	rows := make(map[terms.ID]Row, b.queue.size)
	for _, row := range b.queue.All() {
		rows[row.ID] = row
	}
	for i := range b.late {
		rows[b.late[i].ID] = b.late[i]
	}
	list := make([]Row, 0, len(rows))
	for _, row := range rows {
		list = append(list, row)
	}
	return New(b.Area, list)
}

// Area is whose queue it is.
func (d *Queue) Area() terms.Area { return d.area }

// Len is the number of rows.
func (d *Queue) Len() int { return d.size }

// IDWidth is the length of the longest id.
func (d *Queue) IDWidth() int { return d.widest }

// Writes is how often rows were written: while it is the same, so is everything else.
func (d *Queue) Writes() uint64 { return d.writes }

// HasErased reports whether texts of a row were erased.
func (d *Queue) HasErased() bool { return len(d.erased) > 0 }

// HasDrafts reports whether there is a row on which the reviewer has begun a decision.
func (d *Queue) HasDrafts() bool { return len(d.drafts) > 0 }

// Workable reports whether the row at a place is open and can be read.
func (d *Queue) Workable(at int) bool {
	r := d.row(at)
	return !r.has(flagDecided|flagSkipped|flagUnreadable) && !r.ended()
}

// ClosedFrom is the index of the first of the places whose row is closed or given to somebody else; their number if none is. They are in
// an order of Order, in which that comes last.
func (d *Queue) ClosedFrom(places []uint32) int {
	return sort.Search(len(places), func(i int) bool { return d.row(int(places[i])).ended() })
}

func (d *Queue) row(at int) *packedRow { return &d.leaves[at/leafRows].rows[at%leafRows] }

// put keeps all of a row but its id.
func (d *Queue) put(at int, row *Row) {
	d.writes++
	if row.nextPolicyChange.Before(d.nextPolicyChange) {
		d.nextPolicyChange = row.nextPolicyChange
	}
	r, odd := packRow(row, d.person(row.AssignedTo))
	*d.row(at) = r
	keep(&d.odd, at, odd, r.isOdd())
	keep(&d.skips, at, row.Skipped, row.Skipped != "")
	keep(&d.troubles, at, row.Unreadable, row.Unreadable != "")
	keep(&d.drafts, at, true, row.Draft)
	keep(&d.erased, at, true, row.Erased)
}

// keep stores the properties that few rows have.
func keep[V any](of *map[int]V, at int, value V, has bool) {
	switch {
	case has && *of == nil:
		*of = map[int]V{at: value}
	case has:
		(*of)[at] = value
	default:
		delete(*of, at)
	}
}

func (d *Queue) person(id terms.ID) int {
	if d.byPerson == nil {
		d.people, d.byPerson = []terms.ID{""}, map[terms.ID]int{"": 0}
	}
	number, known := d.byPerson[id]
	if !known {
		number = len(d.people)
		d.people = append(d.people, id)
		d.byPerson[id] = number
	}
	return number
}

// Row returns the row at a place.
func (d *Queue) Row(at int) Row {
	return d.rowWith(at, d.leaves[at/leafRows].id(at%leafRows))
}

func (d *Queue) rowWith(at int, id terms.ID) Row {
	r, words := d.row(at), vocabulariesOf(d.area)
	row := Row{
		Table: terms.RecordTable(d.area), ID: id, Revision: int64(r.revision), Blockers: Codes{d.area, r.held(d.area)}, Gate: r.gate(flagPass),
		Status: words.status.At(r.status()), Subject: words.subject.At(r.subject()), Trigger: words.trigger.At(r.trigger()),
		Deadline: d.deadline(at), nextChange: d.nextChangeOf(at), nextPolicyChange: d.nextPolicyChange, AssignedTo: d.people[d.assigned(at)],
		Reliance: r.gate(flagReliable), Ruling: r.ruling(),
		Decided: r.has(flagDecided), Rejected: r.has(flagRejected), Reassigned: r.has(flagReassigned), Skipped: d.skips[at], Unreadable: d.troubles[at], Draft: d.drafts[at], Erased: d.erased[at],
	}
	if r.isOdd() {
		row.Revision = d.odd[at].revision
	}
	return row
}

// assigned is the index into people of the reviewer to whom a row is assigned.
func (d *Queue) assigned(at int) int {
	if r := d.row(at); !r.isOdd() {
		return int(r.assigned)
	}
	return d.odd[at].assigned
}

// due is the deadline of a row while it runs.
func (d *Queue) due(at int) terms.Instant {
	if settledAs(d.area, d.row(at).status()) {
		return terms.Instant{}
	}
	return d.deadline(at)
}

// deadline is that of a row; absent for amendments, which have none.
func (d *Queue) deadline(at int) terms.Instant {
	switch r := d.row(at); {
	case r.isOdd():
		return d.odd[at].deadline
	case d.area != terms.Appeals || r.time == noTime:
		return terms.Instant{}
	default:
		return terms.InstantOf(time.Unix(int64(r.time), 0))
	}
}

// nextChangeOf is the first moment at which time alone may change the evaluation of a row.
func (d *Queue) nextChangeOf(at int) terms.Instant {
	switch r := d.row(at); {
	case r.isOdd():
		return d.odd[at].nextChange
	case r.time == noTime || r.has(flagAwake):
		return terms.Instant{}
	default:
		return terms.InstantOf(time.Unix(int64(r.time), 0))
	}
}

// All goes over the rows in the order of their ids, with their places.
func (d *Queue) All() iter.Seq2[int, Row] {
	return func(yield func(int, Row) bool) {
		var ids idCursor
		for at := range d.size {
			if at%blockRows == 0 {
				ids.block(&d.leaves[at/leafRows], at%leafRows/blockRows)
			}
			if !yield(at, d.rowWith(at, terms.ID(ids.read()))) {
				return
			}
		}
	}
}

// Find returns the place of an id; false if no row has it.
func (d *Queue) Find(id terms.ID) (int, bool) {
	blocks := (d.size + blockRows - 1) / blockRows
	after := sort.Search(blocks, func(b int) bool { return d.firstOf(b) > id })
	if after == 0 {
		return 0, false
	}
	block := after - 1
	leaf := block * blockRows / leafRows
	at, found := d.leaves[leaf].find(block%(leafRows/blockRows), id)
	return leaf*leafRows + at, found
}

// firstOf is the first id of a block.
func (d *Queue) firstOf(block int) terms.ID {
	at := block * blockRows
	return d.leaves[at/leafRows].id(at % leafRows)
}

// Put replaces the row with the same id; false if there is none, and then nothing has changed.
func (d *Queue) Put(row *Row) bool {
	at, found := d.Find(row.ID)
	if found {
		d.put(at, row)
	}
	return found
}

// ChangedBy lists the ids of the rows that time alone may have changed by now, at most so many. everything is true if the time of
// a policy has come, so that every row has to be judged anew.
func (d *Queue) ChangedBy(now terms.Instant, most int) (ids []terms.ID, everything bool) {
	if d.nextPolicyChange.NotAfter(now) {
		return nil, true
	}
	for i := range d.leaves {
		for j := range d.leaves[i].rows {
			if at := i*leafRows + j; len(ids) < most && d.nextChangeOf(at).NotAfter(now) {
				ids = append(ids, d.leaves[i].id(j))
			}
		}
	}
	return ids, false
}

// A Watermark says how far a store had grown when a queue was made of it. The numbers only grow.
type Watermark struct{ Packets, Policies, Records, Rejections, Statements, Reassigned, ServiceRecords int64 }

// Changes is what has changed in a queue since a watermark.
type Changes struct {
	IDs        []terms.ID // of the rows to judge again; some may be new, and one may stand there twice
	Everything bool       // so much has changed that the queue is better made anew
	Watermark  Watermark
}
