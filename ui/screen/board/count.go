package board

import (
	"cmp"
	"fmt"
	"strings"

	"docket/domain/json"
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/screen"
	"docket/ui/wording"
)

// A hold is one line of the board: a common property of cases, and their number.
type hold struct {
	label  string
	value  string           // the common property, as a word or an id; "" if absent
	filter string           // of the queue: selects exactly the cases that count here
	line   *queue.BoardLine // nil unless it is a blocker
	count  int
	oldest terms.Instant         // the deadline that comes first
	since  terms.Instant         // since when the first of them waits after its decision
	codes  map[terms.Blocker]int // how many of them each blocker holds; nil for a blocker
}

// holds are the counts of the board; packets that cannot be read are counted apart.
type holds struct {
	*queue.Board
	list    []hold
	largest int // count of a blocker or group
	of      countedBy
}

type countedBy struct {
	queue          *queue.Queue
	writes         uint64
	grouping, sort int
	filter         string
	minute         int64
}

// openOnly leaves decided, skipped and closed cases out of the queue, as the board does.
const openOnly = " is:open"

type grouping struct {
	appeals, amendments string // what it is called
	key                 string // of the filter; "": as it is called
	// of returns a row's value, for the filter and for display; nil for blockers: a row has several.
	of func(row *queue.Row) (value, label string)
}

func (g *grouping) name(area terms.Area) string {
	if area == terms.Amendments {
		return g.amendments
	}
	return g.appeals
}

var groupings = [...]grouping{
	{"blocker", "blocker", "", nil},
	{"trigger", "transition", "", func(row *queue.Row) (string, string) { return string(row.Trigger), row.Trigger.Label() }},
	{"assignee", "assignee", "assigned", func(row *queue.Row) (string, string) {
		return strings.ToLower(string(row.AssignedTo)), string(row.AssignedTo)
	}},
}

// count counts the board, unless nothing has changed; false while the queue has not been read.
func (b *boardScreen) count(s *screen.Scene) (*holds, bool) {
	rows, read := b.queue(b.area)
	how := countedBy{rows, rows.Writes(), b.grouping, b.sort, b.filter.String(), s.Now.Time().Unix() / 60}
	if b.counted != nil && b.counted.of == how {
		return b.counted, read
	}
	in := b.context(s)
	board := rows.Board(b.filter, in).Sort(b.sort)
	now := &holds{of: how, Board: board}
	for i := range board.Lines {
		if one := &board.Lines[i]; b.by().of == nil {
			now.list = append(now.list, hold{label: one.Code.String(), filter: "blocker:" + one.Code.String() + openOnly,
				line: one, count: one.Held, oldest: one.Due})
		}
	}
	if b.by().of != nil {
		now.list = byGroup(b.by(), rows, b.filter, in)
		if b.sort != 0 {
			json.Sort(now.list, func(x, y hold) int { return y.count - x.count })
		}
	}
	for i := range now.list {
		now.largest = max(now.largest, now.list[i].count)
	}
	for i := range board.Lines {
		if one := &board.Lines[i]; one.Earlier > 0 {
			now.list = append(now.list, hold{label: one.Code.String() + " (" + wording.AddedEarlier + ")",
				filter: "earlier:" + one.Code.String() + openOnly, count: one.Earlier})
		}
	}
	if tally := rows.Tally(""); tally.Waiting > 0 && b.filter.String() == "" {
		now.list = append(now.list, hold{label: "waiting", filter: "is:waiting", count: tally.Waiting, since: tally.Longest})
	}
	b.counted = now
	return now, read
}

func byGroup(by *grouping, rows *queue.Queue, filter queue.Filter, in *queue.FilterContext) []hold {
	at := map[string]*hold{}
	for _, place := range rows.Select(rows.Order(queue.ByID, ""), filter, in, nil) {
		row := rows.Row(int(place))
		if !row.Workable() || row.Gate == terms.Pass {
			continue
		}
		value, label := by.of(&row)
		group := at[value]
		if group == nil {
			name, word := by.name(rows.Area()), cmp.Or(value, queue.FilterNone)
			if value == "" {
				label = fmt.Sprintf("no %s", name)
			}
			group = &hold{label: label, value: value, filter: cmp.Or(by.key, name) + ":" + word + " gate:blocked" + openOnly,
				codes: map[terms.Blocker]int{}}
			at[value] = group
		}
		group.count++
		if due := row.Due(); due.Before(group.oldest) {
			group.oldest = due
		}
		for _, code := range row.Blockers.Set.Terms() {
			group.codes[code]++
		}
	}
	list := make([]hold, 0, len(at))
	for _, group := range at {
		list = append(list, *group)
	}
	json.Sort(list, func(x, y hold) int { return cmp.Compare(x.filter, y.filter) })
	return list
}

const mostNamed = 3
