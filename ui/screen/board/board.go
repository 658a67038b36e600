// Package board is the screen of the blockers: how many open cases each blocker holds, or how many
// are blocked by trigger, transition or reviewer.
package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

type boardScreen struct {
	screen.Silent
	area     terms.Area
	queue    func(terms.Area) (*queue.Queue, bool)
	sort     int // index into queue.BoardColumns
	grouping int // index into groupings
	list     widget.List
	filter   queue.Filter
	counted  *holds // the last count of the same rows in the same way
}

// Open shows the board of an area; of is false for a queue that has not been read as a whole.
func Open(s *screen.Scene, area terms.Area, of func(terms.Area) (*queue.Queue, bool)) screen.Cmd {
	return s.Show(&boardScreen{area: area, queue: of, sort: queue.ByHeld})
}

func (b *boardScreen) narrow(_ *screen.Scene, _ string, filter queue.Filter) screen.Cmd {
	b.filter, b.counted, b.list = filter, nil, widget.List{}
	return nil
}

func (b *boardScreen) context(s *screen.Scene) *queue.FilterContext {
	return &queue.FilterContext{Reviewer: s.Reviewer.ID, Now: s.Now, Left: s.Left}
}

func (b *boardScreen) boards(s *screen.Scene) queue.Boards {
	out := queue.Boards{Filter: b.filter.String()}
	for _, area := range terms.Areas.All() {
		if docket, read := b.queue(area); read {
			out.List = append(out.List, docket.Board(b.filter, b.context(s)).Sort(b.sort))
		}
	}
	return out
}

func (b *boardScreen) Place() action.Place { return action.InBoard }

func (b *boardScreen) Obstacle(v action.Verb, s *screen.Scene) string {
	counted, read := b.count(s)
	switch {
	case v == action.Accept && (!read || len(counted.list) == 0):
		return "the list is empty"
	case v == action.WriteStatement && !read:
		return "the queue is still being read"
	}
	return ""
}

func (b *boardScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	counted, _ := b.count(s)
	if b.list.Move(v, len(counted.list)) {
		return nil
	}
	switch v {
	case action.Accept:
		text := strings.TrimSpace(counted.list[b.list.Cursor].filter + " " + b.filter.String())
		s.FilterQueue(b.area, text, queue.ByArrival)
		return s.Say("the oldest first")
	case action.GoBack:
		if b.filter.String() != "" {
			return b.narrow(s, "", queue.Filter{})
		}
		return s.Leave()
	case action.NextDocket:
		b.area, b.list = terms.Appeals+terms.Amendments-b.area, widget.List{}
	case action.EditFilter:
		return widget.Ask(s, widget.Prompt{Title: "Filter the board", Text: "Which cases count? For example assigned:rev-1 or came:<7d.",
			Missing: "type a filter; Esc on the board drops it", Editor: widget.NewEditor("/ ", "a filter, as in the queue", b.filter.String())},
			queue.ParseFilter, b.narrow)
	case action.WriteStatement:
		boards := b.boards(s)
		return widget.Ask(s, widget.Prompt{Title: "Write the board to a file",
			Text:    "To which file? The ending sets the format: .csv, .json, or .html for a web page. Only you can read the file.",
			Missing: "a file is needed", Editor: widget.NewEditor("❯ ", "~/board.html", "~/docket-board.html")},
			boards.File, func(s *screen.Scene, path, text string) screen.Cmd { return widget.WriteFile(s, path, text, "", false) })
	case action.Regroup:
		b.grouping, b.list = (b.grouping+1)%len(groupings), widget.List{}
		return s.Say(fmt.Sprintf("by %s", b.by().name(b.area)))
	case action.ChangeOrder:
		b.sort = (b.sort + 1) % len(queue.BoardColumns)
		if b.sort == 0 {
			return s.Say("in the order of the contract")
		}
		return s.Say(fmt.Sprintf("sorted by %s", queue.BoardColumns[b.sort].Name))
	case action.Reread:
		s.Await("reading the queue again …")
		return s.Queue.Read(s, b.area)
	}
	return nil
}

func (b *boardScreen) by() *grouping { return &groupings[b.grouping] }

