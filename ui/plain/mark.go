package plain

import (
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/ui/mark"
	"docket/ui/wording"
)

func (s *session) markCases(which string) error {
	q := s.queue()
	if which == "" {
		s.sayMarked()
		return nil
	}
	keys, ok := s.numbered(which)
	switch {
	case !ok:
	case !q.Marks.Add(keys...):
		s.page.say("%s. Nothing new is marked.", wording.Capital(mark.TooMany))
	default:
		s.page.say("%s.", wording.Capital(q.Marks.Count(q.Hidden())))
	}
	return nil
}

func (s *session) unmarkCases(which string) error {
	q := s.queue()
	if which == "" || strings.EqualFold(which, "all") {
		q.Marks.Clear()
		s.page.say("%s.", wording.Capital(wording.NothingMarked))
		return nil
	}
	if keys, ok := s.numbered(which); ok {
		q.Marks.Drop(keys...)
		s.sayMarked()
	}
	return nil
}

// numbered takes numbers and ranges of the list; false if it says why there are no revisions.
func (s *session) numbered(which string) (keys []packets.Key, ok bool) {
	q := s.queue()
	add := func(from, to int) {
		for i := from; i <= to; i++ {
			row := q.Row(i - 1)
			keys = append(keys, mark.KeyOf(&row))
		}
	}
	if strings.EqualFold(which, "all") {
		if len(q.Shown) > mark.Most {
			s.page.say("%s; filter lists fewer.", wording.Capital(mark.TooMany))
			return nil, false
		}
		add(1, len(q.Shown))
		return keys, true
	}
	for _, word := range names(which) {
		first, last, isRange := strings.Cut(word, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, failed := strconv.Atoi(last)
		switch {
		case err != nil || failed != nil:
			s.page.say("Marks take numbers of the list and ranges, such as 3-7 9, or all.")
			return nil, false
		case from < 1 || to > len(q.Shown) || from > to:
			s.page.say("There is no %s in this list of %s.", word, wording.Thousands(len(q.Shown)))
			return nil, false
		case to-from >= mark.Most:
			s.page.say("%s.", wording.Capital(mark.TooMany))
			return nil, false
		}
		add(from, to)
	}
	return keys, true
}

func (s *session) sayMarked() {
	q := s.queue()
	if q.Marks.Len() == 0 {
		s.page.say("%s; mark 3-7 marks those of the list.", wording.Capital(wording.NothingMarked))
		return
	}
	s.page.say("%s: %s.", wording.Capital(q.Marks.Count(q.Hidden())), strings.Join(q.MarkedIDs(), ", "))
}

func (s *session) sayIDs(string) error {
	for _, id := range s.queue().MarkedIDs() {
		s.page.say("%s", id)
	}
	if s.queue().Marks.Len() == 0 {
		s.sayMarked()
	}
	return nil
}

// skipMarked undoes the skips if all marked cases are skipped.
func (s *session) skipMarked(reason string) error {
	q := s.queue()
	rows := q.Marked()
	if len(rows) == 0 {
		s.sayMarked()
		return nil
	}
	if why := mark.WhyNotSkip(rows, s.reviewer, s.locked); why != "" {
		s.page.sentence(why)
		return nil
	}
	if skipped, _, err := s.setAside(reason, rows...); !skipped || err != nil {
		return err
	}
	for i := range rows {
		q.Marks.Drop(mark.KeyOf(&rows[i]))
	}
	if err := q.reread(s); err != nil {
		return err
	}
	q.sayPage(s) // the numbers have changed
	return nil
}
