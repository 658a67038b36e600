package plain

import (
	"docket/domain"
	"docket/ui/wording"
)

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
