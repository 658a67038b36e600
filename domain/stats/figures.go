// Package stats counts the decisions of a period: records in, figures out. It reads nothing and
// knows no clock.
//
//	New(period) --Add(record)…--> Tally --Figures--> Figures
//
// The rules of counting:
//
//   - A record belongs to the period that its recordedAt is in; one that cannot be read, to that of
//     its id.
//   - A record is a decision unless it cannot be read, the service rejected it, or a revoked key
//     signed it. Those are counted apart and nowhere else.
//   - A superseded record was a decision and stays one: it is in every figure, and Superseded says
//     how many there are, no matter where the record lies that took its place.
//   - Decisions on amendments have a gate, a transition, a reviewer, a week and a time from
//     opening. They have no outcome, no advice, no filing and no deadline of the case.
//   - A decision is against the advice if its outcome is not the one that docket advised, given the
//     blockers that people added.
//   - The time from filing is recordedAt − filedAt of the revision that was judged, the time from
//     opening recordedAt − openedAt, in whole seconds, rounded down. A negative one, and one whose
//     start is absent, is left out.
//   - A percentile is the nearest rank: the p-th of n durations in order is the one at place
//     ⌈p·n/100⌉. There is none of none.
//   - A decision is after the deadline if recordedAt is after the deadline of the revision that was
//     judged.
//   - Weeks are those of ISO 8601 in UTC.
package stats

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/terms"
)

// A Record is a logged record with the times of the case that it judged.
type Record struct {
	ID         records.RecordID
	Members    *records.Members // nil: it cannot be read
	Superseded bool
	Rejected   bool          // by the service
	Revoked    bool          // a revoked key signed it
	Against    bool          // of an appeal: its outcome is not the one that docket advised
	FiledAt    terms.Instant // of an appeal, as is Deadline
	Deadline   terms.Instant
}

// RecordOf returns the Record of a logged record, without the times of its case.
func RecordOf(logged *records.LoggedRecord) Record {
	r := Record{ID: logged.Receipt.RecordID, Superseded: logged.SupersededBy.Present(),
		Rejected: logged.HandIn.State == records.Rejected, Revoked: logged.Revoked, Against: logged.Departs()}
	if logged.Unreadable == "" {
		r.Members = logged.Record.Members()
	}
	return r
}

func (r *Record) at() terms.Instant {
	if r.Members == nil {
		return r.ID.At()
	}
	return r.Members.RecordedAt
}

// Figures are what was counted in a period.
type Figures struct {
	Period Period

	Records    int // in the log
	Unreadable int // of them
	Rejected   int // by the service
	Revoked    int // signed by a revoked key
	Decisions  int // the others; the figures below are about these

	Superseded int
	Appeals    int
	Amendments int

	AgainstAdvice Share // of the appeals
	AfterDeadline Share // of the appeals with a deadline
	FromFiling    Durations
	FromOpening   Durations

	Groups []Group
	Weeks  []WeekCount // from first to last decision, without a gap; the newest MostWeeks
}

// A Share is a part of a count: Of decisions, Count have the property.
type Share struct{ Count, Of int }

// Durations are nearest-rank percentiles in whole seconds. Both are 0 if Count is 0.
type Durations struct {
	Count       int
	Median, P90 time.Duration
}

// A WeekCount is how many decisions there were in a week.
type WeekCount struct {
	Name      string        // 2026-W47
	Monday    terms.Instant // with which it begins
	Decisions int
}

// A Group counts the decisions that have something in common.
type Group struct {
	Name string // outcome, trigger, transition, gate or reviewer
	Rows []Row  // words in vocabulary order, reviewers by id: nobody is ranked
}

// A Row is one of a group.
type Row struct {
	Word      string // "" where it is absent
	Decisions int
	Weeks     []int // of Figures.Weeks
}

// MostWeeks is how many weeks are told apart.
const MostWeeks = 520

// groups say of each decision the word that it counts under, with its place; false for none.
var groups = [...]struct {
	name string
	of   func(m *records.Members) (word string, place uint8, is bool)
}{
	{"outcome", func(m *records.Members) (string, uint8, bool) {
		return m.Outcome.String(), uint8(m.Outcome), m.Area == terms.Appeals
	}},
	{"trigger", func(m *records.Members) (string, uint8, bool) {
		return m.Trigger.String(), uint8(m.Trigger), m.Area == terms.Appeals
	}},
	{"transition", func(m *records.Members) (string, uint8, bool) {
		return m.Transition.String(), uint8(m.Transition), m.Area == terms.Amendments
	}},
	{"gate", func(m *records.Members) (string, uint8, bool) {
		return m.Gate.String(), uint8(terms.Pass - m.Gate), true
	}},
	{"reviewer", func(m *records.Members) (string, uint8, bool) { return string(m.Reviewer.ID), 0, true }},
}

