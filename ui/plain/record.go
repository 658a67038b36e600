package plain

import (
	"fmt"
	"strconv"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/page"
	"docket/ui/wording"
)

// recordLines lists a whole record, one member a line, in the order of wording.RecordGroups.
func recordLines(logged *records.LoggedRecord) []string {
	groups, service := wording.RecordGroups(logged, ""), wording.AtService(logged)
	lines := memberLines{}
	lines.add("Record", string(logged.Receipt.RecordID))
	lines.members(groups[0].Members) // whether it is in force
	lines.add(service.Title, service.Members[0].Value)
	lines.members(service.Members[1:])
	for _, group := range groups[1:] {
		lines.members(group.Members)
	}
	return lines
}

// memberLines are lines of a label and a value.
type memberLines []string

func (l *memberLines) add(label, value string) {
	*l = append(*l, wording.Sentence(label+": "+wording.OrNone(value)))
}

func (l *memberLines) members(members []wording.Member) {
	for _, m := range members {
		l.add(wording.Capital(m.Label), m.Value)
	}
}

// A recordList is the reader's position in the log, with the page that was said last.
type recordList struct {
	total   int // records in the log when the list was read
	from    int // the line of the first record of the page; the newest record is line 0
	page    []records.LoggedRecord
	reading *records.LoggedRecord // the last one said in full
}

// listRecords reads the newest records of the log and says them.
func (s *session) listRecords(string) error {
	page, err := s.workbench.Records(s.ctx, 0, pageSize)
	if err != nil {
		return s.trouble(wording.RecordsNotRead, err)
	}
	s.place, s.records = atRecords, recordList{total: int(page.Total), page: page.Records}
	s.records.sayPage(s)
	return nil
}

// sayPage says one page of the list.
func (l *recordList) sayPage(s *session) {
	s.page.gap()
	if l.total == 0 {
		s.page.say("%s", wording.NoRecords)
		return
	}
	to := l.from + len(l.page)
	s.page.say("%s to %s of %s, newest first.", wording.Thousands(l.from+1), wording.Thousands(to),
		wording.RecordsInLog(l.total))
	for i := range l.page {
		s.page.say("%d. %s", l.from+i+1, page.Record(&l.page[i]))
	}
	if more := l.total - to; more > 0 {
		s.page.say(nextPage, wording.Thousands(more))
	}
}

// nextPage reads the next page and says it, if there is one.
func (l *recordList) nextPage(s *session) error {
	if l.from+len(l.page) >= l.total || len(l.page) == 0 {
		s.page.say("That was the last page. Type list to hear it again, or again to reload the log.")
		return nil
	}
	page, err := s.workbench.Records(s.ctx, l.page[len(l.page)-1].Receipt.Sequence, pageSize)
	if err != nil {
		return s.trouble(wording.RecordsNotRead, err)
	}
	l.from, l.page = l.from+len(l.page), page.Records
	l.sayPage(s)
	return nil
}

// at returns the record of a line, read from the log if it is not on this page; nil if there is none.
func (l *recordList) at(s *session, i int) (*records.LoggedRecord, error) {
	if i < 0 || i >= l.total {
		return nil, nil
	}
	if of := i - l.from; of >= 0 && of < len(l.page) {
		return &l.page[of], nil
	}
	page, err := s.workbench.Records(s.ctx, int64(l.total-i), 1)
	if err != nil || len(page.Records) == 0 {
		return nil, err
	}
	return &page.Records[0], nil
}

// read says a whole record; false if there is none in that line.
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
		s.page.say("%s", page.Record(logged))
		return true, nil
	}
	for _, text := range recordLines(logged) {
		s.page.say("%s", text)
	}
	states, err := s.workbench.Examine(s.ctx, logged.Receipt.Sequence, logged.Receipt.Sequence+1)
	if err != nil {
		return true, s.trouble("Its erased texts cannot be read", err)
	}
	for i := range states {
		for _, member := range wording.ErasedMembers(states[i].Erased) {
			s.page.say("%s: %s.", wording.Capital(member.Label), member.Value)
		}
	}
	l.reading = logged
	s.place = atRecord
	return true, nil
}

// sayService says the answers of the service, the records that wait for it, and when packets were pulled. It says nothing if no service was ever contacted and
// no record waits for one.
func (s *session) sayService() error {
	tally, err := s.workbench.HandIns(s.ctx)
	if err != nil {
		return s.trouble("What was handed in cannot be read", err)
	}
	s.service = tally
	if tally.Service == "" && tally.Waiting == 0 && tally.Rejected == 0 {
		return nil
	}
	if setback := tally.Setback; setback.Kind.Present() {
		s.page.say("%s", wording.SetBack(&setback))
	}
	if n := int(tally.Rejected); n > 0 {
		s.page.say("Rejected by the service, to judge again: %s. Type records to list them.", wording.Plural(n, "record", "records"))
	}
	if n := int(tally.Waiting); n > 0 {
		s.page.say("Not handed in: %s. `docket push` hands records in.", wording.Plural(n, "record", "records"))
		if by := wording.HandInBy(tally.By, s.workbench.Now()); by != "" {
			s.page.say("The first of them: %s.", by)
		}
	}
	if tally.Service == "" {
		return nil // this store never met a service
	}
	pulled := "never pulled"
	if tally.Pulled.Present() {
		pulled = fmt.Sprintf("last pulled %s ago", wording.SpanInWords(max(s.workbench.Now().Sub(tally.Pulled), 0)))
	}
	s.page.say("Offline; packets were %s.", pulled)
	return nil
}

// judgeAgain opens the latest revision of the packet of a rejected record, to decide on it again: of the record with that number in the list, or of the open
// one.
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
		s.page.say("%s: %s.", wording.NoJudgeAgain, why)
		return nil
	}
	m, before := logged.Record.Members(), s.packet
	if err := s.open(terms.RecordTable(m.Area), m.Key.ID, 0); err != nil || s.packet == before {
		return err
	}
	if why := decision.JudgedAgain(&s.packet.caseFile, m.RecordID); why != "" {
		s.page.say("%s: %s.", wording.NoJudgeAgain, why)
	} else if s.whyNotDecide() == "" {
		s.page.say("This is the current packet. Type decide to decide on it again.")
	}
	return nil
}
