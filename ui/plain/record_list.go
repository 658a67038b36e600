package plain

import (
	"docket/domain"
	"docket/ui/phrase"
)

// A recordList is the log as it was read, with the page that was said last.
type recordList struct {
	records []domain.LoggedRecord // oldest first
	from    int
	reading *domain.LoggedRecord // the one that was said last in full
}

// at is a line of the list: the newest record is line 0.
func (l *recordList) at(i int) *domain.LoggedRecord { return &l.records[len(l.records)-1-i] }

// listRecords reads the log and says its newest records.
func (s *session) listRecords(string) error {
	records, err := s.desk.Records(s.ctx)
	if err != nil {
		return s.trouble("The records cannot be read", err)
	}
	s.place, s.records = atRecords, recordList{records: records}
	s.records.sayPage(s)
	return nil
}

// sayPage says one page of the list.
func (l *recordList) sayPage(s *session) {
	s.page.gap()
	if len(l.records) == 0 {
		s.page.say("Nothing has been recorded yet.")
		return
	}
	to := min(l.from+pageSize, len(l.records))
	s.page.say("%s to %s of %s, newest first.", phrase.Thousands(l.from+1), phrase.Thousands(to),
		phrase.Plural(len(l.records), "record in the log", "records in the log"))
	for i := l.from; i < to; i++ {
		s.page.say("%d. %s", i+1, recordText(l.at(i)))
	}
	if more := len(l.records) - to; more > 0 {
		s.page.say("Enter for the next page; %s to come.", phrase.Thousands(more))
	}
}

// nextPage says the next page, if there is one.
func (l *recordList) nextPage(s *session) {
	if l.from+pageSize >= len(l.records) {
		s.page.say("That was the last page. Type list to hear it again, or again to read the log anew.")
		return
	}
	l.from += pageSize
	l.sayPage(s)
}

// read says a whole record; false if there is none of that number.
func (l *recordList) read(s *session, i int) bool {
	if i < 0 || i >= len(l.records) {
		return false
	}
	logged := l.at(i)
	s.page.gap()
	if logged.Unreadable != "" {
		s.page.say("%s", recordText(logged))
		return true
	}
	for _, text := range recordLines(logged, l.records) {
		s.page.say("%s", text)
	}
	l.reading = logged
	s.place = atRecord
	return true
}
