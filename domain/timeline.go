package domain

import (
	"slices"
	"strconv"
)

// An Event is one moment that counts for a case or an amendment. Whether it has come is for the reader's clock to say.
type Event struct {
	At   Instant
	Kind EventKind
	What string // in plain words that fit what has come and what is ahead; ids in it are as they stand in the packet
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
	add := func(at Instant, kind EventKind, what string) {
		if at.Present() {
			events = append(events, Event{at, kind, what})
		}
	}
	record, policy := d.View.Record(), d.View.Policy()
	if c := record.AppealCase().pointer(); c != nil {
		add(c.FiledAt, EventSource, "filed")
		add(c.Notice.DeliveredAt, EventSource, "notice "+labelOr(c.Notice.State.Label(), "of no stated state"))
		add(c.Deadline, EventDeadline, "deadline")
	}
	if a := record.Amendment().pointer(); a != nil {
		add(a.Notice.DeliveredAt, EventSource, "notice "+labelOr(a.Notice.State.Label(), "of no stated state"))
		for i := range a.Confirmations {
			c := &a.Confirmations[i]
			who := labelOr(string(c.PartyRef), "nobody named")
			add(c.ConfirmedAt, EventSource, "confirmed by "+who)
			add(c.ExpiresAt, EventEnd, "expiry of the confirmation by "+who)
		}
	}
	if p := policy.AppealPolicy().pointer(); p != nil {
		add(p.EffectiveFrom, EventSource, "start of the policy")
		add(p.EffectiveUntil, EventEnd, "expiry of the policy")
	}
	if p := policy.AmendmentPolicy().pointer(); p != nil {
		add(p.FrozenAt, EventSource, "policy frozen")
		add(p.StaleAfter, EventEnd, "expiry of the policy")
	}
	for i, number := range d.Revisions {
		if i < len(d.Arrived) {
			add(d.Arrived[i], EventHere, "revision "+strconv.FormatInt(number, 10)+" came in here")
		}
	}
	for _, list := range [...][]LoggedRecord{d.Elsewhere, d.Records} {
		for i := range list {
			if list[i].Unreadable == "" {
				m := list[i].Record.Members()
				add(m.RecordedAt, EventHere, "recorded: "+m.Gate.String()+outcomeAfter(m.Outcome)+", by "+string(m.Reviewer.ID))
				add(list[i].HandIn.At, EventHere, answerWords[list[i].HandIn.State])
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
