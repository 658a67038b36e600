package domain

import (
	"docket/domain/ordered"
)

// A QueueRow is one line of the queue: the latest revision of a case or amendment and how it stands now. For
// amendments Subject is the subject type, Trigger the transition and Status the state.
type QueueRow struct {
	Table      Table   `json:"table"`
	ID         ID      `json:"id"`
	Revision   int64   `json:"revision"`
	Gate       Gate    `json:"gate"`     // pass only if nothing blocks: neither computed nor carried over
	Blockers   Codes   `json:"blockers"` // those computed and those that people added in earlier records on this revision
	Status     AnyWord `json:"status"`
	Subject    AnyWord `json:"subject"`
	Trigger    AnyWord `json:"trigger"`
	Deadline   Instant `json:"deadline"`   // null for amendments, which have none
	AssignedTo ID      `json:"assignedTo"` // the neutral reviewer that the record names
	Decided    bool    `json:"decided"`    // a record in force exists for this revision

	Rejected   bool   `json:"-"` // the service turned away the record last made on it, on this revision or an earlier one: to be judged again, not Decided
	Skipped    string `json:"-"` // the reason for which the local reviewer skipped this revision
	Draft      bool   `json:"-"` // the local reviewer began a decision on it, which is kept
	Unreadable string `json:"-"` // why the stored packet cannot be read; such a row is blocked

	// No time before these changes what was judged, because of the record and because of the policy. Absent: none does.
	wake, policyWake Instant
}

// Open tells whether there is something left to do: the row is neither decided nor skipped nor closed.
func (r *QueueRow) Open() bool { return !r.Decided && r.Skipped == "" && !r.Closed() }

// Workable tells whether the row is open and can be read.
func (r *QueueRow) Workable() bool { return r.Open() && r.Unreadable == "" }

// traits are what filters and orders look at.
func (r *QueueRow) traits() traits {
	words := wordsOf(AreaOf(r.Table))
	t := traits{
		area: AreaOf(r.Table), held: r.Blockers.Set, deadline: r.Due(),
		status: words.status.Place(r.Status), subject: words.subject.Place(r.Subject),
		trigger: words.trigger.Place(r.Trigger),
	}
	if r.Decided {
		t.flags |= flagDecided
	}
	if closedAs(t.area, t.status, r.Decided) {
		t.flags |= flagClosed
	}
	if r.Rejected {
		t.flags |= flagRejected
	}
	if r.Skipped != "" {
		t.flags |= flagSkipped
	}
	if r.Unreadable != "" {
		t.flags |= flagUnreadable
	}
	if r.Gate == Pass {
		t.flags |= flagPass
	}
	return t
}

// queueWords are the vocabularies that the words of an area's rows are from.
type queueWords struct{ status, subject, trigger *WordList }

func wordsOf(area Area) queueWords {
	switch area {
	case Appeals:
		return queueWords{CaseStatuses.List(), Subjects.List(), Triggers.List()}
	case Amendments:
		return queueWords{AmendmentStates.List(), SubjectTypes.List(), Transitions.List()}
	}
	return queueWords{&noWords, &noWords, &noWords}
}

var noWords WordList

// Codes are the blockers of a row with the area that orders them.
type Codes struct {
	Area Area
	Set  BlockerSet
}

// List returns the codes in the order of seed 7; never nil.
func (c Codes) List() []Blocker { return InOrder(c.Area, c.Set) }

// MarshalJSON writes the codes as an array of words.
func (c Codes) MarshalJSON() ([]byte, error) {
	w := ordered.Writer{}
	writeWords(&w, c.List())
	return w.Text(), nil
}

// A RowState is what the store knows of a revision besides its packet.
type RowState struct {
	Decided  bool
	Rejected bool
	Skipped  string
	Draft    bool
	Carried  BlockerSet // added by people, in records on the revision
}

// NewQueueRow judges a packet for a moment and sums it up. policy may be the zero Packet: none is held.
func NewQueueRow(policy, record Packet, latest Latest, at Instant, state RowState) QueueRow {
	q := PacketQuestion(policy, record, latest, at)
	j := Judge(&q)
	key := record.Key()
	row := QueueRow{
		Table: record.Table(), ID: key.ID, Revision: key.Number, Gate: j.Gate(), Blockers: Codes{j.Area(), j.BlockerSet().Union(state.Carried)},
		Decided: state.Decided, Rejected: state.Rejected, Skipped: state.Skipped, Draft: state.Draft, wake: q.NextChange(), policyWake: q.NextPolicyChange(),
	}
	if !row.Blockers.Set.Empty() {
		row.Gate = Blocked
	}
	if c := q.AppealCase().Pointer(); c != nil {
		row.Status, row.Subject = AnyWord(c.Status.String()), AnyWord(c.Subject.String())
		row.Trigger = AnyWord(c.Trigger.String())
		row.Deadline, row.AssignedTo = c.Deadline, c.NeutralReview.ReviewerID
	}
	if a := q.Amendment().Pointer(); a != nil {
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
