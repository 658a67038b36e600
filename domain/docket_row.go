package domain

// A docketRow is what is kept of a row besides its id, in sixteen bytes. What does not fit is in an oddRow.
type docketRow struct {
	// The blockers that hold, in the bits of a BlockerSet, and above them the row's words and what has become of it.
	bits     uint64
	time     uint32 // of appeals the deadline, of amendments the wake, in seconds of Unix time; noTime: none
	revision uint16 // oddRevision: the row is an odd one
	assigned uint16 // index into Docket.people, and above it rejectedBit
}

// An oddRow is what of a row does not fit into sixteen bytes: times between two seconds or far away, times that are no
// deadline, high revisions, and more reviewers than anybody has.
type oddRow struct {
	revision       int64
	assigned       int
	deadline, wake Instant
}

// Where things are in docketRow.bits. Below statusAt is room for every blocker.
const (
	statusAt  = 49 // four bits
	subjectAt = 53 // three
	triggerAt = 56 // four
	flagsAt   = 60 // four, of rowFlags; and bit 0, which no blocker has
	heldMask  = 1<<statusAt - 2

	rejectedAt  = 15 // of docketRow.assigned
	rejectedBit = 1 << rejectedAt
)

const (
	noTime      = 0
	oddRevision = 1<<16 - 1
)

// packRow packs a row. The oddRow counts only if the row isOdd.
func packRow(row *QueueRow, assigned int) (docketRow, oddRow) {
	t := row.traits()
	r := docketRow{
		bits: uint64(t.held)&heldMask | uint64(t.status)<<statusAt | uint64(t.subject)<<subjectAt |
			uint64(t.trigger)<<triggerAt | uint64(t.flags&0xf)<<flagsAt,
		revision: uint16(row.Revision), assigned: uint16(assigned) &^ rejectedBit,
	}
	if t.flags&flagRejected != 0 {
		r.assigned |= rejectedBit
	}
	odd := oddRow{row.Revision, assigned, row.Deadline, row.wake}
	main := row.Deadline
	if t.area != Appeals {
		main = row.wake
	}
	fits := row.Revision >= 0 && row.Revision < oddRevision && assigned < rejectedBit
	if main.Present() {
		seconds := main.Time().Unix()
		fits = fits && main.Time().Nanosecond() == 0 && seconds > 0 && seconds < 1<<32
		r.time = uint32(seconds)
	}
	switch {
	case !row.wake.Present():
		r.bits |= 1
	case row.wake != main:
		fits = false
	}
	if t.area != Appeals && row.Deadline.Present() || !fits {
		r.revision = oddRevision
	}
	return r, odd
}

func (r *docketRow) isOdd() bool { return r.revision == oddRevision }

func (r *docketRow) held() BlockerSet { return BlockerSet(r.bits & heldMask) }
func (r *docketRow) status() uint8    { return uint8(r.bits >> statusAt & 0xf) }
func (r *docketRow) subject() uint8   { return uint8(r.bits >> subjectAt & 0x7) }
func (r *docketRow) trigger() uint8   { return uint8(r.bits >> triggerAt & 0xf) }

// flags are those of the row; flagAwake is set where time changes nothing.
func (r *docketRow) flags() rowFlags {
	return rowFlags(r.bits>>flagsAt) | rowFlags(r.bits&1)*flagAwake | rowFlags(r.assigned>>rejectedAt)*flagRejected
}

// closed tells whether the case or amendment is closed.
func (r *docketRow) closed(area Area) bool { return closedAs(area, r.status(), r.has(flagDecided)) }

// has tells whether one of the flags is set.
func (r *docketRow) has(flags rowFlags) bool { return r.flags()&flags != 0 }

func (r *docketRow) gate() Gate {
	if r.has(flagPass) {
		return Pass
	}
	return Blocked
}
