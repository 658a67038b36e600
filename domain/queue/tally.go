package queue

import (
	"time"

	"docket/domain/rules"
	"docket/domain/terms"
)

// A Tally counts the rows of a queue.
type Tally struct {
	Open       int // neither decided nor skipped nor closed, and not given to somebody else
	Pass       int // of the open ones, those whose gate is pass
	Mine       int // of the open ones, those assigned to the reviewer
	Skipped    int
	Decided    int           // with those that are closed, too
	Closed     int           // with those that are decided, too
	Waiting    int           // of the decided ones, those whose record asks for something
	Longest    terms.Instant // since when the first of them waits; absent if that is not known
	Rejected   int           // of those that are not decided, those whose record the service rejected
	Reassigned int           // reassigned by the service, in addition to the other counts
	Unreadable int           // of all, those that cannot be read
}

// Tally counts the rows.
func (d *Queue) Tally(reviewer terms.ID) Tally {
	var t Tally
	for at := range d.rows {
		row := &d.rows[at]
		t.add(row, reviewer.Present() && row.AssignedTo == reviewer)
	}
	return t
}

func (t *Tally) add(row *heldRow, mine bool) {
	closed := row.is.flags&flagClosed != 0
	t.Unreadable += one(row.Unreadable != "")
	t.Rejected += one(row.Rejected && !row.Decided)
	t.Reassigned += one(row.Reassigned)
	t.Decided += one(row.Decided)
	t.Closed += one(closed)
	if row.is.flags&flagWaiting != 0 {
		t.Waiting++
		if since := row.is.waitsSince; since.Before(t.Longest) {
			t.Longest = since
		}
	}
	switch {
	case row.Decided || row.is.ended():
	case row.Skipped != "":
		t.Skipped++
	default:
		t.Open++
		t.Pass += one(row.Gate == terms.Pass)
		t.Mine += one(mine)
	}
}

// New counts the rows that came in after a time.
func (d *Queue) New(after terms.Instant) (count int) {
	for at := range d.rows {
		count += one(d.rows[at].CameAfter(after))
	}
	return count
}

// Due counts the workable rows whose deadline has passed, and those whose deadline is to come before until.
func (d *Queue) Due(now, until terms.Instant) (overdue, soon int) {
	for at := range d.rows {
		if !d.Workable(at) {
			continue
		}
		switch deadline := d.rows[at].is.deadline; {
		case !deadline.Present():
		case deadline.Before(now):
			overdue++
		case deadline.Before(until):
			soon++
		}
	}
	return overdue, soon
}

// A BlockerTally is a rule with the workable rows that its blocker holds.
type BlockerTally struct {
	rules.Rule
	Count int
	// Earlier are the workable rows on an earlier revision of which a person added it, and that no record has answered since.
	Earlier int
	Oldest  terms.Instant // the deadline that comes first; absent if none of them has one
}

// ByBlocker counts the workable rows of each blocker of the area, in the order of its rule book; a blocker that holds
// none is there, too.
func (d *Queue) ByBlocker() []BlockerTally {
	book := rules.Book(d.area)
	list := make([]BlockerTally, len(book))
	at := map[terms.Blocker]int{}
	for i, rule := range book {
		list[i].Rule, at[rule.Code] = rule, i
	}
	for place := range d.rows {
		if !d.Workable(place) {
			continue
		}
		for _, code := range d.rows[place].is.earlier.Terms() {
			list[at[code]].Earlier++
		}
		for _, code := range d.rows[place].is.held.Terms() {
			one := &list[at[code]]
			one.Count++
			if deadline := d.rows[place].is.deadline; deadline.Before(one.Oldest) {
				one.Oldest = deadline
			}
		}
	}
	return list
}

// Weeks is how many weeks WeeklyCounts go back, the present one included.
const Weeks = 12

// WeeklyCounts count the decisions that were recorded in an area, week by week, and in how many of them the rules found each
// blocker. Weeks are those of ISO 8601: from Monday, in UTC. Superseded records count: they were decisions, too.
type WeeklyCounts struct {
	Area    terms.Area
	Monday  terms.Instant // with which the last week began
	Decided [Weeks]int
	found   [Weeks]map[terms.Blocker]int
}

// NewWeeklyCounts counts nothing yet. Its last week is the one that now is in.
func NewWeeklyCounts(area terms.Area, now terms.Instant) WeeklyCounts {
	at := now.Time()
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return WeeklyCounts{Area: area, Monday: terms.InstantOf(day.AddDate(0, 0, -(int(day.Weekday())+6)%7))}
}

// Since is when the first week began; nothing before it counts.
func (t *WeeklyCounts) Since() terms.Instant {
	return terms.InstantOf(t.Monday.Time().AddDate(0, 0, -7*(Weeks-1)))
}

// Add counts a decision that was recorded at a time. A time outside the weeks is left out.
func (t *WeeklyCounts) Add(recordedAt terms.Instant, found []terms.Blocker) {
	if !recordedAt.Present() {
		return
	}
	before := t.Monday.Time().AddDate(0, 0, 7).Sub(recordedAt.Time())
	week := Weeks - 1 - int((before-1)/(7*24*time.Hour))
	if before <= 0 || week < 0 {
		return
	}
	t.Decided[week]++
	if t.found[week] == nil {
		t.found[week] = map[terms.Blocker]int{}
	}
	for _, code := range found {
		t.found[week][code]++
	}
}

// Of is in how many decisions of each week the rules found the blocker, oldest week first.
func (t *WeeklyCounts) Of(code terms.Blocker) (weeks [Weeks]int) {
	for i := range weeks {
		weeks[i] = t.found[i][code]
	}
	return weeks
}
