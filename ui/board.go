package ui

import (
	"context"
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// boardScreen shows what holds the open cases: how many each blocker holds, or how many are held of each trigger,
// transition or reviewer.
type boardScreen struct {
	silent
	area     domain.Area
	queue    func(domain.Area) (*domain.Docket, bool)
	byRule   bool // in the order of the rules, else the most frequent first
	grouping int  // index into groupings
	list     list
	trends   map[domain.Area]trend
	counted  *holds // the last count, while the rows and the way of counting are the same
}

// openBoard shows the board of an area. queue returns the queue of an area; false while it has not been read as a whole.
func openBoard(area domain.Area, queue func(domain.Area) (*domain.Docket, bool)) effect {
	b := &boardScreen{area: area, queue: queue, trends: map[domain.Area]trend{}}
	return several{show{b}, readTrend{b, area}}
}

type (
	// A trend is that of an area, or why there is none.
	trend struct {
		weeks domain.Trend
		err   error
	}
	// readTrend asks for the trend of an area, trendRead is the answer.
	readTrend struct {
		board *boardScreen
		area  domain.Area
	}
	trendRead struct {
		board *boardScreen
		area  domain.Area
		trend trend
	}
)

func (e readTrend) carryOut(h Host) tea.Cmd {
	return h.Ask("reading the trend", func(ctx context.Context, desk Desk) effect {
		weeks, err := desk.Trend(ctx, e.area)
		return trendRead{e.board, e.area, trend{weeks, err}}
	})
}

func (trendRead) unasked() {}

func (e trendRead) carryOut(Host) tea.Cmd {
	e.board.trends[e.area] = e.trend
	return nil
}

func (b *boardScreen) place() place { return inBoard }

func (b *boardScreen) obstacle(v verb, _ *scene) string {
	if counted, read := b.count(); v == accept && (!read || len(counted.list) == 0) {
		return "there is nothing here to show the cases of"
	}
	return ""
}

func (b *boardScreen) handle(v verb, _ *scene) effect {
	counted, _ := b.count()
	if b.list.move(v, len(counted.list)) {
		return nil
	}
	switch v {
	case accept:
		return filterQueue{b.area, counted.list[b.list.cursor].filter}
	case goBack:
		return leave{}
	case nextDocket:
		b.area, b.list = domain.Appeals+domain.Amendments-b.area, list{}
		return readTrend{b, b.area}
	case regroup:
		b.grouping, b.list = (b.grouping+1)%len(groupings), list{}
		return say{text: "by " + b.by().name(b.area)}
	case changeOrder:
		b.byRule = !b.byRule
		if b.byRule {
			return say{text: "in the order of the contract"}
		}
		return say{text: "the most frequent first"}
	case reread:
		return several{readQueue{b.area}, readTrend{b, b.area}, say{text: "reading the queue again …", waiting: true}}
	}
	return nil
}

// by is how the cases are grouped.
func (b *boardScreen) by() *grouping { return &groupings[b.grouping] }

func (b *boardScreen) title(s *scene) line.Line {
	counted, read := b.count()
	left := line.Of(theme.Accent, "blockers ").And(theme.Dim, "of "+b.area.String())
	if b.grouping != 0 {
		left = left.And(theme.Dim, ", by ").And(theme.Plain, b.by().name(b.area))
	}
	if s.compact {
		return left
	}
	if !read {
		return line.Spread(left, line.Of(theme.Dim, "counting …"), s.width)
	}
	right := line.Of(theme.Dim, wording.Plural(counted.open, "open case", "open cases")+", ").
		And(theme.Plain, wording.Thousands(counted.blocked)).And(theme.Dim, " blocked")
	if counted.unreadable > 0 {
		right = right.And(theme.Warn, " and "+wording.Thousands(counted.unreadable)+" that cannot be read")
	}
	return line.Spread(left, right, s.width)
}

// topics of the board are the blocker under the cursor, or the trigger or transition that cases are counted by.
func (b *boardScreen) topics(*scene) []topic {
	counted, _ := b.count()
	if len(counted.list) == 0 {
		return nil
	}
	here := &counted.list[clamp(b.list.cursor, len(counted.list))]
	if here.rule != nil {
		return codeTopics(b.area, []domain.Blocker{here.rule.Code}, nil)
	}
	return queueTopics(&domain.QueueRow{Trigger: domain.AnyWord(here.value)})
}
