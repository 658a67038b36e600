package domain

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"
)

// A Docket is the queue of an area as it was judged: a row for the latest revision of each case or amendment. It takes
// some twenty bytes a row, so that a million of them fit beside everything else. Rows have a place, from 0, in the order
// of their ids; the places stay the same as long as the docket lives. The zero Docket is empty.
//
// It is not for use by several goroutines at once while one of them calls Put.
type Docket struct {
	area   Area
	leaves []docketLeaf
	size   int
	writes uint64  // how often a row was written
	widest int     // of the ids
	wake   Instant // no time before it changes what a policy does

	people   []ID // to whom rows are assigned, each once; people[0] is nobody
	byPerson map[ID]int
	odd      map[int]oddRow
	skips    map[int]string // why rows are skipped
	troubles map[int]string // why rows cannot be read
	drafts   map[int]bool   // on which the reviewer has begun a decision
}

// NewDocket makes a docket of rows, each id once, in any order. It sorts the slice.
func NewDocket(area Area, rows []QueueRow) *Docket {
	slices.SortStableFunc(rows, func(a, b QueueRow) int { return cmp.Compare(a.ID, b.ID) })
	b := DocketBuilder{Area: area}
	for i := range rows {
		b.Add(&rows[i])
	}
	return b.Docket()
}

// A DocketBuilder makes a docket of rows that come one after the other, best in the order of their ids.
type DocketBuilder struct {
	Area   Area
	docket Docket
	last   ID
	late   []QueueRow // those that came out of order
}

// Add takes a row. What it keeps it copies.
func (b *DocketBuilder) Add(row *QueueRow) {
	d := &b.docket
	if d.size > 0 && row.ID <= b.last {
		b.late = append(b.late, *row)
		return
	}
	if d.size%leafRows == 0 {
		if n := len(d.leaves); n > 0 {
			d.leaves[n-1].ids = slices.Clip(slices.Clone(d.leaves[n-1].ids))
		}
		d.leaves = append(d.leaves, docketLeaf{rows: make([]docketRow, 0, leafRows)})
	}
	leaf := &d.leaves[len(d.leaves)-1]
	leaf.add(row.ID, b.last)
	leaf.rows = append(leaf.rows, docketRow{})
	b.last = row.ID
	d.widest = max(d.widest, len(row.ID))
	d.size++
	d.put(d.size-1, row)
}

// Docket returns what was added; the builder is done. Of rows with one id the last one added counts.
func (b *DocketBuilder) Docket() *Docket {
	b.docket.area = b.Area
	if len(b.late) == 0 {
		return &b.docket
	}
	rows := make(map[ID]QueueRow, b.docket.size)
	for _, row := range b.docket.All() {
		rows[row.ID] = row
	}
	for i := range b.late {
		rows[b.late[i].ID] = b.late[i]
	}
	list := make([]QueueRow, 0, len(rows))
	for _, row := range rows {
		list = append(list, row)
	}
	return NewDocket(b.Area, list)
}

// Area is whose queue it is.
func (d *Docket) Area() Area { return d.area }

// Len is the number of rows.
func (d *Docket) Len() int { return d.size }

// IDWidth is the length of the longest id.
func (d *Docket) IDWidth() int { return d.widest }

// Writes is how often rows were written: while it is the same, so is everything else.
func (d *Docket) Writes() uint64 { return d.writes }

// HasDrafts tells whether there is a row on which the reviewer has begun a decision.
func (d *Docket) HasDrafts() bool { return len(d.drafts) > 0 }

// Workable tells whether the row at a place is open and can be read.
func (d *Docket) Workable(at int) bool {
	r := d.row(at)
	return !r.has(flagDecided|flagSkipped|flagUnreadable) && !r.closed(d.area)
}

func (d *Docket) row(at int) *docketRow { return &d.leaves[at/leafRows].rows[at%leafRows] }

// put keeps all of a row but its id.
func (d *Docket) put(at int, row *QueueRow) {
	d.writes++
	if row.policyWake.Before(d.wake) {
		d.wake = row.policyWake
	}
	r, odd := packRow(row, d.person(row.AssignedTo))
	*d.row(at) = r
	keep(&d.odd, at, odd, r.isOdd())
	keep(&d.skips, at, row.Skipped, row.Skipped != "")
	keep(&d.troubles, at, row.Unreadable, row.Unreadable != "")
	keep(&d.drafts, at, true, row.Draft)
}

