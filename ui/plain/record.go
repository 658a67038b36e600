package plain

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/page"
	"docket/ui/wording"
)

// A recordList is the page of the log that was said last, of which the newest record is line 0.
type recordList struct {
	total, from int
	page        []records.LoggedRecord
	reading     *records.LoggedRecord // the last one said in full
}

// load reads records from a line on; none beyond the last.
func (l *recordList) load(s *session, from, most int) ([]records.LoggedRecord, error) {
	before := int64(max(l.total-from, 0))
	if from > 0 && before == 0 {
		return nil, nil
	}
	page, err := s.workbench.Records(s.ctx, before, most)
	if l.total == 0 {
		l.total = int(page.Total)
	}
	return page.Records, err
}

func (l *recordList) turn(s *session, from int) error {
	page, err := l.load(s, from, pageSize)
	if err != nil {
		return s.trouble(wording.RecordsNotRead, err)
	}
	s.place, s.records = atRecords, recordList{l.total, from, page, l.reading}
	s.records.sayPage(s)
	return nil
}

func (s *session) listRecords(string) error { return (&recordList{}).turn(s, 0) }

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

func (s *session) nextRecords(string) error {
	l := &s.records
	if l.from+len(l.page) >= l.total {
		s.page.say("That was the last page. Type list to hear it again, or again to reload the log.")
		return nil
	}
	return l.turn(s, l.from+len(l.page))
}

func (s *session) readRecord(number int) (bool, error) {
	logged, err := s.records.at(s, number-1)
	switch {
	case err != nil:
		return true, s.trouble("The record cannot be read", err)
	case logged == nil:
		return false, nil
	}
	s.page.gap()
	if logged.Unreadable != "" {
		s.page.say("%s", page.Record(logged))
		return true, nil
	}
	states, err := s.workbench.Examine(s.ctx, logged.Receipt.Sequence, logged.Receipt.Sequence+1)
	reasons, unread := s.workbench.Reasons(s.ctx, logged.Receipt.RecordID)
	err = errors.Join(err, unread)
	of := page.WholeRecord{LoggedRecord: logged, Reasons: reasons, Judge: "the command judge", Now: s.workbench.Now()}
	if len(states) > 0 {
		of.State = &states[0]
	}
	s.sayPage(of.Page())
	if err != nil {
		return true, s.trouble("Not all of its texts can be read", err)
	}
	s.place, s.records.reading = atRecord, logged
	return true, nil
}

// at is the record of a line, read from the log if it is not on this page; nil if there is none.
func (l *recordList) at(s *session, line int) (*records.LoggedRecord, error) {
	if of := line - l.from; of >= 0 && of < len(l.page) {
		return &l.page[of], nil
	}
	if line < 0 || line >= l.total {
		return nil, nil
	}
	page, err := l.load(s, line, 1)
	if err != nil || len(page) == 0 {
		return nil, err
	}
	return &page[0], nil
}

// sayService says nothing if no service was ever contacted and no record waits for one.
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

func (s *session) supersede(string) error {
	logged := s.records.reading
	why := decision.WhyNotSupersede(logged, s.reviewer, s.locked, s.keyless, "judge")
	if open, err := s.openAgain(logged, false, decision.NotSuperseded, why, decision.WhyNotSuperseded); !open {
		return err
	}
	return s.decide("")
}

// judgeAgain takes the open record or the one of a number in the list.
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
	why := decision.WhyNotJudgeAgain(logged, s.reviewer, s.locked, s.keyless)
	if open, err := s.openAgain(logged, true, wording.NoJudgeAgain, why, decision.JudgedAgain); !open {
		return err
	}
	s.page.say("This is the current packet. Type decide to decide on it again.")
	return nil
}

// openAgain says under the title why the packet cannot be decided on: why, or what stands says.
func (s *session) openAgain(logged *records.LoggedRecord, latest bool, title, why string,
	stands func(*queue.CaseFile, records.RecordID) string) (bool, error) {
	if why == "" {
		m, before := logged.Record.Members(), s.packet
		revision := m.Key.Number
		if latest {
			revision = 0
		}
		if err := s.open(terms.RecordTable(m.Area), m.Key.ID, revision); err != nil || s.packet == before {
			return false, err
		}
		why = stands(&s.packet.caseFile, m.RecordID)
	}
	if why != "" {
		s.page.say("%s: %s.", title, why)
	}
	return why == "" && s.whyNotDecide() == "", nil // the packet has said why
}

func (s *session) export(folder string) error {
	switch folder = cmp.Or(folder, s.folder); {
	case s.locked != "":
		s.page.say("%s: %s.", wording.NotExported, s.locked)
		return nil
	case folder == "":
		s.page.say("Into which folder? Type export and its name.")
		return nil
	}
	s.page.say("Exporting to %s.", folder)
	head, err := s.workbench.Export(s.ctx, folder, func(string, int64, int64) {})
	if err != nil {
		return s.trouble(wording.NotExported, err)
	}
	s.page.sentence(wording.Exported(&head, folder))
	return nil
}
