// Package mark holds the cases that a reviewer has marked in a queue, for one action on all of
// them. A mark belongs to a revision: it stays while the queue is sorted and filtered, and ends
// when a newer revision arrives. Marks are kept in memory only.
package mark

import (
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/wording"
)

// Most is how many cases can be marked: few enough for one transaction and a terminal's clipboard.
const Most = 1000

// TooMany says that no more cases can be marked.
var TooMany = fmt.Sprintf("at most %s cases can be marked at once", wording.Thousands(Most))

// A Set is the marked revisions of an area. Its zero value is empty.
type Set struct {
	revisions map[terms.ID]int64
	ended     int // marks that ended with their revision since the set was last changed
}

// KeyOf is the revision of a row.
func KeyOf(row *queue.Row) packets.Key { return packets.Key{ID: row.ID, Number: row.Revision} }

// Len is the number of marks.
func (s *Set) Len() int { return len(s.revisions) }

// Has reports whether a revision is marked.
func (s *Set) Has(key packets.Key) bool {
	revision, marked := s.revisions[key.ID]
	return marked && revision == key.Number
}

// Add marks revisions. Where that would be more than Most, it marks none and returns false.
func (s *Set) Add(keys ...packets.Key) bool {
	more := 0
	for _, key := range keys {
		if _, marked := s.revisions[key.ID]; !marked {
			more++
		}
	}
	if len(s.revisions)+more > Most {
		return false
	}
	s.ended = 0
	if s.revisions == nil {
		s.revisions = map[terms.ID]int64{}
	}
	for _, key := range keys {
		s.revisions[key.ID] = key.Number
	}
	return true
}

// Drop takes the marks off revisions.
func (s *Set) Drop(keys ...packets.Key) {
	s.ended = 0
	for _, key := range keys {
		delete(s.revisions, key.ID)
	}
}

// Clear takes all marks off.
func (s *Set) Clear() { *s = Set{} }

// Keep ends the marks of revisions that the queue no longer has.
func (s *Set) Keep(q *queue.Queue) {
	for id, revision := range s.revisions {
		if at, found := q.Find(id); !found || q.Row(at).Revision != revision {
			delete(s.revisions, id)
			s.ended++
		}
	}
}

// In returns the marked rows of a queue, in the order of the places.
func (s *Set) In(q *queue.Queue, order []uint32) []queue.Row {
	if s.Len() == 0 {
		return nil
	}
	marked := make(map[uint32]bool, s.Len())
	for id := range s.revisions {
		if at, found := q.Find(id); found {
			marked[uint32(at)] = true
		}
	}
	var rows []queue.Row
	for _, at := range order {
		if !marked[at] {
			continue
		}
		if row := q.Row(int(at)); s.Has(KeyOf(&row)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Count says in words how many cases are marked, how many of them the filter hides, and which marks
// have ended; "" if there is nothing to say.
func (s *Set) Count(hidden int) string {
	var parts []string
	if s.Len() > 0 {
		parts = append(parts, fmt.Sprintf("%s marked", wording.Thousands(s.Len())))
	}
	if hidden > 0 {
		parts = append(parts, fmt.Sprintf("%s of them hidden by the filter", wording.Thousands(hidden)))
	}
	if s.ended > 0 {
		parts = append(parts, fmt.Sprintf("%s ended: a newer revision has come", wording.Plural(s.ended, "mark", "marks")))
	}
	return strings.Join(parts, ", ")
}

// A Passed is a marked case that is passed over, and why.
type Passed struct {
	ID  terms.ID
	Why string
}

// A Skip undoes the skips of the marked cases if all of them are skipped; else it skips the open
// ones.
type Skip struct {
	Keys   []packets.Key
	Back   bool
	Passed []Passed
}

// SkipOf returns the effect of skipping on the rows.
func SkipOf(rows []queue.Row) Skip {
	skip := Skip{Back: len(rows) > 0}
	for i := range rows {
		skip.Back = skip.Back && rows[i].Skipped != ""
	}
	for i := range rows {
		switch row := &rows[i]; {
		case row.Decided:
			skip.Passed = append(skip.Passed, Passed{row.ID, "it is decided"})
		case row.Skipped != "" && !skip.Back:
			skip.Passed = append(skip.Passed, Passed{row.ID, "it is skipped already"})
		default:
			skip.Keys = append(skip.Keys, KeyOf(row))
		}
	}
	return skip
}

// Asks is the question for the reason of a skip. It names at most this many cases passed over.
func (s *Skip) Asks(most int) string {
	text := "Why do you skip them? The one reason stays on this machine; each case comes back with its next revision."
	if len(s.Keys) == 1 {
		text = "Why do you skip it? The reason stays on this machine; the case comes back with its next revision."
	}
	if len(s.Passed) > 0 {
		text += fmt.Sprintf(" Passed over: %s.", Listed(s.Passed, most))
	}
	return text
}

// Done is a clause without a full stop; undoes is the key or the command that undoes the skip.
func (s *Skip) Done(undoes string) string {
	count, one := wording.Thousands(len(s.Keys)), len(s.Keys) == 1
	switch {
	case s.Back && one:
		return "the skip is undone"
	case s.Back:
		return fmt.Sprintf("%s skips are undone", count)
	case one:
		return fmt.Sprintf("skipped; it is at the end of the queue, where %s undoes it", undoes)
	}
	text := fmt.Sprintf("%s cases are skipped; they are at the end of the queue, where %s undoes that", count, undoes)
	if passed := len(s.Passed); passed > 0 {
		text += fmt.Sprintf("; %s passed over", wording.Thousands(passed))
	}
	return text
}

// WhyNotSkip says why this reviewer can skip none of the rows; "" if they can.
func WhyNotSkip(rows []queue.Row, reviewer records.Reviewer, locked string) string {
	if why := decision.WhyNotSkip(false, reviewer, locked); why != "" {
		return why
	}
	if skip := SkipOf(rows); len(skip.Keys) == 0 {
		return fmt.Sprintf("none of the marked cases can be skipped: %s", Listed(skip.Passed, 1))
	}
	return ""
}

// Listed names at most this many of the cases that were passed over, with the reason for each.
func Listed(passed []Passed, most int) string {
	var texts []string
	for i, one := range passed {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %s more", wording.Thousands(len(passed)-most)))
			break
		}
		texts = append(texts, string(one.ID)+": "+one.Why)
	}
	return strings.Join(texts, "; ")
}
