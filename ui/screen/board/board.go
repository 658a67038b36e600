// Package board is the screen of the blockers: how many open cases each blocker holds, or how many are blocked by trigger, transition or reviewer.
package board

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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

// boardScreen shows how many open cases each blocker holds, or how many are blocked by trigger, transition or reviewer.
type boardScreen struct {
	screen.Silent
	area     terms.Area
	queue    func(terms.Area) (*queue.Queue, bool)
	byRule   bool // in the order of the rules, else the most frequent first
	grouping int  // index into groupings
	list     widget.List
	trends   map[terms.Area]trend
	counted  *holds // the last count, while the rows and the way of counting are the same
}

// Queues are the queues that the board counts.
type Queues interface {
	// Shows is the area that shows.
	Shows() terms.Area
	// QueueOf returns the queue of an area; false while it has not been read as a whole.
	QueueOf(area terms.Area) (*queue.Queue, bool)
}

// Open shows the board of the current area.
func Open(of Queues) screen.Effect {
	b := &boardScreen{area: of.Shows(), queue: of.QueueOf, trends: map[terms.Area]trend{}}
	return screen.Several{screen.Show{Screen: b}, screen.Then(b.readTrend)}
}

// A trend is the trend of an area, or why there is none.
type trend struct {
	weeks queue.WeeklyCounts
	err   error
}

func (b *boardScreen) readTrend(h screen.Host) tea.Cmd {
	area := b.area
	return h.Ask("reading the trend", func(ctx context.Context, workbench screen.Workbench) screen.Effect {
		weeks, err := workbench.WeeklyCounts(ctx, area)
		return screen.Unasked(func(screen.Host) tea.Cmd {
			b.trends[area] = trend{weeks, err}
			return nil
		})
	})
}

func (b *boardScreen) Place() action.Place { return action.InBoard }

func (b *boardScreen) Obstacle(v action.Verb, _ *screen.Scene) string {
	if counted, read := b.count(); v == action.Accept && (!read || len(counted.list) == 0) {
		return "the list is empty"
	}
	return ""
}

func (b *boardScreen) Handle(v action.Verb, _ *screen.Scene) screen.Effect {
	counted, _ := b.count()
	if b.list.Move(v, len(counted.list)) {
		return nil
	}
	switch v {
	case action.Accept:
		return screen.FilterQueue{Area: b.area, Text: counted.list[b.list.Cursor].filter}
	case action.GoBack:
		return screen.Leave{}
	case action.NextDocket:
		b.area, b.list = terms.Appeals+terms.Amendments-b.area, widget.List{}
		return screen.Then(b.readTrend)
	case action.Regroup:
		b.grouping, b.list = (b.grouping+1)%len(groupings), widget.List{}
		return screen.Say{Text: fmt.Sprintf("by %s", b.by().name(b.area))}
	case action.ChangeOrder:
		b.byRule = !b.byRule
		if b.byRule {
			return screen.Say{Text: "in the order of the contract"}
		}
		return screen.Say{Text: "the most frequent first"}
	case action.Reread:
		return screen.Several{screen.ReadQueue{Area: b.area}, screen.Then(b.readTrend),
			screen.Say{Text: "reading the queue again …", Waiting: true}}
	}
	return nil
}

// by says how the cases are grouped.
func (b *boardScreen) by() *grouping { return &groupings[b.grouping] }

func (b *boardScreen) Title(s *screen.Scene) line.Line {
	counted, read := b.count()
	left := line.Of(theme.Accent, "blockers ").And(theme.Dim, fmt.Sprintf("of %s", b.area))
	if b.grouping != 0 {
		left = left.And(theme.Dim, ", by ").And(theme.Plain, b.by().name(b.area))
	}
	if s.Compact {
		return left
	}
	if !read {
		return line.Spread(left, line.Of(theme.Dim, "counting …"), s.Width)
	}
	right := line.Of(theme.Dim, wording.Plural(counted.open, "open case", "open cases")+", ").
		And(theme.Plain, wording.Thousands(counted.blocked)).And(theme.Dim, " blocked")
	if counted.unreadable > 0 {
		right = right.And(theme.Warn, fmt.Sprintf(" and %s that cannot be read", wording.Thousands(counted.unreadable)))
	}
	return line.Spread(left, right, s.Width)
}

// Topics of the board are the blocker under the cursor, or the trigger or transition that cases are counted by.
func (b *boardScreen) Topics(*screen.Scene) []topic.Topic {
	counted, _ := b.count()
	if len(counted.list) == 0 {
		return nil
	}
	here := &counted.list[widget.Clamp(b.list.Cursor, len(counted.list))]
	if here.rule != nil {
		return topic.OfCodes(b.area, []terms.Blocker{here.rule.Code}, nil)
	}
	return topic.OfRow(&queue.Row{Trigger: terms.AnyTerm(here.value)})
}

// The widths of the board's columns.
const (
	boardCount  = 7
	boardBar    = 24
	boardTime   = 15
	boardDetail = 7 // lines below the list, at least
	// trendFrom is the width from which each line has its trend; below it, only the line under the cursor has one, in words.
	trendFrom = 100
)

