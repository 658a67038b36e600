package queue

import (
	"fmt"
	"slices"

	"docket/domain/rules"
	"docket/domain/terms"
)

// A SortOrder is an order of the queue.
type SortOrder = terms.Term[sortKind]

type sortKind struct{}

// SortOrders lists the orders, in the order in which the console goes through them. Each is followed by its reverse, whose word
// begins with a minus.
var SortOrders terms.Terms[sortKind]

// Sort orders.
const (
	ByDeadline         SortOrder = iota + 1 // the most urgent first
	ByDeadlineReversed                      // the one with the most time left first
	ByBlockers                              // those with the fewest blockers first
	ByBlockersReversed
	ByID
	ByIDReversed
)

var sortWords = terms.NewWordList("sort order", "deadline", "-deadline", "blockers", "-blockers", "id", "-id")

// Reversal returns the order that this one is or reverses, and whether it reverses it.
func Reversal(order SortOrder) (of SortOrder, reversed bool) {
	switch order {
	case ByDeadlineReversed, ByBlockersReversed, ByIDReversed:
		return order - 1, true
	}
	return order, false
}

// OrderLabel is an order in words, for reading.
func OrderLabel(order SortOrder) string {
	of, reversed := Reversal(order)
	if reversed {
		return fmt.Sprintf("%s, reversed", of.Label())
	}
	return of.Label()
}

func (sortKind) WordList() *terms.WordList { return sortWords }

// Order lists the places of all rows in an order. Open rows come first, and among them those assigned to the reviewer, who may be
// absent; then the skipped, the decided, and those closed or given to somebody else. A reversed order turns each of these groups
// around. In each, rows without a deadline come last either way. Rows that are equal in the order come by id.
func (d *Queue) Order(order SortOrder, reviewer terms.ID) []uint32 {
	places := make([]uint32, d.size)
	for i := range places {
		places[i] = uint32(i)
	}
	me, mine := d.byPerson[reviewer]
	mine = mine && reviewer.Present()
	of, reversed := Reversal(order)
	turned := uint64(0) // what turns a key around
	if reversed {
		slices.Reverse(places)
		turned = 1<<64 - 1
	}
	sorting := radix{places: places, spare: make([]uint32, d.size)}
	switch of {
	case ByDeadline:
		for shift := 0; shift < 64; shift += radixBits {
			sorting.pass(func(at uint32) uint64 {
				key := d.urgency(int(at))
				if key != noUrgency {
					key ^= turned
				}
				return key >> shift
			})
		}
	case ByBlockers:
		sorting.pass(func(at uint32) uint64 { return uint64(d.row(int(at)).blockerCount(d.area)) ^ turned })
	}
	sorting.pass(func(at uint32) uint64 { return d.row(int(at)).rank(mine && d.assigned(int(at)) == me) })
	return sorting.places
}

// rank puts the reviewer's open rows before the other open ones, then the skipped, the decided, and those closed or given to
// somebody else.
func (r *packedRow) rank(mine bool) uint64 {
	switch {
	case r.ended():
		return 4
	case r.has(flagDecided):
		return 3
	case r.has(flagSkipped):
		return 2
	case mine:
		return 0
	}
	return 1
}

// noUrgency is that of a row without a deadline, and comes after every other.
const noUrgency = 1<<64 - 1

// urgency is smaller the earlier the deadline is, as long as it runs.
func (d *Queue) urgency(at int) uint64 {
	r := d.row(at)
	if settledAs(d.area, r.status()) {
		return noUrgency
	}
	if !r.isOdd() && d.area == terms.Appeals && r.time != noTime {
		return uint64(r.time)*1e6 ^ 1<<63
	}
	deadline := d.deadline(at)
	if !deadline.Present() {
		return noUrgency
	}
	return uint64(deadline.Time().UnixMicro()) ^ 1<<63
}

// blockerCount is how many blockers hold. An unreadable row could hold any, so it counts as having them all.
func (r *packedRow) blockerCount(area terms.Area) int {
	if r.has(flagUnreadable) {
		return rules.AllBlockers(area).Len()
	}
	return r.held(area).Len()
}

// radixBits is how much of a key one pass sorts by.
const radixBits = 11

