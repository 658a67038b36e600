// Package board is the screen of what holds the open cases: how many each blocker holds, or how many are held of each trigger,
// transition or reviewer.
package board

import (
	"context"
	"docket/domain"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen shows what holds the open cases: how many each blocker holds, or how many are held of each trigger,
// transition or reviewer.
type Screen struct {
	screen.Silent
	area     domain.Area
	queue    func(domain.Area) (*domain.Docket, bool)
	byRule   bool // in the order of the rules, else the most frequent first
	grouping int  // index into groupings
	list     widget.List
	trends   map[domain.Area]trend
	counted  *holds // the last count, while the rows and the way of counting are the same
}

// Open shows the board of an area. queue returns the queue of an area; false while it has not been read as a whole.
func Open(area domain.Area, queue func(domain.Area) (*domain.Docket, bool)) screen.Effect {
	b := &Screen{area: area, queue: queue, trends: map[domain.Area]trend{}}
	return screen.Several{screen.Show{Screen: b}, readTrend{b, area}}
}

type (
	// A trend is that of an area, or why there is none.
	trend struct {
		weeks domain.Trend
		err   error
	}
	// readTrend asks for the trend of an area, trendRead is the answer.
	readTrend struct {
		board *Screen
		area  domain.Area
	}
	trendRead struct {
		board *Screen
		area  domain.Area
		trend trend
	}
)

func (e readTrend) CarryOut(h screen.Host) tea.Cmd {
	return h.Ask("reading the trend", func(ctx context.Context, desk screen.Desk) screen.Effect {
		weeks, err := desk.Trend(ctx, e.area)
		return trendRead{e.board, e.area, trend{weeks, err}}
	})
}

func (trendRead) Unasked() {}

func (e trendRead) CarryOut(screen.Host) tea.Cmd {
	e.board.trends[e.area] = e.trend
	return nil
}

func (b *Screen) Place() action.Place { return action.InBoard }

func (b *Screen) Obstacle(v action.Verb, _ *screen.Scene) string {
	if counted, read := b.count(); v == action.Accept && (!read || len(counted.list) == 0) {
		return "there is nothing here to show the cases of"
	}
	return ""
}

func (b *Screen) Handle(v action.Verb, _ *screen.Scene) screen.Effect {
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
		b.area, b.list = domain.Appeals+domain.Amendments-b.area, widget.List{}
		return readTrend{b, b.area}
	case action.Regroup:
		b.grouping, b.list = (b.grouping+1)%len(groupings), widget.List{}
		return screen.Say{Text: "by " + b.by().name(b.area)}
	case action.ChangeOrder:
		b.byRule = !b.byRule
		if b.byRule {
			return screen.Say{Text: "in the order of the contract"}
		}
		return screen.Say{Text: "the most frequent first"}
	case action.Reread:
		return screen.Several{screen.ReadQueue{Area: b.area}, readTrend{b, b.area}, screen.Say{Text: "reading the queue again …", Waiting: true}}
	}
	return nil
}

// by is how the cases are grouped.
func (b *Screen) by() *grouping { return &groupings[b.grouping] }

func (b *Screen) Title(s *screen.Scene) line.Line {
	counted, read := b.count()
	left := line.Of(theme.Accent, "blockers ").And(theme.Dim, "of "+b.area.String())
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
		right = right.And(theme.Warn, " and "+wording.Thousands(counted.unreadable)+" that cannot be read")
	}
	return line.Spread(left, right, s.Width)
}

// Topics of the board are the blocker under the cursor, or the trigger or transition that cases are counted by.
func (b *Screen) Topics(*screen.Scene) []topic.Topic {
	counted, _ := b.count()
	if len(counted.list) == 0 {
		return nil
	}
	here := &counted.list[widget.Clamp(b.list.Cursor, len(counted.list))]
	if here.rule != nil {
		return topic.OfCodes(b.area, []domain.Blocker{here.rule.Code}, nil)
	}
	return topic.OfRow(&domain.QueueRow{Trigger: domain.AnyWord(here.value)})
}