func (b *boardScreen) View(s *screen.Scene) line.Sheet {
	counted, read := b.count()
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
	height := s.Height - len(sheet) - len(below)
	top, end := b.list.Window(len(counted.list), height)
	for i := top; i < end; i++ {
		sheet = append(sheet, widget.CursorLine(b.holdLine(&counted.list[i], labels, counted.open, s), i == b.list.Cursor, s.Width))
	}
	return append(sheet, below...)
}

// barRoom is the width of the bars beside labels of a width. Only appeals have a deadline beside them.
func (b *boardScreen) barRoom(labels int, s *screen.Scene) int {
	rest := s.Width - 2 - labels - boardCount - 4
	if b.area == terms.Appeals {
		rest -= boardTime
	}
	if s.Width >= trendFrom {
		rest -= queue.Weeks + 2
	}
	return min(boardBar, max(rest, 4))
}

func (b *boardScreen) heads(labels int, s *screen.Scene) line.Line {
	out := line.Of(theme.Dim, "  "+strings.ToUpper(b.by().name(b.area))).Pad(labels+2).
		Plus(line.Of(theme.Dim, "CASES").Right(boardCount)).And(theme.Plain, widget.Spaces(b.barRoom(labels, s)+4))
	if b.area == terms.Appeals {
		out = out.Plus(line.Of(theme.Dim, "FIRST DUE").Pad(boardTime))
	}
	if s.Width >= trendFrom && b.by().of == nil {
		out = out.And(theme.Dim, wording.Plural(queue.Weeks, "WEEK", "WEEKS"))
	}
	return out.Fit(s.Width)
}

// holdLine is one line with its count, its bar, the first deadline and, where there is room, its trend.
func (b *boardScreen) holdLine(h *hold, labels, open int, s *screen.Scene) line.Line {
	role, count := theme.Dim, theme.Dim
	if h.count > 0 {
		role, count = theme.Plain, theme.Strong
	}
	out := line.Of(role, h.label).Pad(labels).Plus(line.Of(count, wording.Thousands(h.count)).Right(boardCount))
	if s.Compact {
		return out
	}
	out = out.And(theme.Plain, "  ").Plus(widget.Bar(h.count, open, b.barRoom(labels, s), theme.Bad, s.ASCII)).And(theme.Plain, "  ")
	if b.area == terms.Appeals {
		due := line.Line(nil)
		switch {
		case h.oldest.Present():
			due = widget.TimeLeft(h.oldest, s.Now)
		case h.since.Present():
			due = line.Of(theme.Dim, "longest "+wording.Span(s.Now.Sub(h.since), 0))
		}
		out = out.Plus(due.Pad(boardTime))
	}
	if read, there := b.trends[b.area]; there && read.err == nil && h.rule != nil && s.Width >= trendFrom {
		weeks := read.weeks.Of(h.rule.Code)
		out = out.Plus(widget.Sparkline(weeks[:], theme.Bad, s.ASCII))
	}
	return out
}

// detail is the meaning of the line under the cursor, its cure and its trend.
func (b *boardScreen) detail(h *hold, s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	if !s.Compact {
		sheet = line.Sheet{line.Rule(s.Width)}
	}
	if h.rule == nil {
		return append(sheet, b.oftenest(h, s)...)
	}
	sheet = append(sheet, line.Of(theme.Plain, h.rule.Meaning).Wrap(s.Width, 0)...)
	sheet = append(sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, h.rule.Cure).Wrap(s.Width, 2)...)
	sheet = append(sheet, b.trendWords(h.rule.Code, s)...)
	if s.Compact {
		return sheet
	}
	return sheet.To(max(len(sheet), boardDetail)) // so that the list does not jump from line to line
}

// trendWords shows the trend and says what it counts.
func (b *boardScreen) trendWords(code terms.Blocker, s *screen.Scene) line.Sheet {
	read, there := b.trends[b.area]
	switch {
	case s.Compact:
		return nil
	case !there:
		return line.Sheet{line.Of(theme.Dim, "Counting the decisions of the last weeks …")}
	case read.err != nil:
		return line.Of(theme.Warn, "? The decisions of the last weeks cannot be counted: ").And(theme.Plain, read.err.Error()).
			Wrap(s.Width, 2)
	}
	weeks, found, decided := read.weeks.Of(code), 0, 0
	for i := range weeks {
		found, decided = found+weeks[i], decided+read.weeks.Decided[i]
	}
	return widget.Sparkline(weeks[:], theme.Bad, s.ASCII).And(theme.Dim, fmt.Sprintf("  found in %s of %s recorded in the last %s weeks, week by week",
		wording.Thousands(found), wording.Plural(decided, "decision", "decisions"), wording.Thousands(queue.Weeks))).Wrap(s.Width, 2)
}

// oftenest names the blockers that hold most of a group, with their cures.
func (b *boardScreen) oftenest(h *hold, s *screen.Scene) line.Sheet {
	codes := make([]terms.Blocker, 0, len(h.codes))
	for code := range h.codes {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(x, y terms.Blocker) int { return cmp.Or(h.codes[y]-h.codes[x], cmp.Compare(x, y)) })
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
