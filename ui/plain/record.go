package plain

import (
	"strconv"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/wording"
)

// recordText sums up a record in one line.
func recordText(logged *domain.LoggedRecord) string {
	text := "Record " + wording.Thousands(int(logged.Receipt.Sequence))
	if logged.Unreadable != "" {
		return text + " cannot be read: " + sentence(logged.Unreadable)
	}
	m := logged.Record.Members()
	text += ", " + wording.Moment(m.RecordedAt) + ", " + string(m.Key.ID) + ", revision " + wording.Thousands(int(m.Key.Number)) +
		": " + m.Gate.String()
	if m.Outcome.Present() {
		text += ", " + m.Outcome.Label()
	} else if m.Transition.Present() {
		text += ", " + m.Transition.Label()
	}
	if n := len(m.ReviewerBlockers); n > 0 {
		text += ", with " + wording.Plural(n, "added blocker", "added blockers")
	}
	return text + ", by " + string(m.Reviewer.ID) + ", " + standing(logged) + "."
}

// recordLines writes a whole record out, a member a line, in the order in which it came about.
func recordLines(logged *domain.LoggedRecord) []string {
	m, receipt := logged.Record.Members(), &logged.Receipt
	standing := "in force"
	switch {
	case logged.HandIn.State == domain.Rejected:
		standing = "rejected by the service, so not in force"
	case logged.SupersededBy.Present():
		standing = "superseded by " + string(logged.SupersededBy)
	}
	lines := memberLines{}
	lines.add("Record", string(receipt.RecordID))
	lines.add("Standing", standing)
	lines.add("Supersedes", string(m.Supersedes))
	lines.answer(logged)
	lines.members(decision.ReceiptMembers(receipt)[1:]) // the record stands above
	lines.add("Gate", m.Gate.String())
	lines.add("Found by the rules", listed(m.ComputedBlockers))
	lines.add("Added by the reviewer", listed(m.ReviewerBlockers))
	lines.add("Factor codes", listed(m.Factors))
	if m.Area == domain.Appeals {
		effect := domain.EffectOf(m.Outcome)
		lines.add("Outcome", m.Outcome.Label())
		lines.add("Advised", m.Advisory.Label())
		lines.add("Asked for", m.Requested.Label())
		lines.add("Before the advice", m.Preliminary.Label())
		lines.add("Provenance activity", wording.Spaced(effect.ProvenanceActivity))
		lines.add("Business step", wording.Spaced(effect.TraceabilityStep))
	} else {
		lines.add("Held back", listed(m.Blocked))
	}
	lines.judged(m)
	lines.add("Reviewer", string(m.Reviewer.ID))
	lines.add("Role", m.Reviewer.Role.Label())
	lines.add("Key", m.Reviewer.KeyFingerprint)
	lines.add("Opened", m.OpenedAt.String())
	lines.add("Evaluated", m.EvaluatedAt.String())
	lines.add("Recorded", m.RecordedAt.String())
	lines.add("Sections seen", listed(m.SectionsViewed))
	lines.add("Packet digest", m.PacketDigest.String())
	lines.add("Note digest", m.NoteDigest.String())
	lines.add("Log seen, size", wording.Thousands(int(m.LogHead.Size)))
	lines.add("Log seen, root", m.LogHead.Root.String())
	return lines
}

// memberLines are lines of a label and a value.
type memberLines []string

func (l *memberLines) add(label, value string) { *l = append(*l, label+": "+orNone(value)+".") }

// members adds members that both consoles show.
func (l *memberLines) members(members []decision.Member) {
	for _, m := range members {
		l.add(wording.Capital(m.Label), m.Value)
	}
}

