package queue

import (
	"encoding/binary"
	"math/bits"

	"docket/domain/rules"
	"docket/domain/terms"
)

// A packedRow holds a row without its id, in sixteen bytes. A row that does not fit is an oddRow.
type packedRow struct {
	// The blockers that hold, in the bits of a BlockerSet from the first blocker of the area on, and above them the row's words and flags.
	bits     uint64
	time     uint32 // of appeals the deadline, of amendments the next change, in seconds of Unix time; noTime: none
	revision uint16 // oddRevision: the row is an odd one
	assigned uint16 // index into Queue.people, and above it rejectedBit and reassignedBit
}

// An oddRow holds the parts of a row that do not fit into sixteen bytes: times with a fraction of a second or far away, deadlines
// of amendments, revisions from 65,535 on, and reviewers from the 16,384th on.
type oddRow struct {
	revision             int64
	assigned             int
	deadline, nextChange terms.Instant
}

// The layout of packedRow.bits. Below statusAt is room for every blocker of an area.
const (
	statusAt  = 49 // four bits
	subjectAt = 53 // three
	triggerAt = 56 // four
	flagsAt   = 60 // four, of rowFlags; and bit 0, which no blocker has
	heldMask  = 1<<statusAt - 2

	rejectedAt    = 15 // of packedRow.assigned
	rejectedBit   = 1 << rejectedAt
	reassignedAt  = 14 // the same
	reassignedBit = 1 << reassignedAt
	assignedMask  = reassignedBit - 1
)

// firstBlocker is by area how many blockers of other areas stand before its own.
var firstBlocker = [...]int{
	terms.Appeals:    bits.TrailingZeros64(uint64(rules.AllBlockers(terms.Appeals))) - 1,
	terms.Amendments: bits.TrailingZeros64(uint64(rules.AllBlockers(terms.Amendments))) - 1,
}

const (
	noTime      = 0
	oddRevision = 1<<16 - 1
)

// packRow packs a row. The oddRow counts only if the row isOdd.
func packRow(row *Row, assigned int) (packedRow, oddRow) {
	t := row.traits()
	r := packedRow{
		bits: uint64(t.held)>>firstBlocker[t.area]&heldMask | uint64(t.status)<<statusAt | uint64(t.subject)<<subjectAt |
			uint64(t.trigger)<<triggerAt | uint64(t.flags&0xf)<<flagsAt,
		revision: uint16(row.Revision), assigned: uint16(assigned) & assignedMask,
	}
	if t.flags&flagRejected != 0 {
		r.assigned |= rejectedBit
	}
	if t.flags&flagReassigned != 0 {
		r.assigned |= reassignedBit
	}
	odd := oddRow{row.Revision, assigned, row.Deadline, row.nextChange}
	main := row.Deadline
	if t.area != terms.Appeals {
		main = row.nextChange
	}
	fits := row.Revision >= 0 && row.Revision < oddRevision && assigned <= assignedMask
	if main.Present() {
		seconds := main.Time().Unix()
		fits = fits && main.Time().Nanosecond() == 0 && seconds > 0 && seconds < 1<<32
		r.time = uint32(seconds)
	}
	switch {
	case !row.nextChange.Present():
		r.bits |= 1
	case row.nextChange != main:
		fits = false
	}
	if t.area != terms.Appeals && row.Deadline.Present() || !fits {
		r.revision = oddRevision
	}
	return r, odd
}

func (r *packedRow) isOdd() bool { return r.revision == oddRevision }

func (r *packedRow) held(area terms.Area) terms.BlockerSet {
	return terms.BlockerSet(r.bits&heldMask) << firstBlocker[area]
}

func (r *packedRow) status() uint8 { return uint8(r.bits >> statusAt & 0xf) }

func (r *packedRow) subject() uint8 { return uint8(r.bits >> subjectAt & 0x7) }

func (r *packedRow) trigger() uint8 { return uint8(r.bits >> triggerAt & 0xf) }

// flags are those of the row; flagAwake is set where time changes nothing.
func (r *packedRow) flags() rowFlags {
	return rowFlags(r.bits>>flagsAt) | rowFlags(r.bits&1)*flagAwake | rowFlags(r.assigned>>rejectedAt)*flagRejected |
		rowFlags(r.assigned>>reassignedAt&1)*flagReassigned
}

// closed reports whether the case or amendment is closed.
func (r *packedRow) closed(area terms.Area) bool {
	return closedAs(area, r.status(), r.has(flagDecided))
}

// ended reports whether it is closed, or given to somebody else.
func (r *packedRow) ended(area terms.Area) bool { return r.closed(area) || r.has(flagReassigned) }

// has reports whether one of the flags is set.
func (r *packedRow) has(flags rowFlags) bool { return r.flags()&flags != 0 }

func (r *packedRow) gate() terms.Gate {
	if r.has(flagPass) {
		return terms.Pass
	}
	return terms.Blocked
}

// A queue keeps its ids in order, in leaves, each id as its difference from the one before it: ids of one kind have long prefixes
// in common, so that a million of them take a few megabytes.
const (
	leafRows  = 256 // of a leaf
	blockRows = 16  // ids of a leaf that are read one after the other; the first of them stands in full
)

// A leaf holds up to leafRows rows.
type leaf struct {
	ids    []byte // for each: length of what it shares with the one before, length of the rest, the rest
	blocks [leafRows / blockRows]uint32
	rows   []packedRow
}

// add appends an id that comes after last, the one before it.
func (l *leaf) add(id, last terms.ID) {
	shared := 0
	if at := len(l.rows); at%blockRows == 0 {
		l.blocks[at/blockRows] = uint32(len(l.ids))
	} else {
		for n := min(len(id), len(last)); shared < n && id[shared] == last[shared]; {
			shared++
		}
	}
	l.ids = binary.AppendUvarint(l.ids, uint64(shared))
	l.ids = binary.AppendUvarint(l.ids, uint64(len(id)-shared))
	l.ids = append(l.ids, id[shared:]...)
}

// An idCursor reads the ids of a leaf one after the other.
type idCursor struct {
	leaf *leaf
	next int    // where the next id begins
	id   []byte // the one read last
}

// block starts reading at the first id of a block.
func (c *idCursor) block(l *leaf, block int) {
	c.leaf, c.next = l, int(l.blocks[block])
}

func (c *idCursor) read() []byte {
	shared, n := binary.Uvarint(c.leaf.ids[c.next:])
	c.next += n
	rest, n := binary.Uvarint(c.leaf.ids[c.next:])
	c.next += n
	c.id = append(c.id[:shared], c.leaf.ids[c.next:c.next+int(rest)]...)
	c.next += int(rest)
	return c.id
}

// id returns the id of a row.
func (l *leaf) id(at int) terms.ID {
	var c idCursor
	c.block(l, at/blockRows)
	for range at % blockRows {
		c.read()
	}
	return terms.ID(c.read())
}

// find returns the row of an id within a block; false if it is not in it.
func (l *leaf) find(block int, id terms.ID) (int, bool) {
	var c idCursor
	c.block(l, block)
	first := block * blockRows
	for i := range l.rows[first:min(first+blockRows, len(l.rows))] {
		if string(c.read()) == string(id) {
			return first + i, true
		}
	}
	return 0, false
}
