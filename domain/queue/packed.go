package queue

import (
	"encoding/binary"
	"math/bits"
	"time"

	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A packedRow holds a row without its id, in 24 bytes. A row that does not fit is an oddRow.
type packedRow struct {
	// The blockers that hold, in the bits of a BlockerSet from the first blocker of the area on, and above them the row's words.
	bits     uint64
	time     uint32 // of appeals the deadline, of amendments the next change, in seconds of Unix time; noTime: none
	recorded uint32 // when the record in force was made, in the same form
	revision uint16 // oddRevision: the row is an odd one
	assigned uint16 // index into Queue.people
	flags    rowFlags
	outcome  terms.Outcome // of the record in force
}

// An oddRow holds the parts of a row that do not fit: times with a fraction of a second or far away, deadlines
// of amendments, revisions from 65,535 on, and reviewers from the 65,536th on.
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
	heldMask  = 1<<statusAt - 2
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
			uint64(t.trigger)<<triggerAt,
		revision: uint16(row.Revision), assigned: uint16(assigned), flags: t.flags, outcome: row.Ruling.Outcome,
	}
	if seconds := row.Ruling.RecordedAt.Time().Unix(); row.Ruling.RecordedAt.Present() && seconds > 0 && seconds < 1<<32 {
		r.recorded = uint32(seconds)
	}
	odd := oddRow{row.Revision, assigned, row.Deadline, row.nextChange}
	main := row.Deadline
	if t.area != terms.Appeals {
		main = row.nextChange
	}
	fits := row.Revision >= 0 && row.Revision < oddRevision && assigned < 1<<16
	if main.Present() {
		seconds := main.Time().Unix()
		fits = fits && main.Time().Nanosecond() == 0 && seconds > 0 && seconds < 1<<32
		r.time = uint32(seconds)
	}
	switch {
	case !row.nextChange.Present():
		r.flags |= flagAwake
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

// ruling is that of the record in force.
func (r *packedRow) ruling() records.Ruling {
	ruling := records.Ruling{Outcome: r.outcome, Gate: r.gate(flagRuledPass)}
	if r.recorded != noTime {
		ruling.RecordedAt = terms.InstantOf(time.Unix(int64(r.recorded), 0))
	}
	return ruling
}

// ended reports whether it is closed, or given to somebody else.
func (r *packedRow) ended() bool { return r.has(flagClosed | flagReassigned) }

// has reports whether one of the flags is set.
func (r *packedRow) has(flags rowFlags) bool { return r.flags&flags != 0 }

// gate is the one that a flag stands for.
func (r *packedRow) gate(pass rowFlags) terms.Gate {
	if r.has(pass) {
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
