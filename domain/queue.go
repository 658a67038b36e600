package domain

import (
	"cmp"
	"slices"
	"strings"
)

// A QueueRow is one line of the queue: the latest revision of a case or amendment and how it stands now. For
// amendments Subject is the subject type, Trigger the transition and Status the state.
type QueueRow struct {
	Table      Table   `json:"table"`
	ID         ID      `json:"id"`
	Revision   int64   `json:"revision"`
	Gate       Gate    `json:"gate"`
	Blockers   Codes   `json:"blockers"`
	Status     AnyWord `json:"status"`
	Subject    AnyWord `json:"subject"`
	Trigger    AnyWord `json:"trigger"`
	Deadline   Instant `json:"deadline"`   // null for amendments, which have none
	AssignedTo ID      `json:"assignedTo"` // the neutral reviewer that the record names
	Decided    bool    `json:"decided"`    // a record in force exists for this revision

	Skipped    string `json:"-"` // the reason for which the local reviewer skipped this revision
	Draft      bool   `json:"-"` // the local reviewer began a decision on it, which is kept
	Unreadable string `json:"-"` // why the stored packet cannot be read; such a row is blocked
}

// AnyWord is a word of one of several vocabularies, as text; "" where it is absent.
type AnyWord string

// Label returns the word for reading: with spaces in place of underscores.
func (w AnyWord) Label() string { return strings.ReplaceAll(string(w), "_", " ") }

// MarshalJSON writes the word as a string, an absent one as null.
func (w AnyWord) MarshalJSON() ([]byte, error) {
	if w == "" {
		return []byte("null"), nil
	}
	return []byte(`"` + string(w) + `"`), nil
}

// Codes are the blockers of a row with the area that orders them.
type Codes struct {
	Area Area
	Set  BlockerSet
}

// List returns the codes in the order of seed 7; never nil.
func (c Codes) List() []Blocker { return inOrder(c.Area, c.Set) }

// MarshalJSON writes the codes as an array of words.
func (c Codes) MarshalJSON() ([]byte, error) { return appendWords(nil, c.List()), nil }

// A RowState is what the store knows of a revision besides its packet.
type RowState struct {
	Decided bool
	Skipped string
	Draft   bool
}

// NewQueueRow judges a packet for a moment and sums it up. policy may be the zero Packet: none is held.
func NewQueueRow(policy, record Packet, latest Latest, at Instant, state RowState) QueueRow {
	q := PacketQuestion(policy, record, latest, at)
	j := Judge(&q)
	key := record.Key()
	row := QueueRow{
		Table: record.Table(), ID: key.ID, Revision: key.Number, Gate: j.Gate(), Blockers: Codes{j.area, j.blockers},
		Decided: state.Decided, Skipped: state.Skipped, Draft: state.Draft,
	}
	if c := q.appealCase.pointer(); c != nil {
		row.Status, row.Subject = AnyWord(c.Status.String()), AnyWord(c.Subject.String())
		row.Trigger = AnyWord(c.Trigger.String())
		row.Deadline, row.AssignedTo = c.Deadline, c.NeutralReview.ReviewerID
	}
	if a := q.amendment.pointer(); a != nil {
		row.Status, row.Subject = AnyWord(a.State.String()), AnyWord(a.SubjectType.String())
		row.Trigger = AnyWord(a.Transition.String())
		row.AssignedTo = a.NeutralReview.ReviewerID
	}
	return row
}

// UnreadableRow stands in the queue for a stored packet that cannot be read, so that it is not left out.
func UnreadableRow(table Table, key Key, why string) QueueRow {
	return QueueRow{Table: table, ID: key.ID, Revision: key.Number, Blockers: Codes{Area: AreaOf(table)},
		Unreadable: why}
}

// A SortOrder is an order of the queue.
type SortOrder = Word[sortKind]

type sortKind struct{}

// SortOrders lists the orders, in the order in which the console goes through them.
var SortOrders Vocabulary[sortKind]

// Sort orders.
const (
	ByDeadline SortOrder = iota + 1 // the most urgent first; rows without a deadline last
	ByBlockers                      // those with the fewest blockers first
	ByID
)

var sortWords = wordList{"sort order", []string{"deadline", "blockers", "id"}}

func (sortKind) words() *wordList { return &sortWords }

// SortQueue sorts rows in place. What is decided or skipped comes after what is open, and an order is total: rows that
// are alike in it come by id.
func SortQueue(rows []QueueRow, order SortOrder) {
	slices.SortStableFunc(rows, func(a, b QueueRow) int {
		if c := cmp.Compare(a.rank(), b.rank()); c != 0 {
			return c
		}
		switch order {
		case ByDeadline:
			if a.Deadline.Before(b.Deadline) {
				return -1
			}
			if b.Deadline.Before(a.Deadline) {
				return 1
			}
		case ByBlockers:
			if c := cmp.Compare(a.blockerCount(), b.blockerCount()); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Revision, b.Revision))
	})
}

// blockerCount is how many blockers hold. What cannot be read could hold any, so it counts as having them all.
func (r *QueueRow) blockerCount() int {
	if r.Unreadable != "" {
		return AllBlockers(AreaOf(r.Table)).Len()
	}
	return r.Blockers.Set.Len()
}

// rank puts open rows before skipped ones and those before decided ones.
func (r *QueueRow) rank() int {
	switch {
	case r.Decided:
		return 2
	case r.Skipped != "":
		return 1
	}
	return 0
}
