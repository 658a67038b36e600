package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"docket/domain/rules"
	"docket/domain/terms"
)

// A SortOrder is an order of the queue.
type SortOrder = terms.Term[sortKind]

type sortKind struct{}

// SortOrders lists the orders as the console steps through them, each before its reverse ("-…").
var SortOrders terms.Terms[sortKind]

// Sort orders.
const (
	ByDeadline         SortOrder = iota + 1 // the most urgent first
	ByDeadlineReversed                      // the one with the most time left first
	ByBlockers                              // those with the fewest blockers first
	ByBlockersReversed
	ByID
	ByIDReversed
	ByArrival // that which came in first, first
	ByArrivalReversed
)

var sortWords = terms.NewWordList("sort order", "deadline", "-deadline", "blockers", "-blockers", "id", "-id", "arrival", "-arrival")

// Reversal returns the order that this one is or reverses, and whether it reverses it.
func Reversal(order SortOrder) (of SortOrder, reversed bool) {
	switch order {
	case ByDeadlineReversed, ByBlockersReversed, ByIDReversed, ByArrivalReversed:
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

// Order lists the places of all rows. Open rows come first, of them those assigned to the reviewer,
// who may be absent; then the skipped, the decided, and those closed or given to somebody else. A
// reversed order reverses each group; rows without a deadline come last in it either way, and equal
// ones by id.
func (d *Queue) Order(order SortOrder, reviewer terms.ID) []uint32 {
	type key struct {
		rank, value int64
		place       uint32
	}
	of, reversed := Reversal(order)
	keys := make([]key, len(d.rows))
	for at := range d.rows {
		row := &d.rows[at]
		k := key{rank: row.rank(reviewer), place: uint32(at)}
		switch of {
		case ByDeadline:
			k.value = urgency(row.due)
		case ByArrival:
			k.value = urgency(row.ImportedAt)
		case ByBlockers:
			k.value = row.blockerCount()
		}
		keys[at] = k
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.rank != b.rank:
			return cmp.Compare(a.rank, b.rank)
		case a.value != b.value && (a.value == noUrgency || b.value == noUrgency || !reversed):
			return cmp.Compare(a.value, b.value)
		case a.value != b.value || reversed:
			return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.place, a.place))
		}
		return cmp.Compare(a.place, b.place)
	})
	places := make([]uint32, len(keys))
	for i := range keys {
		places[i] = keys[i].place
	}
	return places
}

// rank orders the reviewer's open rows, other open ones, the skipped, the decided, the closed.
func (r *heldRow) rank(reviewer terms.ID) int64 {
	switch {
	case r.ended():
		return 4
	case r.Decided:
		return 3
	case r.Skipped != "":
		return 2
	case reviewer.Present() && r.AssignedTo == reviewer:
		return 0
	}
	return 1
}

// noUrgency is that of a row without the time, and comes after every other.
const noUrgency = math.MaxInt64

func urgency(at terms.Instant) int64 {
	if !at.Present() {
		return noUrgency
	}
	return at.Time().UnixMicro()
}

// blockerCount counts an unreadable row as having all blockers: it could have any.
func (r *heldRow) blockerCount() int64 {
	if r.Unreadable != "" {
		return int64(rules.AllBlockers(terms.AreaOf(r.Table)).Len())
	}
	return int64(r.Blockers.Set.Len())
}

// Select appends to into those of the places whose rows the filter lets through, in their order.
func (d *Queue) Select(places []uint32, f Filter, in *FilterContext, into []uint32) []uint32 {
	for _, at := range places {
		if f.matches(&d.rows[at], in) {
			into = append(into, at)
		}
	}
	return into
}

func (f Filter) matches(row *heldRow, in *FilterContext) bool {
	for i := range f.terms {
		if term := &f.terms[i]; term.matches(row, in) == term.negated {
			return false
		}
	}
	return true
}