// radix sorts places by keys, a part of the key a pass from the least significant one on. A pass keeps the order of keys with the
// same part.
type radix struct{ places, spare []uint32 }

func (r *radix) pass(key func(uint32) uint64) {
	const mask = 1<<radixBits - 1
	var starts [mask + 1]int
	for _, at := range r.places {
		starts[key(at)&mask]++
	}
	sum := 0
	for i, count := range starts {
		if count == len(r.places) {
			return
		}
		starts[i], sum = sum, sum+count
	}
	for _, at := range r.places {
		bucket := key(at) & mask
		r.spare[starts[bucket]] = at
		starts[bucket]++
	}
	r.places, r.spare = r.spare, r.places
}

// Select appends to into those of the places whose rows the filter lets through, in their order.
func (d *Queue) Select(places []uint32, f Filter, in *FilterContext, into []uint32) []uint32 {
	if len(f.terms) == 0 {
		return append(into, places...)
	}
	s := d.selecting(f, in)
	var chosen bitmap
	if f.asksIDs() {
		chosen = s.byID() // ids are read fastest one after the other
	}
	for _, at := range places {
		if chosen != nil && chosen.has(int(at)) || chosen == nil && s.matches(int(at), nil) {
			into = append(into, at)
		}
	}
	return into
}

// selecting is one call of Select.
type selecting struct {
	queue  *Queue
	filter Filter
	in     *FilterContext
	people [][]bool // by term: whose id the term matches
	found  []bitmap // by term: the places of the rows that an Index found; nil where it was not asked
}

func (d *Queue) selecting(f Filter, in *FilterContext) *selecting {
	s := &selecting{d, f, in, make([][]bool, len(f.terms)), make([]bitmap, len(f.terms))}
	for i := range f.terms {
		if ids, asked := in.Found[f.terms[i].sought]; asked {
			s.found[i] = d.places(ids)
		}
		s.people[i] = make([]bool, len(d.people))
		for j, person := range d.people {
			s.people[i][j] = f.terms[i].matchesAssignee(person, in)
		}
	}
	return s
}

// matches reports whether the row at a place is selected. id is nil where no term asks for it.
func (s *selecting) matches(at int, id []byte) bool {
	r := s.queue.row(at)
	t := traits{area: s.queue.area, status: r.status(), subject: r.subject(), trigger: r.trigger(), flags: r.flags, held: r.held(s.queue.area)}
	if r.has(flagWaiting) {
		t.waitsSince = r.ruling().RecordedAt
	}
	for i := range s.filter.terms {
		term := &s.filter.terms[i]
		if term.due.set {
			t.deadline = s.queue.due(at)
		}
		if term.sought.phrase != "" && s.found[i] == nil {
			return false
		}
		matches := s.people[i][s.queue.assigned(at)] && !term.leavesOut(t.flags) || term.matches(&t, s.in) || term.part != "" && containsFold(id, term.part) ||
			s.found[i] != nil && s.found[i].has(at)
		if matches == term.negated {
			return false
		}
	}
	return true
}

func (s *selecting) byID() bitmap {
	chosen := make(bitmap, s.queue.size/64+1)
	var ids idCursor
	for at := range s.queue.size {
		if at%blockRows == 0 {
			ids.block(&s.queue.leaves[at/leafRows], at%leafRows/blockRows)
		}
		if s.matches(at, ids.read()) {
			chosen[at/64] |= 1 << (at % 64)
		}
	}
	return chosen
}

// places are those of the rows with one of the ids, which are in their order.
func (d *Queue) places(list []terms.ID) bitmap {
	places := make(bitmap, d.size/64+1)
	var ids idCursor
	for at := 0; at < d.size && len(list) > 0; at++ {
		if at%blockRows == 0 {
			ids.block(&d.leaves[at/leafRows], at%leafRows/blockRows)
		}
		id := ids.read()
		for len(list) > 0 && string(list[0]) < string(id) {
			list = list[1:]
		}
		if len(list) > 0 && string(list[0]) == string(id) {
			places[at/64] |= 1 << (at % 64)
		}
	}
	return places
}

// A bitmap holds places.
type bitmap []uint64

func (b bitmap) has(at int) bool { return b[at/64]>>(at%64)&1 != 0 }
