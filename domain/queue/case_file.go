package queue

import (
	"cmp"
	"fmt"
	"slices"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// A CaseFile is a packet in view with everything that the store knows about it.
type CaseFile struct {
	View      views.View
	Revisions []int64                // all that are held, ascending
	Arrived   []terms.Instant        // when each of Revisions came in; absent where that is not known
	Records   []records.LoggedRecord // all on this revision, in log order
	Elsewhere []records.LoggedRecord // all on the other revisions of the same id, in log order
	// AtService has this revision's records that other consoles handed in, in the order of the
	// service's log, as far as they came here.
	AtService  []records.Enforcement
	Unanswered []records.Addition // added on earlier revisions, with no record in force since
	// InForce is the latest of Records, of AtService, and of what the service named when it
	// rejected one; "" for none.
	InForce records.RecordID
	// Again is the record that has this revision judged again, as in records.Statuses; "" for none.
	Again   records.RecordID
	Skipped string // the local reviewer's reason; "" if they did not skip it
	// Related has the latest revisions of what shares RelatedBy, by id; at most MostRelated.
	Related  []Row
	Unlisted bool              // there are more of those
	Waits    string            // why nobody can record here now; "" if nothing prevents it
	Draft    records.KeptDraft // by the local reviewer on this revision or else an earlier one
	// Reassigned is the revision, not held here, that the service gave to somebody else; 0: none.
	Reassigned int64
}

// MostRelated is how many related packets a CaseFile lists.
const MostRelated = 50

// RelatedBy is the id by which packets belong together: the subjectId of a case, the agreementId of
// an amendment; absent for anything else.
func RelatedBy(p packets.Packet) terms.ID {
	switch {
	case p.AppealCase().Held():
		return p.AppealCase().Pointer().SubjectID
	case p.Amendment().Held():
		return p.Amendment().Pointer().AgreementID
	}
	return ""
}

// Rejected is the record for which the packet has to be judged again, as the service rejected it or
// a revoked key signed it; nil if there is none, it is unreadable, or the case was given away.
func (d *CaseFile) Rejected() *records.LoggedRecord {
	for _, list := range [...][]records.LoggedRecord{d.Records, d.Elsewhere} {
		for i := range list {
			if l := &list[i]; d.Reassigned == 0 && l.Receipt.RecordID == d.Again && l.Unreadable == "" {
				return l
			}
		}
	}
	return nil
}

// Decided reports whether a record is in force and the revision need not be judged again.
func (d *CaseFile) Decided() bool {
	return d.InForce.Present() && !d.Again.Present()
}

// Ruling is that of the record in force: nil if there is none, zero if it is not held here.
func (d *CaseFile) Ruling() *records.Ruling {
	if !d.Decided() {
		return nil
	}
	ruling := records.Ruling{}
	if m := d.MembersInForce(); m != nil {
		ruling = m.Ruling()
	}
	return &ruling
}

// MembersInForce are nil if no record is in force, or if it is not held here or cannot be read.
func (d *CaseFile) MembersInForce() *records.Members {
	for i := range d.Records {
		if d.Records[i].Receipt.RecordID == d.InForce && d.Records[i].Unreadable == "" {
			return d.Records[i].Record.Members()
		}
	}
	return d.ServiceRecordInForce()
}

// Reliance is what may be relied on at the view's time; blocked as stale on an earlier revision.
func (d *CaseFile) Reliance() records.Reliance {
	here, ruling, earlier := d.View.Key().Number, d.Ruling(), false
	if here < d.View.Latest().Revision && ruling != nil {
		ruling, earlier = nil, true
	}
	for i := range d.Elsewhere {
		l := &d.Elsewhere[i]
		if l.Unreadable != "" || l.Void() || l.SupersededBy.Present() {
			continue
		}
		if m := l.Record.Members(); m.Key.Number > here {
			later := m.Ruling()
			ruling = &later
		} else {
			earlier = true
		}
	}
	return records.JudgeReliance(d.View.Record(), d.View.Evaluation().BlockerSet().Union(d.View.Carried()), ruling, earlier)
}

// InForceElsewhere reports whether another console handed in the record in force.
func (d *CaseFile) InForceElsewhere() bool {
	for i := range d.Records {
		if d.Records[i].Receipt.RecordID == d.InForce {
			return false
		}
	}
	return d.InForce.Present()
}

// Arrival is when the revision that is shown came in; absent where that is not known.
func (d *CaseFile) Arrival() terms.Instant {
	if at := slices.Index(d.Revisions, d.View.Key().Number); at >= 0 && at < len(d.Arrived) {
		return d.Arrived[at]
	}
	return terms.Instant{}
}

// ServiceRecordInForce is the record in force where it is one of AtService; nil otherwise.
func (d *CaseFile) ServiceRecordInForce() *records.Members {
	for i := range d.AtService {
		if m := d.AtService[i].Members(); m.RecordID == d.InForce {
			return m
		}
	}
	return nil
}

// Row returns what tells whether the packet is open: what it states, and whether it is decided.
func (d *CaseFile) Row() Row {
	row := Row{Table: d.View.Record().Table(), ID: d.View.Key().ID, Revision: d.View.Key().Number,
		Decided: d.Decided(), Skipped: d.Skipped, Reassigned: d.Reassigned > 0}
	if ruling := d.Ruling(); ruling != nil {
		row.Ruling = *ruling
	}
	row.Reliance = d.Reliance().Gate
	row.take(d.View.Record())
	return row
}

// An Event is one moment that matters for a case or an amendment. It may lie in the future.
type Event struct {
	At   terms.Instant
	Kind EventKind
	What string // in words that fit past and future; ids as in the packet

	// What it is about, one of these.
	Section       views.SectionName     // of the packet, which states it
	Revision      int64                 // that came in
	Record        *records.LoggedRecord // that was made
	ServiceRecord *records.Members      // of a record that was made at another console
}

// An EventKind says what an Event is to its reader.
type EventKind uint8

const (
	EventSource   EventKind = iota // something that the source states
	EventDeadline                  // the case's own deadline
	EventEnd                       // something stops counting: a confirmation, a policy
	EventHere                      // on this machine: a revision came in, a record was made
)

// Timeline lists everything in the case file that has a time, in order of time.
func (d *CaseFile) Timeline() []Event {
	var events []Event
	add := func(e Event) {
		if e.At.Present() {
			events = append(events, e)
		}
	}
	state := func(at terms.Instant, kind EventKind, what string, section views.SectionName) {
		add(Event{At: at, Kind: kind, What: what, Section: section})
	}
	record, policy := d.View.Record(), d.View.Policy()
	if c := record.AppealCase().Pointer(); c != nil {
		state(c.FiledAt, EventSource, "filed", views.SectionNotice)
		state(c.Notice.DeliveredAt, EventSource, fmt.Sprintf("notice %s", cmp.Or(c.Notice.State.Label(),
			"of no stated state")), views.SectionNotice)
		state(c.Deadline, EventDeadline, "deadline", views.SectionNotice)
	}
	if a := record.Amendment().Pointer(); a != nil {
		state(a.Notice.DeliveredAt, EventSource, fmt.Sprintf("notice %s", cmp.Or(a.Notice.State.Label(),
			"of no stated state")), views.SectionNotice)
		for i := range a.Confirmations {
			c := &a.Confirmations[i]
			who := cmp.Or(string(c.PartyRef), "nobody named")
			state(c.ConfirmedAt, EventSource, fmt.Sprintf("confirmed by %s", who), views.SectionConfirmations)
			state(c.ExpiresAt, EventEnd, fmt.Sprintf("expiry of the confirmation by %s", who), views.SectionConfirmations)
		}
	}
	if p := policy.AppealPolicy().Pointer(); p != nil {
		state(p.EffectiveFrom, EventSource, "start of the policy", views.SectionPolicy)
		state(p.EffectiveUntil, EventEnd, "expiry of the policy", views.SectionPolicy)
	}
	if p := policy.AmendmentPolicy().Pointer(); p != nil {
		state(p.FrozenAt, EventSource, "policy frozen", views.SectionPolicy)
		state(p.StaleAfter, EventEnd, "expiry of the policy", views.SectionPolicy)
	}
	for i, number := range d.Revisions {
		if i < len(d.Arrived) {
			add(Event{At: d.Arrived[i], Kind: EventHere, What: fmt.Sprintf("revision %d imported", number), Revision: number})
		}
	}
	for _, list := range [...][]records.LoggedRecord{d.Elsewhere, d.Records} {
		for i := range list {
			if list[i].Unreadable == "" {
				m := list[i].Record.Members()
				add(Event{At: m.RecordedAt, Kind: EventHere, Record: &list[i],
					What: fmt.Sprintf("recorded: %s%s, by %s", m.Gate, outcomeAfter(m.Outcome), m.Reviewer.ID)})
				add(Event{At: list[i].HandIn.At, Kind: EventHere, Record: &list[i], What: answerWords[list[i].HandIn.State]})
			}
		}
	}
	for i := range d.AtService {
		m := d.AtService[i].Members()
		add(Event{At: m.RecordedAt, Kind: EventHere, ServiceRecord: m, What: fmt.Sprintf("recorded at another console: %s%s, by %s",
			m.Gate, outcomeAfter(m.Outcome), m.Reviewer.ID)})
	}
	json.Sort(events, func(x, y Event) int { return x.At.Time().Compare(y.At.Time()) })
	return events
}

var answerWords = [...]string{records.NotHandedIn: "handed in, with no answer kept", records.Accepted: "handed in to the service",
	records.Rejected: "rejected by the service"}

func outcomeAfter(outcome terms.Outcome) string {
	if !outcome.Present() {
		return ""
	}
	return ", " + outcome.Label()
}