func (b *boardScreen) Title(s *screen.Scene) line.Line {
	counted, read := b.count(s)
	left := line.Of(theme.Accent, "blockers ").And(theme.Dim, fmt.Sprintf("of %s", b.area))
	if b.grouping != 0 {
		left = left.And(theme.Dim, ", by ").And(theme.Plain, b.by().name(b.area))
	}
	if b.filter.String() != "" {
		left = left.And(theme.Dim, " · ").And(theme.Input, "/ "+b.filter.String())
	}
	if s.Compact {
		return left
	}
	if !read {
		return line.Spread(left, line.Of(theme.Dim, "counting …"), s.Width)
	}
	right := line.Of(theme.Dim, wording.Plural(counted.Open, "open case", "open cases")+", ").
		And(theme.Plain, wording.Thousands(counted.Blocked)).And(theme.Dim, " blocked")
	if counted.Unreadable > 0 {
		right = right.And(theme.Warn, fmt.Sprintf(" and %s that cannot be read", wording.Thousands(counted.Unreadable)))
	}
	return line.Spread(left, right, s.Width)
}

func (b *boardScreen) Topics(s *screen.Scene) []topic.Topic {
	counted, _ := b.count(s)
	if len(counted.list) == 0 {
		return nil
	}
	here := &counted.list[widget.Clamp(b.list.Cursor, len(counted.list))]
	if here.line != nil {
		return topic.OfCodes(b.area, []terms.Blocker{here.line.Code}, nil)
	}
	return topic.OfRow(&queue.Row{Trigger: terms.AnyTerm(here.value)})
}

const (
	boardCount  = 7
	boardBar    = 24
	leastBar    = 8 // before another column shows
	boardDetail = 8 // lines below the list, at least
)

// boardWidths are in the order in which the columns show.
var boardWidths = []struct {
	name  string
	width int
}{{"due", 15}, {"new", 6}, {"alone", 7}, {"oldest", 9}, {"added", 7}}

func (b *boardScreen) View(s *screen.Scene) line.Sheet {
	counted, read := b.count(s)
	switch {
	case !read:
		return line.Sheet{nil, line.Of(theme.Dim, "  Counting: the queue is still being read …")}
	case len(counted.list) == 0:
		return line.Sheet{nil, line.Of(theme.Pass, "  ✓ ").And(theme.Dim, wording.NotBlocked)}
	}
	b.list.Cursor = widget.Clamp(b.list.Cursor, len(counted.list))
	below := b.detail(&counted.list[b.list.Cursor], s)
	labels := 0
	for i := range counted.list {
		labels = max(labels, line.Width(counted.list[i].label))
	}
	labels = min(labels, max(s.Width-2-boardCount, 8))
	var sheet line.Sheet
	if !s.Compact {
		sheet = append(sheet, b.heads(labels, s))
	}
	if s.Height < len(sheet)+len(below)+4 {
		below = nil
	}
	sheet = append(sheet, b.list.Rows(len(counted.list), s.Height-len(sheet)-len(below), s.Width, func(i int) line.Line {
		return b.holdLine(&counted.list[i], labels, counted.largest, s)
	})...)
	return append(sheet, below...)
}

// columns are those that show: only appeals have a deadline, only blockers the others, and a column
// whose cells are all the same does not show.
func (b *boardScreen) columns(labels int, s *screen.Scene) (widths map[string]int, bar int) {
	counted, _ := b.count(s)
	rest, least := s.Width-2-labels-boardCount-4, 4
	widths = map[string]int{}
	for _, c := range boardWidths {
		due := c.name == "due"
		if due && b.area != terms.Appeals || !due && b.by().of != nil {
			continue
		}
		first := counted.list[0].cell(c.name, s).String()
		if !slices.ContainsFunc(counted.list, func(h hold) bool { return h.cell(c.name, s).String() != first }) {
			continue // all the same
		}
		if rest-c.width < least {
			break
		}
		widths[c.name], least = c.width, leastBar
		rest -= c.width
	}
	return widths, min(boardBar, max(rest, 4))
}