// keep notes what few rows have.
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

func (d *Docket) person(id ID) int {
	if d.byPerson == nil {
		d.people, d.byPerson = []ID{""}, map[ID]int{"": 0}
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
func (d *Docket) Row(at int) QueueRow {
	return d.rowWith(at, d.leaves[at/leafRows].id(at%leafRows))
}

func (d *Docket) rowWith(at int, id ID) QueueRow {
	r, words := d.row(at), wordsOf(d.area)
	row := QueueRow{
		Table: RecordTable(d.area), ID: id, Revision: int64(r.revision), Blockers: Codes{d.area, r.held()}, Gate: r.gate(),
		Status: words.status.At(r.status()), Subject: words.subject.At(r.subject()), Trigger: words.trigger.At(r.trigger()),
		Deadline: d.deadline(at), wake: d.wakeOf(at), policyWake: d.wake, AssignedTo: d.people[d.assigned(at)],
		Decided: r.has(flagDecided), Rejected: r.has(flagRejected), Skipped: d.skips[at], Unreadable: d.troubles[at], Draft: d.drafts[at],
	}
	if r.isOdd() {
		row.Revision = d.odd[at].revision
	}
	return row
}

// assigned is the index into people of whom a row is assigned to.
func (d *Docket) assigned(at int) int {
	if r := d.row(at); !r.isOdd() {
		return int(r.assigned &^ rejectedBit)
	}
	return d.odd[at].assigned
}

// due is the deadline of a row while it runs.
func (d *Docket) due(at int) Instant {
	if settledAs(d.area, d.row(at).status()) {
		return Instant{}
	}
	return d.deadline(at)
}

// deadline is that of a row; absent for amendments, which have none.
func (d *Docket) deadline(at int) Instant {
	switch r := d.row(at); {
	case r.isOdd():
		return d.odd[at].deadline
	case d.area != Appeals || r.time == noTime:
		return Instant{}
	default:
		return InstantOf(time.Unix(int64(r.time), 0))
	}
}

// wakeOf is the first moment at which time may change what was judged of a row.
func (d *Docket) wakeOf(at int) Instant {
	switch r := d.row(at); {
	case r.isOdd():
		return d.odd[at].wake
	case r.time == noTime || r.has(flagAwake):
		return Instant{}
	default:
		return InstantOf(time.Unix(int64(r.time), 0))
	}
}

// All goes over the rows in the order of their ids, with their places.
func (d *Docket) All() iter.Seq2[int, QueueRow] {
	return func(yield func(int, QueueRow) bool) {
		var ids idCursor
		for at := range d.size {
			if at%blockRows == 0 {
				ids.block(&d.leaves[at/leafRows], at%leafRows/blockRows)
			}
			if !yield(at, d.rowWith(at, ID(ids.read()))) {
				return
			}
		}
	}
}

// Find returns the place of an id; false if no row has it.
func (d *Docket) Find(id ID) (int, bool) {
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
func (d *Docket) firstOf(block int) ID {
	at := block * blockRows
	return d.leaves[at/leafRows].id(at % leafRows)
}

// Put replaces the row with the same id; false if there is none, and then nothing has changed.
func (d *Docket) Put(row *QueueRow) bool {
	at, found := d.Find(row.ID)
	if found {
		d.put(at, row)
	}
	return found
}

// Waking lists the ids of the rows that time alone may have changed by now, at most so many. It says that everything
// has to be judged anew where the time of a policy has come.
func (d *Docket) Waking(now Instant, most int) (ids []ID, everything bool) {
	if d.wake.NotAfter(now) {
		return nil, true
	}
	for i := range d.leaves {
		for j := range d.leaves[i].rows {
			if at := i*leafRows + j; len(ids) < most && d.wakeOf(at).NotAfter(now) {
				ids = append(ids, d.leaves[i].id(j))
			}
		}
	}
	return ids, false
}

// A QueueMark says how far a store had grown when a docket was made of it. The numbers only grow.
type QueueMark struct{ Packets, Policies, Records, Rejections int64 }

// QueueNews is what has changed in a queue since a mark.
type QueueNews struct {
	IDs        []ID // of the rows to judge again; some may be new, and one may stand there twice
	Everything bool // so much has changed that the docket is better made anew
	Mark       QueueMark
}
