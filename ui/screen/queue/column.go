package queue

import (
	"strings"

	"docket/domain/queue"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A column of the queue shows when it fits at its least width in its turn, and then grows.
type column struct {
	head        string
	least, good int // its best width applies when every other column has a good one
	best        int
	turn        int // 1 comes first and leaves last
	holds       content
	cell        func(row *queue.Row, s *screen.Scene, width int) line.Line

	sorts queue.SortOrder // the order by it; absent: none
	width int             // as laid out
}

type content uint8

const (
	noWords content = iota
	ids
	codes // of vocabularies, or their labels
)

// The widths of an id: enough for usual ids, so that one long id takes no room from every row.
const (
	leastID       = 10
	mostID        = 26
	leastAssignee = 6
	leastBlockers = 13
	idsWhole      = 48 // from this width of the window on no id is cut: other columns give way
	moreWidth     = 4  // of the number of other blockers
)

func columnsOf(d *areaQueue, width int) []column {
	area, id, assignee := d.area, max(min(d.idWidth, mostID), leastID), max(min(d.Queue.AssigneeWidth(), mostID), leastAssignee)
	least := leastID
	if width+widget.CursorWidth >= idsWhole {
		least = id
	}
	goodAssignee := leastAssignee
	if width > listLeast {
		goodAssignee = assignee
	}
	sought := d.Filter.Blockers()
	blockers := max(d.Queue.BlockersWidth(), leastBlockers)
	for _, code := range (queue.Codes{Area: area, Set: sought}).List() { // they come first
		blockers = max(blockers, len(code.String())+moreWidth)
	}
	columns := []column{
		{"GATE", 1, 9, 9, 1, codes, gateCell, 0, 0},
		{"ID", least, id, id, idTurn, ids, idCell, queue.ByID, 0},
		{"REV", 3, 3, 3, 8, noWords, revisionCell, 0, 0},
		{"SUBJECT", 10, 12, widget.Widest(terms.Subjects.Texts()), 7, codes, subjectCell, 0, 0},
		{"TRIGGER", 12, 22, widget.Widest(terms.Triggers.Texts()), 6, codes, triggerCell, 0, 0},
		{"BLOCKERS", leastBlockers, blockers, widget.Widest(rules.AllBlockers(area).Texts()) + moreWidth,
			4, codes, blockerCell(sought), queue.ByBlockers, 0},
		{"TIME LEFT", 13, 13, 13, 3, noWords, timeCell, queue.ByDeadline, 0},
		{"FOR", leastAssignee, goodAssignee, assignee, assigneeTurn, ids, assignedCell, 0, 0},
	}
	if area == terms.Amendments {
		columns[3].best = widget.Widest(terms.SubjectTypes.Texts())
		columns[4].head, columns[4].good, columns[4].best = "TRANSITION", 26, widget.Widest(terms.Transitions.Texts())
		columns[6] = column{"STATE", 9, 12, 2 + widget.Widest(terms.AmendmentStates.Texts()), 3, codes, stateCell, 0, 0}
	}
	return columns
}

const (
	columnGap    = 2
	idTurn       = 2
	assigneeTurn = 5
	essential    = 4 // from this turn on, shown columns get a good width before another column shows
)

func layout(d *areaQueue, width int) []column {
	all := columnsOf(d, width)
	room := width + columnGap
	for turn := 1; turn <= len(all); turn++ {
		for i := range all {
			if all[i].turn == turn && !d.alike[all[i].head] && room >= all[i].least+columnGap {
				all[i].width = all[i].least
				room -= all[i].least + columnGap
			}
		}
		if turn >= essential {
			room = grow(all, room, func(c *column) int { return c.good })
		}
	}
	room = grow(all, room, func(c *column) int { return c.good })
	room = grow(all, room, func(c *column) int { // an id says nothing before it is whole
		if c.turn == assigneeTurn {
			return c.best
		}
		return c.width
	})
	grow(all, room, func(c *column) int { return c.best })
	var shown []column
	for _, c := range all {
		if c.width > 0 {
			shown = append(shown, c)
		}
	}
	return shown
}

func grow(columns []column, room int, to func(*column) int) int {
	for turn := 1; turn <= len(columns); turn++ {
		for i := range columns {
			if c := &columns[i]; c.turn == turn && c.width > 0 {
				more := max(min(to(c)-c.width, room), 0)
				c.width += more
				room -= more
			}
		}
	}
	return room
}

func heads(area terms.Area, columns []column, order queue.SortOrder, indent int) line.Line {
	by, reversed := queue.Reversal(order)
	if area == terms.Amendments && by == queue.ByDeadline {
		by = queue.ByID // they have no deadline
	}
	out := line.Of(theme.Dim, widget.Spaces(indent))
	for i, c := range columns {
		head := line.Of(theme.Dim, c.head)
		switch {
		case c.width < min(len(c.head), 5):
			head = nil
		case c.sorts == by && reversed:
			head = line.Of(theme.Accent, c.head+" ↓")
		case c.sorts == by:
			head = line.Of(theme.Accent, c.head+" ↑")
		}
		if i > 0 {
			out = out.And(theme.Plain, "  ")
		}
		out = out.Plus(head.Pad(c.width))
	}
	return out
}

// rowLine lets an id wider than its column take the columns after it.
func rowLine(columns []column, row queue.Row, s *screen.Scene, marks []queue.Mark, selected bool) line.Line {
	pointer := " "
	if selected {
		pointer = "❯"
	}
	out := line.Of(theme.Accent, pointer+" ")
	for i := 0; i < len(columns); i++ {
		if i > 0 {
			out = out.And(theme.Plain, "  ")
		}
		c, width := columns[i], columns[i].width
		if c.turn == idTurn && s.Width >= idsWhole {
			for needs := wholeID(&row); needs > width && i+1 < len(columns); i++ {
				width += columnGap + columns[i+1].width
			}
			if i+1 == len(columns) {
				width = s.Width - out.Width()
			}
		}
		cell := c.cell(&row, s, width).Pad(width)
		if !row.Workable() && row.Unreadable == "" {
			cell = cell.As(theme.Dim)
		}
		for _, mark := range marks {
			cell = c.holds.marked(cell, mark)
		}
		out = out.Plus(cell)
	}
	if selected {
		return out.Row().Selected(s.Width)
	}
	return out.Row()
}

// marked marks the matches in a cell, where a code is shown by its label, which has blanks.
func (c content) marked(cell line.Line, mark queue.Mark) line.Line {
	label := strings.ReplaceAll(mark.Text, "_", " ")
	switch {
	case c == ids && mark.InIDs:
		return cell.Marked(mark.Text, theme.Accent)
	case c == codes && mark.InTexts:
		return cell.MarkedWords(label, theme.Accent)
	case c == codes && mark.InCodes && label != mark.Text:
		return cell.Marked(mark.Text, theme.Accent).Marked(label, theme.Accent)
	case c == codes && mark.InCodes:
		return cell.Marked(mark.Text, theme.Accent)
	}
	return cell
}

func gateCell(row *queue.Row, _ *screen.Scene, width int) line.Line {
	if width < 9 {
		return widget.GateMark(row.Gate)
	}
	return widget.GateWord(row.Gate)
}

type idMark struct {
	role  theme.Role
	glyph string
	word  line.Line
	holds func(*queue.Row) bool
}

var idMarks = [...]idMark{
	{theme.Bad, widget.RejectedMark, line.Of(theme.Bad, wording.Rejected), func(row *queue.Row) bool { return row.Rejected }},
	{theme.Accent, widget.DraftMark, line.Of(theme.Dim, "draft"), func(row *queue.Row) bool { return row.Draft && !row.Decided }},
	{theme.Dim, widget.ErasedMark, line.Of(theme.Dim, wording.Erased), func(row *queue.Row) bool { return row.Erased }},
}

func wholeID(row *queue.Row) int {
	width := line.Width(string(row.ID))
	for _, mark := range idMarks {
		if mark.holds(row) {
			width += 1 + line.Width(mark.glyph)
		}
	}
	return width
}

func idCell(row *queue.Row, _ *screen.Scene, width int) line.Line {
	id, marks := line.Of(theme.Strong, string(row.ID)), line.Line(nil)
	for _, mark := range idMarks {
		if !mark.holds(row) {
			continue
		}
		marks = marks.And(mark.role, " "+mark.glyph)
		if full := marks.And(theme.Plain, " ").Plus(mark.word); id.Width()+full.Width() <= width {
			marks = full
		}
	}
	return id.Fit(width - marks.Width()).Plus(marks)
}

func revisionCell(row *queue.Row, _ *screen.Scene, width int) line.Line {
	return line.Of(theme.Dim, wording.Thousands(int(row.Revision))).Right(width)
}

func subjectCell(row *queue.Row, _ *screen.Scene, _ int) line.Line {
	return line.Of(theme.Plain, wording.OrDash(row.Subject.Label()))
}

func triggerCell(row *queue.Row, _ *screen.Scene, _ int) line.Line {
	return line.Of(theme.Plain, wording.OrDash(row.Trigger.Label()))
}

func blockerCell(sought terms.BlockerSet) func(row *queue.Row, _ *screen.Scene, width int) line.Line {
	return func(row *queue.Row, _ *screen.Scene, width int) line.Line {
		codes, open := row.Blockers.Before(sought), row.Unanswered()
		switch {
		case row.Unreadable != "":
			return line.Of(theme.Warn, row.Unreadable)
		case len(codes) == 0 && open.Set.Empty():
			return line.Of(theme.Dim, "–")
		case len(codes) == 0, sought&row.Blockers.Set == 0 && sought&open.Set != 0:
			return line.Of(theme.Warn, "! "+wording.Listed(open.Before(sought)))
		case len(codes) == 1:
			return line.Of(theme.Plain, codes[0].String())
		}
		more := line.Of(theme.Bad, " +"+wording.Thousands(len(codes)-1))
		return line.Of(theme.Plain, codes[0].String()).Fit(width - more.Width()).Plus(more)
	}
}

func timeCell(row *queue.Row, s *screen.Scene, _ int) line.Line {
	if done, is := widget.DoneCell(row, s.Now); is {
		return done
	}
	return widget.TimeLeft(row.Due(), s.Now)
}

func stateCell(row *queue.Row, s *screen.Scene, _ int) line.Line {
	if row.Closed() && !row.Reassigned {
		return line.Of(theme.Dim, widget.ClosedMark(row.Decided)+" "+row.Status.Label())
	}
	if done, is := widget.DoneCell(row, s.Now); is {
		return done
	}
	return line.Of(theme.Plain, wording.OrDash(row.Status.Label()))
}

func assignedCell(row *queue.Row, s *screen.Scene, width int) line.Line {
	switch {
	case !row.AssignedTo.Present():
		return line.Of(theme.Dim, "nobody").Fit(width)
	case s.Reviewer.Known() && row.AssignedTo == s.Reviewer.ID:
		return line.Of(theme.Accent, "you")
	}
	return line.Of(theme.Dim, string(row.AssignedTo)).Fit(width)
}

// alikes tells which of the revision, the subject, the trigger and the reviewer no row differs in.
func (d *areaQueue) alikes() map[string]bool {
	alike := map[string]bool{}
	if d.Queue.Len() < 2 {
		return alike
	}
	first := d.Queue.Row(0)
	revision, subject, trigger, assignee := true, true, true, true
	for i := 1; i < d.Queue.Len() && (revision || subject || trigger || assignee); i++ {
		row := d.Queue.Row(i)
		revision, subject = revision && row.Revision == first.Revision, subject && row.Subject == first.Subject
		trigger, assignee = trigger && row.Trigger == first.Trigger, assignee && row.AssignedTo == first.AssignedTo
	}
	alike["REV"], alike["SUBJECT"], alike["FOR"] = revision, subject, assignee
	alike["TRIGGER"], alike["TRANSITION"] = trigger, trigger
	return alike
}