// judged says what a record was made about.
func (l *memberLines) judged(m *domain.EnforcementMembers) {
	l.add("Packet", string(m.Key.ID))
	l.add("Revision", wording.Thousands(int(m.Key.Number)))
	l.add("Content hash", m.ContentHash.String())
	if m.Area == domain.Appeals {
		l.add("Scope hash", m.ScopeHash.String())
		l.add("Subject", m.Subject.Label())
		l.add("Subject id", string(m.SubjectID))
		l.add("Trigger", m.Trigger.Label())
	} else {
		l.add("Owner", string(m.OwnerID))
		l.add("Agreement", string(m.AgreementID))
		l.add("Transition", m.Transition.Label())
		l.add("Subject type", m.SubjectType.Label())
		l.add("Amendment type", m.AmendmentType.Label())
		l.add("Terms before", m.BeforeTermsHash.String())
		l.add("Terms after", m.AfterTermsHash.String())
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy += " version " + wording.Thousands(int(m.Policy.Number))
	}
	l.add("Policy", policy)
	l.add("Policy hash", m.PolicyHash.String())
	l.add("Contract", m.ContractVersion)
	l.add("Rules", m.RulesVersion)
}

// A recordList is where in the log the reader is, with the page that was said last.
type recordList struct {
	total   int // how many records there were when the list was asked for
	from    int // the line of the first record of the page; the newest record is line 0
	page    []domain.LoggedRecord
	reading *domain.LoggedRecord // the one that was said last in full
}

// listRecords reads the newest records of the log and says them.
func (s *session) listRecords(string) error {
	page, err := s.desk.Records(s.ctx, 0, pageSize)
	if err != nil {
		return s.trouble("The records cannot be read", err)
	}
	s.place, s.records = atRecords, recordList{total: int(page.Total), page: page.Records}
	s.records.sayPage(s)
	return nil
}

// sayPage says one page of the list.
func (l *recordList) sayPage(s *session) {
	s.page.gap()
	if l.total == 0 {
		s.page.say("Nothing has been recorded yet.")
		return
	}
	to := l.from + len(l.page)
	s.page.say("%s to %s of %s, newest first.", wording.Thousands(l.from+1), wording.Thousands(to),
		wording.Plural(l.total, "record in the log", "records in the log"))
	for i := range l.page {
		s.page.say("%d. %s", l.from+i+1, recordText(&l.page[i]))
	}
	if more := l.total - to; more > 0 {
		s.page.say("Enter for the next page; %s to come.", wording.Thousands(more))
	}
}

// nextPage reads the next page and says it, if there is one.
func (l *recordList) nextPage(s *session) error {
	if l.from+len(l.page) >= l.total || len(l.page) == 0 {
		s.page.say("That was the last page. Type list to hear it again, or again to read the log anew.")
		return nil
	}
	page, err := s.desk.Records(s.ctx, l.page[len(l.page)-1].Receipt.Sequence, pageSize)
	if err != nil {
		return s.trouble("The records cannot be read", err)
	}
	l.from, l.page = l.from+len(l.page), page.Records
	l.sayPage(s)
	return nil
}

// at finds the record of a line, and reads it where it is not of this page; nil where there is none.
func (l *recordList) at(s *session, i int) (*domain.LoggedRecord, error) {
	if i < 0 || i >= l.total {
		return nil, nil
	}
	if of := i - l.from; of >= 0 && of < len(l.page) {
		return &l.page[of], nil
	}
	page, err := s.desk.Records(s.ctx, int64(l.total-i), 1)
	if err != nil || len(page.Records) == 0 {
		return nil, err
	}
	return &page.Records[0], nil
}

// read says a whole record; false if there is none of that number.
func (l *recordList) read(s *session, i int) (bool, error) {
	logged, err := l.at(s, i)
	if err != nil {
		return true, s.trouble("The record cannot be read", err)
	}
	if logged == nil {
		return false, nil
	}
	s.page.gap()
	if logged.Unreadable != "" {
		s.page.say("%s", recordText(logged))
		return true, nil
	}
	for _, text := range recordLines(logged) {
		s.page.say("%s", text)
	}
	l.reading = logged
	s.place = atRecord
	return true, nil
}

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
