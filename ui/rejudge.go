package ui

import (
	"docket/domain"
	"docket/ui/decision"
)

// Judging again: the service has rejected a record for good, so the packet needs a new decision.

// judgeAnew opens the latest revision of what a record judged, for deciding. The packet shows first: it may have changed.
func judgeAnew(logged *domain.LoggedRecord) effect {
	m := logged.Record.Members()
	packet := newPacketScreen(request{table: domain.RecordTable(m.Area), id: m.Key.ID})
	packet.rejected = m.RecordID
	return several{show{packet}, open{packet.request}}
}

// judgeAnew says what to do with a packet that was opened to be judged again, once it is there.
func (p *packetScreen) judgeAnew(s *scene) effect {
	wanted := p.rejected
	p.rejected = ""
	if wanted == "" {
		return nil
	}
	if why := decision.JudgedAgain(p.dossier, wanted); why != "" {
		return alarm{"Nothing to judge again", why}
	}
	if why := s.whyNotDecide(p.dossier); why != "" {
		return alarm{"Not yours to judge again", why}
	}
	return say{text: "this is how it stands now; d decides on it anew"}
}

// onlyRejected is the filter that selects what has to be judged again.
const onlyRejected = "is:rejected"

// rejectedArea is the docket in which something has to be judged again: the one that shows, if it has any; false if
// neither has.
func (q *queueScreen) rejectedArea() (domain.Area, bool) {
	for _, area := range []domain.Area{q.area, domain.Appeals + domain.Amendments - q.area} {
		if q.dockets[area].tally.Rejected > 0 {
			return area, true
		}
	}
	return q.area, false
}

// whyNoneRejected says why there is nothing to list; "" if there is.
func (q *queueScreen) whyNoneRejected() string {
	if _, any := q.rejectedArea(); any {
		return ""
	}
	return "no case is rejected by the service"
}

// whyNotJudgeAgain says why a record gives no cause to judge its packet again, as far as the log tells; "" if it does.
func whyNotJudgeAgain(logged *domain.LoggedRecord, s *scene) string {
	return decision.WhyNotJudgeAgain(logged, s.reviewer, s.locked, s.keyless)
}

// renew shows the record as it is in a log that was read anew.
func (r *recordScreen) renew(records []domain.LoggedRecord) {
	for i := range records {
		if one := &records[i]; one.Receipt.Sequence == r.logged.Receipt.Sequence && one.Unreadable == "" {
			r.logged = one
			return
		}
	}
}