// A Tally counts records for Figures. It grows by eight bytes a decision.
type Tally struct {
	figures         Figures
	filing, opening []uint32 // seconds
	weeks           map[int64]int
	groups          [len(groups)]map[member]map[int64]int // decisions by week
}

type member struct {
	place uint8
	word  string
}

// New counts nothing yet.
func New(period Period) *Tally {
	t := &Tally{figures: Figures{Period: period}, weeks: map[int64]int{}}
	for i := range t.groups {
		t.groups[i] = map[member]map[int64]int{}
	}
	return t
}

// Add counts a record, if it is one of the period.
func (t *Tally) Add(r *Record) {
	f := &t.figures
	if !f.Period.Has(r.at()) {
		return
	}
	f.Records++
	switch {
	case r.Members == nil:
		f.Unreadable++
	case r.Rejected:
		f.Rejected++
	case r.Revoked:
		f.Revoked++
	default:
		t.decided(r, r.Members)
	}
}

func (t *Tally) decided(r *Record, m *records.Members) {
	f := &t.figures
	f.Decisions++
	if r.Superseded {
		f.Superseded++
	}
	t.opening = since(t.opening, m.OpenedAt, m.RecordedAt)
	if m.Area == terms.Appeals {
		f.Appeals++
		f.AgainstAdvice.count(r.Against)
		t.filing = since(t.filing, r.FiledAt, m.RecordedAt)
		if r.Deadline.Present() {
			f.AfterDeadline.count(r.Deadline.Before(m.RecordedAt))
		}
	} else {
		f.Amendments++
	}
	week := weekOf(m.RecordedAt)
	t.weeks[week]++
	for i := range groups {
		if word, place, is := groups[i].of(m); is {
			at := member{place, word}
			if t.groups[i][at] == nil {
				t.groups[i][at] = map[int64]int{}
			}
			t.groups[i][at][week]++
		}
	}
}

func (s *Share) count(so bool) {
	s.Of++
	if so {
		s.Count++
	}
}

// since adds a duration in seconds, unless its start is absent or later than its end.
func since(list []uint32, from, to terms.Instant) []uint32 {
	if !from.NotAfter(to) {
		return list
	}
	seconds := to.Time().Unix() - from.Time().Unix()
	if to.Time().Nanosecond() < from.Time().Nanosecond() {
		seconds--
	}
	return append(list, uint32(min(seconds, 1<<32-1)))
}

// firstMonday begins week 0; all of docket's times come after it.
var firstMonday = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)

const secondsOfWeek = 7 * 24 * 60 * 60

func weekOf(at terms.Instant) int64 { return (at.Time().Unix() - firstMonday.Unix()) / secondsOfWeek }

// Figures are what has been counted so far.
func (t *Tally) Figures() Figures {
	f := t.figures
	f.FromFiling, f.FromOpening = durations(t.filing), durations(t.opening)
	first := int64(0)
	if len(t.weeks) > 0 {
		numbers := slices.Sorted(maps.Keys(t.weeks))
		last := numbers[len(numbers)-1]
		first = max(numbers[0], last-MostWeeks+1)
		for week := first; week <= last; week++ {
			monday := time.Unix(firstMonday.Unix()+week*secondsOfWeek, 0).UTC()
			f.Weeks = append(f.Weeks, WeekCount{weekName(monday), terms.InstantOf(monday), t.weeks[week]})
		}
	}
	for i := range groups {
		f.Groups = append(f.Groups, Group{groups[i].name, rows(t.groups[i], first, len(f.Weeks))})
	}
	return f
}

func rows(counted map[member]map[int64]int, first int64, weeks int) []Row {
	list := make([]Row, 0, len(counted))
	members := slices.Collect(maps.Keys(counted))
	json.Sort(members, func(a, b member) int { return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.word, b.word)) })
	for _, at := range members {
		row := Row{Word: at.word, Weeks: make([]int, weeks)}
		for week, count := range counted[at] {
			row.Decisions += count
			if week >= first {
				row.Weeks[week-first] = count
			}
		}
		list = append(list, row)
	}
	return list
}

func durations(list []uint32) Durations {
	if len(list) == 0 {
		return Durations{}
	}
	slices.Sort(list)
	rank := func(percent int) time.Duration {
		return time.Duration(list[(percent*len(list)+99)/100-1]) * time.Second
	}
	return Durations{len(list), rank(50), rank(90)}
}
