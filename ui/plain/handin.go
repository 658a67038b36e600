package plain

import (
	"strconv"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/wording"
)

// sayService says how this console stands with its service: nothing where it never met one and nothing waits for one.
func (s *session) sayService() error {
	tally, err := s.desk.HandIns(s.ctx)
	if err != nil {
		return s.trouble("What was handed in cannot be read", err)
	}
	s.service = tally
	if tally.Service == "" && tally.Waiting == 0 && tally.Rejected == 0 {
		return nil
	}
	if n := int(tally.Rejected); n > 0 {
		s.page.say("Rejected by the service, to be judged again: %s. Type records to hear which.", wording.Plural(n, "record", "records"))
	}
	if n := int(tally.Waiting); n > 0 {
		s.page.say("Not handed in: %s. `docket push` hands records in.", wording.Plural(n, "record", "records"))
	}
	pulled := "never pulled"
	if tally.Pulled.Present() {
		pulled = "last pulled " + span(max(s.desk.Now().Sub(tally.Pulled), 0)) + " ago"
	}
	s.page.say("Offline; packets were %s.", pulled)
	return nil
}

// standing says in a few words how a record stands, here and at the service.
func standing(logged *domain.LoggedRecord) string {
	text := "in force"
	if logged.SupersededBy.Present() {
		text = "superseded"
	}
	switch logged.HandIn.State {
	case domain.Accepted:
		return text + ", handed in as number " + wording.Thousands(int(logged.HandIn.Receipt.Sequence))
	case domain.Rejected:
		return "rejected by the service: " + wording.WhyRejected(logged.HandIn.Rejection.Reason)
	}
	return text + ", not handed in"
}

// answer writes out what the service said to a record.
func (l *memberLines) answer(logged *domain.LoggedRecord) {
	switch h := &logged.HandIn; h.State {
	case domain.Accepted:
		l.add("At the service", "handed in")
		l.add("Answered", h.At.String())
		l.add("Sequence there", wording.Thousands(int(h.Receipt.Sequence)))
		l.add("Tree size there", wording.Thousands(int(h.Receipt.TreeSize)))
		l.add("Root there", h.Receipt.Root.String())
		if h.Receipt.Caution != "" {
			*l = append(*l, "Caution: "+sentence(h.Receipt.Caution))
		}
	case domain.Rejected:
		l.add("At the service", "rejected: "+wording.WhyRejected(h.Rejection.Reason))
		for _, change := range h.Changes {
			*l = append(*l, "Had changed: "+sentence(change))
		}
		l.add("In force there", wording.InForceThere(&h.Rejection, logged.InForceHere))
		l.add("Rejected", h.Rejection.At.String())
		l.add("By", h.Rejection.Origin)
		l.add("Code", h.Rejection.Reason.String())
	default:
		l.add("At the service", "not handed in; "+wording.NotHandedInHow)
	}
}

// rejectionLines say of a packet that the service rejected the decision on it, and what it said; none if it did not.
func rejectionLines(d *domain.Dossier) []string {
	turned := d.TurnedAway()
	if turned == nil {
		return nil
	}
	h, what := &turned.HandIn, "Rejected by the service at "
	if number := turned.Record.Members().Key.Number; number != d.View.Key().Number {
		what = "The decision on revision " + wording.Thousands(int(number)) + " was rejected by the service at "
	}
	lines := []string{what + wording.Moment(h.Rejection.At) + ": " + wording.WhyRejected(h.Rejection.Reason) + ". A new decision is needed."}
	for _, change := range h.Changes {
		lines = append(lines, "Had changed: "+sentence(change))
	}
	return lines
}

// judgeAgain opens the latest revision of what a rejected record judged, to be decided anew: of the record of a number in the
// list, or of the one that is read.
func (s *session) judgeAgain(text string) error {
	logged := s.records.reading
	if s.place == atRecords {
		number, err := strconv.Atoi(text)
		if err == nil {
			if logged, err = s.records.at(s, number-1); err != nil {
				return s.trouble("The record cannot be read", err)
			}
		}
		if err != nil || logged == nil {
			s.page.say("Which record? Type judge and its number in the list.")
			return nil
		}
	}
	if why := decision.WhyNotJudgeAgain(logged, s.reviewer, s.locked, s.keyless); why != "" {
		s.page.say("Nothing to judge again: %s.", why)
		return nil
	}
	m, before := logged.Record.Members(), s.packet
	if err := s.open(domain.RecordTable(m.Area), m.Key.ID, 0); err != nil || s.packet == before {
		return err
	}
	if why := decision.JudgedAgain(&s.packet.dossier, m.RecordID); why != "" {
		s.page.say("Nothing to judge again: %s.", why)
	} else if s.whyNotDecide() == "" {
		s.page.say("This is how it stands now. Type decide to decide on it anew.")
	}
	return nil
}
