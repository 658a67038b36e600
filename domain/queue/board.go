package queue

import (
	"cmp"
	"time"

	"docket/domain/json"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A Board counts an area's filtered cases: the workable ones, and by blocker those that it holds.
type Board struct {
	Area                      terms.Area
	At                        terms.Instant
	Open, Blocked, Unreadable int
	Lines                     []BoardLine // one for each blocker of the area, in rule book order
}

// A BoardLine is a rule with the workable cases that it holds, each as old as its latest revision.
type BoardLine struct {
	rules.Rule
	Held, Alone int           // Alone: by no other blocker
	Oldest      terms.Instant // when the first of them came in; absent if none is held
	Due         terms.Instant // the deadline that comes first; absent if none of them has one
	New         int           // of them, those that came in this week
	Added       int           // of them, those on which people added it
	// Earlier counts those on an earlier revision of which a person added it, with no record since
	// that answers it; Held does not have them.
	Earlier int
	// Weeks counts the cases that it holds now by their week of arrival, the oldest week first,
	// also those that were decided, skipped or closed since.
	Weeks [Weeks]int
}

// Weeks is how many ISO 8601 weeks (Monday, UTC) a BoardLine covers, the present one included.
const Weeks = 12

// Growth is how many more of them came in in the later half of the weeks than in the earlier one.
func (l *BoardLine) Growth() (more int) {
	for week, count := range l.Weeks {
		if week < Weeks/2 {
			count = -count
		}
		more += count
	}
	return more
}

// weekOf is the week of a time, from 0; -1 if it is not among those that end with the week of now.
func weekOf(at, now terms.Instant) int {
	if !at.Present() || !now.Present() {
		return -1
	}
	day := now.Time().Truncate(24 * time.Hour) // UTC has no other days
	ends := day.AddDate(0, 0, 7-(int(day.Weekday())+6)%7)
	before := ends.Sub(at.Time())
	if week := Weeks - 1 - int((before-1)/(7*24*time.Hour)); before > 0 && week >= 0 {
		return week
	}
	return -1
}

// Board counts the rows that a filter lets through.
func (d *Queue) Board(f Filter, in *FilterContext) *Board {
	book := rules.Book(d.area)
	b := &Board{Area: d.area, At: in.Now, Lines: make([]BoardLine, len(book))}
	at := map[terms.Blocker]*BoardLine{}
	for i, rule := range book {
		b.Lines[i].Rule, at[rule.Code] = rule, &b.Lines[i]
	}
	for place := range d.rows {
		row := &d.rows[place]
		if !f.matches(row, in) {
			continue
		}
		workable, week := row.workable(), weekOf(row.ImportedAt, in.Now)
		b.Unreadable += one(row.Unreadable != "")
		b.Open += one(workable)
		b.Blocked += one(workable && row.Gate != terms.Pass)
		for _, code := range row.Blockers.Set.Terms() {
			if week >= 0 && !row.Reassigned {
				at[code].Weeks[week]++
			}
			if workable {
				at[code].hold(row, week == Weeks-1)
			}
		}
		if workable {
			for _, code := range row.earlier.Terms() {
				at[code].Earlier++
			}
		}
	}
	return b
}

func (l *BoardLine) hold(row *heldRow, isNew bool) {
	l.Held++
	l.Alone += one(row.Blockers.Set.Len() == 1)
	l.New += one(isNew)
	l.Added += one(row.Added.Set.Has(l.Code))
	if row.ImportedAt.Before(l.Oldest) {
		l.Oldest = row.ImportedAt
	}
	if row.due.Before(l.Due) {
		l.Due = row.due
	}
}

// A BoardColumn is a column of the board on screen, in tables, JSON, spreadsheets and web pages.
type BoardColumn struct {
	Name   string // of the order by it
	Head   string
	Member string
	value  func(l *BoardLine) any   // as a member of JSON
	rank   func(l *BoardLine) int64 // in the order by it, the least first
}

// BoardColumns are the columns of the board, the first of which names the blocker.
var BoardColumns = []BoardColumn{
	{"blocker", "BLOCKER", "blocker", func(l *BoardLine) any { return l.Code.String() },
		func(*BoardLine) int64 { return 0 }},
	countColumn("held", "HELD", "held", func(l *BoardLine) int { return l.Held }),
	countColumn("alone", "ALONE", "heldAlone", func(l *BoardLine) int { return l.Alone }),
	timeColumn("oldest", "OLDEST", "oldestWaiting", func(l *BoardLine) terms.Instant { return l.Oldest }),
	timeColumn("due", "FIRST DUE", "firstDue", func(l *BoardLine) terms.Instant { return l.Due }),
	countColumn("new", "NEW", "newThisWeek", func(l *BoardLine) int { return l.New }),
	countColumn("added", "ADDED", "addedByPeople", func(l *BoardLine) int { return l.Added }),
	countColumn("earlier", "EARLIER", "addedEarlier", func(l *BoardLine) int { return l.Earlier }),
	{"weeks", "12 WEEKS", "weeks", func(l *BoardLine) any {
		var weeks []any
		for _, count := range l.Weeks {
			weeks = append(weeks, count)
		}
		return weeks
	}, func(l *BoardLine) int64 { return -int64(l.Growth()) }},
}

func countColumn(name, head, member string, of func(*BoardLine) int) BoardColumn {
	return BoardColumn{name, head, member, func(l *BoardLine) any { return of(l) },
		func(l *BoardLine) int64 { return -int64(of(l)) }}
}

func timeColumn(name, head, member string, of func(*BoardLine) terms.Instant) BoardColumn {
	return BoardColumn{name, head, member, func(l *BoardLine) any {
		if at := of(l); at.Present() {
			return at.String()
		}
		return nil
	}, func(l *BoardLine) int64 { return urgency(of(l)) }}
}

// ByHeld is the order of a board at first, in BoardColumns: what holds most comes first.
const ByHeld = 1

// Sort sorts the lines by a column: most, earliest or fastest growing first, then what holds most.
func (b *Board) Sort(column int) *Board {
	json.Sort(b.Lines, func(x, y BoardLine) int {
		if column == 0 { // they come in the order of the rules
			return 0
		}
		by, held := BoardColumns[column].rank, BoardColumns[ByHeld].rank
		return cmp.Or(cmp.Compare(by(&x), by(&y)), cmp.Compare(held(&x), held(&y)))
	})
	return b
}
