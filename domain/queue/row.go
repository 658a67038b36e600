package queue

import (
	stdjson "encoding/json"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A Row is one line of the queue: the latest revision of a case or amendment and how it stands now.
// For amendments Subject is the subject type, Trigger the transition and Status the state.
type Row struct {
	Table      terms.Table   `json:"table"`
	ID         terms.ID      `json:"id"`
	Revision   int64         `json:"revision"`
	Gate       terms.Gate    `json:"gate"` // pass only if no blocker, found or carried over, holds
	Reliance   terms.Gate    `json:"relianceGate"`
	Blockers   Codes         `json:"blockers"`      // found, or added in its earlier records
	Added      Codes         `json:"addedBlockers"` // on this revision, or earlier and unanswered
	Status     terms.AnyTerm `json:"status"`
	Subject    terms.AnyTerm `json:"subject"`
	Trigger    terms.AnyTerm `json:"trigger"`
	FiledAt    terms.Instant `json:"filedAt"`    // null for amendments, which are not filed
	ImportedAt terms.Instant `json:"importedAt"` // when this revision came in
	Deadline   terms.Instant `json:"deadline"`   // null for amendments, which have none
	AssignedTo terms.ID      `json:"assignedTo"` // the neutral reviewer that the record names
	Decided    bool          `json:"decided"`    // a record in force exists for this revision

	Ruling records.Ruling `json:"-"` // of the record in force; zero if none or not held

	// Rejected: the service rejected the record last made on it, on this revision or an earlier
	// one, so that it has to be judged again and is not Decided.
	Rejected   bool   `json:"-"`
	Reassigned bool   `json:"-"`                    // the service gave it to somebody else
	Skipped    string `json:"-"`                    // the local reviewer's reason
	Draft      bool   `json:"-"`                    // the local reviewer's, kept
	Erased     bool   `json:"-"`                    // its texts were erased
	Unreadable string `json:"unreadable,omitempty"` // why it cannot be read: it is blocked

	texts, ids string // of textsOf and idsOf; kept only in memory

	// No time before these changes what was judged, by the record and the policy; absent: none does.
	nextChange, nextPolicyChange terms.Instant
}

// MarshalJSON writes the row, and whether it is closed.
func (r Row) MarshalJSON() ([]byte, error) {
	type members Row
	return stdjson.Marshal(struct {
		members
		Closed bool `json:"closed"`
	}{members(r), r.Closed()})
}

// Open reports whether something is left to do: not decided, skipped, closed or reassigned.
func (r *Row) Open() bool { return !r.Decided && r.Skipped == "" && !r.Closed() && !r.Reassigned }

// CameAfter reports whether the revision came in after a time, of which none is before every other;
// without a known arrival it counts as new.
func (r *Row) CameAfter(at terms.Instant) bool {
	return !at.Present() || !r.ImportedAt.NotAfter(at)
}

// Waiting reports whether the record in force on it asks for something, so that it is not closed.
func (r *Row) Waiting() bool { return r.Decided && !r.Closed() && !r.Reassigned }

// WaitsSince is when that record was made; absent if the row does not wait, or if it is not known.
func (r *Row) WaitsSince() terms.Instant {
	if !r.Waiting() {
		return terms.Instant{}
	}
	return r.Ruling.RecordedAt
}

// Workable reports whether the row is open and can be read.
func (r *Row) Workable() bool { return r.Open() && r.Unreadable == "" }

// Unanswered are blockers added on earlier revisions that do not hold and no record has answered.
func (r *Row) Unanswered() Codes { return Codes{r.Added.Area, r.Added.Set.Minus(r.Blockers.Set)} }

// Codes are the blockers of a row with the area that orders them.
type Codes struct {
	Area terms.Area
	Set  terms.BlockerSet
}

// List returns the codes in the order of source 7; never nil.
func (c Codes) List() []terms.Blocker { return rules.InOrder(c.Area, c.Set) }

// Before returns the codes in the order of source 7, those of a set before the others.
func (c Codes) Before(first terms.BlockerSet) []terms.Blocker {
	return append(rules.InOrder(c.Area, c.Set.Minus(c.Set.Minus(first))), rules.InOrder(c.Area, c.Set.Minus(first))...)
}

// MarshalJSON writes the codes as an array of words.
func (c Codes) MarshalJSON() ([]byte, error) {
	w := json.Writer{}
	packets.WriteTerms(&w, c.List())
	return w.Text(), nil
}

// A RowState is what the store knows of a revision in addition to its packet.
type RowState struct {
	Decided  bool
	Rejected bool
	// Reassigned leaves nothing to judge again, even after a rejection.
	Reassigned bool
	Skipped    string
	Draft      bool
	Carried    terms.BlockerSet // added by people, in records on the revision
	Unanswered terms.BlockerSet // added on earlier revisions, and answered by no record since
	Ruling     records.Ruling   // Decided: of the record in force; zero if it is not held
	ImportedAt terms.Instant    // when the revision came in
	Recorded   []records.RecordID
}

// NewRow evaluates a packet for a moment; the zero Packet as policy means that none is held.
func NewRow(policy, record packets.Packet, latest rules.Latest, at terms.Instant, state RowState) Row {
	q := rules.PacketInput(policy, record, latest, at)
	j := rules.Evaluate(&q)
	key := record.Key()
	row := Row{
		ImportedAt: state.ImportedAt, Ruling: state.Ruling, Table: record.Table(),
		ID: key.ID, Revision: key.Number, Gate: j.Gate(), Blockers: Codes{j.Area(),
			j.BlockerSet().Union(state.Carried)},
		Added:  Codes{j.Area(), state.Carried.Union(state.Unanswered)},
		Erased: record.Erased(), Decided: state.Decided, Rejected: state.Rejected &&
			!state.Reassigned, Reassigned: state.Reassigned, Skipped: state.Skipped, Draft: state.Draft,
		nextChange: q.NextChange(), nextPolicyChange: q.NextPolicyChange(),
		texts: textsOf(record), ids: idsOf(key, RelatedBy(record), state.Recorded),
	}
	if !row.Blockers.Set.Empty() {
		row.Gate = terms.Blocked
	}
	var ruling *records.Ruling
	if state.Decided {
		ruling = &state.Ruling
	}
	row.Reliance = records.JudgeReliance(record, row.Blockers.Set, ruling, false).Gate
	row.take(record)
	return row
}

func (r *Row) take(p packets.Packet) {
	if c := p.AppealCase().Pointer(); c != nil {
		r.Status, r.Subject = terms.AnyTerm(c.Status.String()), terms.AnyTerm(c.Subject.String())
		r.Trigger, r.Deadline, r.FiledAt = terms.AnyTerm(c.Trigger.String()), c.Deadline, c.FiledAt
	}
	if a := p.Amendment().Pointer(); a != nil {
		r.Status, r.Subject = terms.AnyTerm(a.State.String()), terms.AnyTerm(a.SubjectType.String())
		r.Trigger = terms.AnyTerm(a.Transition.String())
	}
	r.AssignedTo = p.AssignedTo()
}

// UnreadableRow keeps a stored packet that cannot be read in the queue.
func UnreadableRow(table terms.Table, key packets.Key, why string) Row {
	return Row{Table: table, ID: key.ID, Revision: key.Number, Blockers: Codes{Area: terms.AreaOf(table)},
		Unreadable: why, ids: idsOf(key, "", nil)}
}

// Cases and amendments are closed by what their platform says; a corrected case only by a record
// that asks for nothing more (source 4.1 rule 2), an applied amendment only by a pass. Closed ones
// are neither open nor overdue and come last, but can still be opened and decided: this project's
// choice, as the source does not say how a list treats them.
const (
	closedCases = terms.CaseStatusSet(1<<terms.CaseUpheld | 1<<terms.CaseDismissed |
		1<<terms.CaseClosedUnresolved | 1<<terms.CaseSuperseded)
	closedAmendments = terms.AmendmentStateSet(1<<terms.AmendmentRejected | 1<<terms.AmendmentWithdrawn | 1<<terms.AmendmentSuperseded)

	// closing are the outcomes that close a corrected case.
	closing = terms.OutcomeSet(1<<terms.UpholdDecision | 1<<terms.CorrectRecord | 1<<terms.RecordRemedy)

	// settledCases have no deadline that still runs, whether they are closed or not.
	settledCases = closedCases | 1<<terms.CaseCorrected
)

// SettledCaseStatuses are the statuses of appeal cases whose deadline no longer runs.
func SettledCaseStatuses() []terms.CaseStatus { return settledCases.Terms() }

// ClosedAmendmentStates are the states of amendments that are closed.
func ClosedAmendmentStates() []terms.AmendmentState { return closedAmendments.Terms() }

// RelianceWaits describes a corrected case on which no enforcement record is in force.
const RelianceWaits = "reliance waits for a record"

// GivenAway describes a case that the service gave to somebody else.
const GivenAway = "given to somebody else"

func (r *Row) caseStatus() terms.CaseStatus {
	if terms.AreaOf(r.Table) != terms.Appeals {
		return 0
	}
	return terms.CaseStatus(terms.CaseStatuses.List().Place(r.Status))
}

// Closed reports whether the row is of a case or an amendment that is closed.
func (r *Row) Closed() bool {
	if terms.AreaOf(r.Table) == terms.Amendments {
		state := terms.AmendmentState(terms.AmendmentStates.List().Place(r.Status))
		return closedAmendments.Has(state) ||
			state == terms.AmendmentApplied && r.Decided && r.Ruling.Gate == terms.Pass
	}
	return closedCases.Has(r.caseStatus()) ||
		r.caseStatus() == terms.CaseCorrected && r.Decided && closing.Has(r.Ruling.Outcome)
}

// AwaitsRecord reports whether the row is a corrected case without an enforcement record in force.
func (r *Row) AwaitsRecord() bool { return r.caseStatus() == terms.CaseCorrected && !r.Decided }

// Due is the deadline while it runs; absent where it can no longer expire.
func (r *Row) Due() terms.Instant {
	if settledCases.Has(r.caseStatus()) {
		return terms.Instant{}
	}
	return r.Deadline
}

// Sheet is rows as CSV, with a column for each member of their JSON.
func Sheet(rows []Row) (string, error) {
	objects := make([][]byte, len(rows))
	for i := range rows {
		var err error
		if objects[i], err = stdjson.Marshal(rows[i]); err != nil {
			return "", err
		}
	}
	heads, err := stdjson.Marshal(UnreadableRow(terms.AppealCases, packets.Key{}, "?"))
	if err != nil {
		return "", err
	}
	return json.Sheet(heads, objects)
}
