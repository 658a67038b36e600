package ui

import (
	"slices"
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// boardScreen shows which blocker holds how many open cases.
type boardScreen struct {
	silent
	area   domain.Area
	queue  func(domain.Area) (*domain.Docket, bool)
	byRule bool // in the order of the rules, else the most frequent first
	list   list
}

func newBoardScreen(area domain.Area, queue func(domain.Area) (*domain.Docket, bool)) *boardScreen {
	return &boardScreen{area: area, queue: queue}
}

// A tallied rule is a rule with the open cases that it holds.
type talliedRule struct {
	domain.Rule
	count  int
	oldest domain.Instant // the deadline that comes first
}

// tallied counts the open cases of each rule, and all of them; those that cannot be read are held by no rule.
func (b *boardScreen) tallied() (list []talliedRule, open, unreadable int) {
	book := domain.RuleBook(b.area)
	list = make([]talliedRule, len(book))
	for i, rule := range book {
		list[i].Rule = rule
	}
	queue, _ := b.queue(b.area)
	for _, row := range queue.All() {
		if row.Unreadable != "" {
			unreadable++
		}
		if !isOpen(&row) {
			continue
		}
		open++
		for j := range list {
			if row.Blockers.Set.Has(list[j].Code) {
				list[j].count++
				if row.Deadline.Before(list[j].oldest) {
					list[j].oldest = row.Deadline
				}
			}
		}
	}
	if !b.byRule {
		slices.SortStableFunc(list, func(x, y talliedRule) int { return y.count - x.count })
	}
	return list, open, unreadable
}

func (b *boardScreen) place() place { return inBoard }

func (b *boardScreen) handle(v verb, _ *scene) effect {
	if b.list.move(v, len(domain.RuleBook(b.area))) {
		return nil
	}
	switch v {
	case accept:
		list, _, _ := b.tallied()
		return filterQueue{b.area, "blocker:" + list[b.list.cursor].Code.String()}
	case goBack:
		return leave{}
	case nextDocket:
		b.area, b.list = domain.Appeals+domain.Amendments-b.area, list{}
	case changeOrder:
		b.byRule = !b.byRule
		if b.byRule {
			return say{text: "in the order of the rules"}
		}
		return say{text: "the most frequent first"}
	case reread:
		return several{readQueue{b.area}, say{text: "reading the queue again …", waiting: true}}
	}
	return nil
}

func (b *boardScreen) title(s *scene) line.Line {
	_, open, unreadable := b.tallied()
	left := line.Of(theme.Accent, "blockers ").And(theme.Dim, "of "+b.area.String())
	if s.compact {
		return left
	}
	right := line.Of(theme.Dim, plural(open, "open case", "open cases"))
	if unreadable > 0 {
		right = right.And(theme.Warn, " and "+thousands(unreadable)+" that cannot be read")
	}
	return line.Spread(left, right, s.width)
}

// The widths of the board's columns.
const (
	boardCount = 6
	boardBar   = 24
)

func (b *boardScreen) view(s *scene) line.Sheet {
	if _, read := b.queue(b.area); !read {
		return line.Sheet{nil, line.Of(theme.Dim, "  Reading the queue …")}
	}
	list, open, _ := b.tallied()
	b.list.cursor = clamp(b.list.cursor, len(list))
	here := list[b.list.cursor]
	below := line.Sheet(line.Of(theme.Plain, here.Meaning).Wrap(s.width, 0))
	below = append(below, line.Of(theme.Pass, "→ ").And(theme.Dim, here.Cure).Wrap(s.width, 2)...)
	if !s.compact {
		below = append(line.Sheet{line.Rule(s.width)}, below...)
	}
	if s.height < len(below)+4 {
		below = nil
	}
	room := min(s.height-len(below), len(list))
	top, end := b.list.window(len(list), room)
	codes := 0
	for _, rule := range list {
		codes = max(codes, len(rule.Code.String()))
	}
	var sheet line.Sheet
	for i := top; i < end; i++ {
		sheet = append(sheet, cursorLine(b.ruleLine(&list[i], codes, open, s), i == b.list.cursor, s.width))
	}
	return append(sheet, below...)
}

// ruleLine is one rule with its count, its bar and the first deadline.
func (b *boardScreen) ruleLine(rule *talliedRule, codes, open int, s *scene) line.Line {
	role, count := theme.Dim, theme.Dim
	if rule.count > 0 {
		role, count = theme.Plain, theme.Strong
	}
	width := min(codes, max(s.width-2-boardCount, 8))
	out := line.Of(role, rule.Code.String()).Pad(width).Plus(line.Of(count, thousands(rule.count)).Right(boardCount))
	if s.compact {
		return out
	}
	room := min(boardBar, max(s.width-out.Width()-22, 4))
	filled := 0
	if open > 0 && rule.count > 0 {
		filled = max(rule.count*room/open, 1)
	}
	out = out.And(theme.Bad, "  "+strings.Repeat("█", filled)).
		And(theme.Faint, strings.Repeat("·", room-filled)).And(theme.Plain, "  ")
	if rule.oldest.Present() {
		return out.Plus(timeLeft(rule.oldest, s.now))
	}
	return out
}
