// Package listing holds the rows of a queue that a list shows, with their filter, and the
// revisions of a packet, for the full console and the plain one alike.
package listing

import (
	"slices"

	"docket/domain/queue"
	"docket/domain/terms"
)

// OnlyRejected is the filter of the cases to judge again.
const OnlyRejected = "is:rejected"

// Rows are the rows of a queue that a list shows, in its order.
type Rows struct {
	Queue  *queue.Queue
	Order  []uint32     // the places of all rows, in the order of the list
	Shown  []uint32     // of them, those that match the filter
	Filter queue.Filter // which they match
	Tally  queue.Tally
}

// Row is the row of a line.
func (r *Rows) Row(line int) queue.Row { return r.Queue.Row(int(r.Shown[line])) }

// Matching are the places that match a filter, in the order of the list.
func (r *Rows) Matching(filter queue.Filter, context *queue.FilterContext) []uint32 {
	if filter.String() == "" {
		return r.Order
	}
	return r.Queue.Select(r.Order, filter, context, nil)
}

// Apply shows the rows that match a filter.
func (r *Rows) Apply(filter queue.Filter, context *queue.FilterContext) {
	r.Filter, r.Shown = filter, r.Matching(filter, context)
}

// Line is the line of a case in the list; -1 where it does not show.
func (r *Rows) Line(id terms.ID) int {
	place, found := r.Queue.Find(id)
	if !found {
		return -1
	}
	return slices.Index(r.Shown, uint32(place))
}

// Neighbour finds the open row that follows a line, or the one before it, and wraps around at the
// end; but is the case that it leaves out. Before the first line is -1.
func (r *Rows) Neighbour(line int, backwards bool, but terms.ID) (queue.Row, bool) {
	step := 1
	if backwards {
		line, step = max(line, 0), -1
	}
	count := len(r.Shown)
	for n := 1; n <= count; n++ {
		at := int(r.Shown[((line+n*step)%count+count)%count])
		if !r.Queue.Workable(at) {
			continue
		}
		if row := r.Queue.Row(at); row.ID != but {
			return row, true
		}
	}
	return queue.Row{}, false
}

// Revision is the revision after the given one, or before it; false if none. held ascends.
func Revision(held []int64, here int64, newer bool) (found int64, ok bool) {
	for _, n := range held {
		if newer && n > here {
			return n, true
		}
		if !newer && n < here {
			found, ok = n, true
		}
	}
	return found, ok
}