func (b *boardScreen) heads(labels int, s *screen.Scene) line.Line {
	widths, bar := b.columns(labels, s)
	head := func(i int, text string) line.Line {
		if i == b.sort && b.by().of == nil {
			return line.Of(theme.Accent, text)
		}
		return line.Of(theme.Dim, text)
	}
	out := line.Of(theme.Plain, "  ").Plus(head(0, strings.ToUpper(b.by().name(b.area)))).Pad(labels+2).
		Plus(head(queue.ByHeld, queue.BoardColumns[queue.ByHeld].Head).Right(boardCount)).And(theme.Plain, widget.Spaces(bar+4))
	for i := range queue.BoardColumns {
		if c := &queue.BoardColumns[i]; widths[c.Name] > 0 {
			out = out.Plus(head(i, c.Head).Pad(widths[c.Name]))
		}
	}
	return out.Fit(s.Width)
}

func (b *boardScreen) holdLine(h *hold, labels, largest int, s *screen.Scene) line.Line {
	role, count := theme.Dim, theme.Dim
	if h.count > 0 {
		role, count = theme.Plain, theme.Strong
	}
	out := line.Of(role, h.label).Pad(labels).Plus(line.Of(count, wording.Thousands(h.count)).Right(boardCount))
	if s.Compact {
		return out
	}
	widths, bar := b.columns(labels, s)
	out = out.And(theme.Plain, "  ").Plus(widget.Bar(h.count, largest, bar, theme.Bad, s.ASCII)).And(theme.Plain, "  ")
	for i := range queue.BoardColumns {
		if name := queue.BoardColumns[i].Name; widths[name] > 0 {
			out = out.Plus(h.cell(name, s).Pad(widths[name]))
		}
	}
	return out
}

func (h *hold) cell(name string, s *screen.Scene) line.Line {
	number := func(count int) line.Line {
		if count == 0 {
			return line.Of(theme.Faint, "·")
		}
		return line.Of(theme.Plain, wording.Thousands(count))
	}
	switch {
	case name == "due" && h.oldest.Present():
		return widget.TimeLeft(h.oldest, s.Now)
	case name == "due" && h.since.Present():
		return line.Of(theme.Dim, "longest "+wording.Span(s.Now.Sub(h.since), 0))
	case h.line == nil:
		return nil
	case name == "alone":
		return number(h.line.Alone)
	case name == "oldest" && h.line.Oldest.Present():
		return line.Of(theme.Plain, wording.Span(s.Now.Sub(h.line.Oldest), 0))
	case name == "new":
		return number(h.line.New)
	case name == "added":
		return number(h.line.Added)
	}
	return nil
}

func (b *boardScreen) detail(h *hold, s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	if !s.Compact {
		sheet = line.Sheet{line.Rule(s.Width)}
	}
	if h.line == nil {
		return append(sheet, b.oftenest(h, s)...)
	}
	sheet = append(sheet, line.Of(theme.Plain, h.line.Meaning).Wrap(s.Width, 0)...)
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, h.line.Cure).Wrap(s.Width, 2)...)
	if s.Compact {
		return sheet
	}
	sheet = append(sheet, line.Of(theme.Dim, wording.BoardLine(h.line, s.Now)).Wrap(s.Width, 2)...)
	return sheet.To(max(len(sheet), boardDetail)) // so that the list does not jump from line to line
}

func (b *boardScreen) oftenest(h *hold, s *screen.Scene) line.Sheet {
	codes := make([]terms.Blocker, 0, len(h.codes))
	for code := range h.codes {
		codes = append(codes, code)
	}
	json.Sort(codes, func(x, y terms.Blocker) int { return cmp.Or(h.codes[y]-h.codes[x], cmp.Compare(x, y)) })
	var sheet line.Sheet
	for _, code := range codes[:min(len(codes), mostNamed)] {
		rule, _ := rules.RuleFor(b.area, code)
		text := line.Of(theme.Bad, "✗ "+code.String()).And(theme.Plain, fmt.Sprintf(" in %s", wording.Thousands(h.codes[code]))).
			And(theme.Dim, "  → "+rule.Cure)
		sheet = append(sheet, text.Fit(s.Width))
	}
	if more := len(codes) - mostNamed; more > 0 {
		sheet = append(sheet, line.Of(theme.Dim, fmt.Sprintf("  and %s", wording.Plural(more, "other blocker", "other blockers"))))
	}
	return sheet
}
