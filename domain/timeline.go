package domain

import (
	"cmp"
	"slices"
	"strconv"
)

// An Event is one moment that counts for a case or an amendment. Whether it has come is for the reader's clock to say.
type Event struct {
	At   Instant
	Kind EventKind
	What string // in plain words that fit what has come and what is ahead; ids in it are as they stand in the packet

	// What it is about, one of these.
	Section  SectionName   // of the packet, which states it
	Revision int64         // that came in
	Record   *LoggedRecord // that was made
}

// An EventKind says what an Event is to the one who reads it.
type EventKind uint8

const (
	EventSource   EventKind = iota // something that the source states
	EventDeadline                  // the case's own deadline
	EventEnd                       // something stops counting: a confirmation, a policy
	EventHere                      // something that happened on this machine: a revision came in, a record was made
)

// Timeline lists everything that has a time in the dossier, in order of time. What states no time is not in it.
func (d *Dossier) Timeline() []Event {
	var events []Event
	add := func(e Event) {
		if e.At.Present() {
			events = append(events, e)
		}
	}
	state := func(at Instant, kind EventKind, what string, section SectionName) {
		add(Event{At: at, Kind: kind, What: what, Section: section})
	}
	record, policy := d.View.Record(), d.View.Policy()
	if c := record.AppealCase().Pointer(); c != nil {
		state(c.FiledAt, EventSource, "filed", SectionNotice)
		state(c.Notice.DeliveredAt, EventSource, "notice "+cmp.Or(c.Notice.State.Label(), "of no stated state"), SectionNotice)
		state(c.Deadline, EventDeadline, "deadline", SectionNotice)
	}
	if a := record.Amendment().Pointer(); a != nil {
		state(a.Notice.DeliveredAt, EventSource, "notice "+cmp.Or(a.Notice.State.Label(), "of no stated state"), SectionNotice)
		for i := range a.Confirmations {
			c := &a.Confirmations[i]
			who := cmp.Or(string(c.PartyRef), "nobody named")
			state(c.ConfirmedAt, EventSource, "confirmed by "+who, SectionConfirmations)
			state(c.ExpiresAt, EventEnd, "expiry of the confirmation by "+who, SectionConfirmations)
		}
	}
	if p := policy.AppealPolicy().Pointer(); p != nil {
		state(p.EffectiveFrom, EventSource, "start of the policy", SectionPolicy)
		state(p.EffectiveUntil, EventEnd, "expiry of the policy", SectionPolicy)
	}
	if p := policy.AmendmentPolicy().Pointer(); p != nil {
		state(p.FrozenAt, EventSource, "policy frozen", SectionPolicy)
		state(p.StaleAfter, EventEnd, "expiry of the policy", SectionPolicy)
	}
	for i, number := range d.Revisions {
		if i < len(d.Arrived) {
			add(Event{At: d.Arrived[i], Kind: EventHere, What: "revision " + strconv.FormatInt(number, 10) + " came in here", Revision: number})
		}
	}
	for _, list := range [...][]LoggedRecord{d.Elsewhere, d.Records} {
		for i := range list {
			if list[i].Unreadable == "" {
				m := list[i].Record.Members()
				add(Event{At: m.RecordedAt, Kind: EventHere, Record: &list[i],
					What: "recorded: " + m.Gate.String() + outcomeAfter(m.Outcome) + ", by " + string(m.Reviewer.ID)})
				add(Event{At: list[i].HandIn.At, Kind: EventHere, Record: &list[i], What: answerWords[list[i].HandIn.State]})
			}
		}
	}
	slices.SortStableFunc(events, func(x, y Event) int { return x.At.Time().Compare(y.At.Time()) })
	return events
}

// answerWords is indexed by HandInState: what came of handing a record in.
var answerWords = [...]string{NotHandedIn: "handed in, with no answer kept", Accepted: "handed in to the service",
	Rejected: "rejected by the service"}

func outcomeAfter(outcome Outcome) string {
	if !outcome.Present() {
		return ""
	}
	return ", " + outcome.Label()
}
