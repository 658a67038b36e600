package packet

import (
	"fmt"
	"strings"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/listing"
	"docket/ui/page"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// differenceScreen compares what the packet views of two revisions show, both judged now.
type differenceScreen struct {
	widget.Document
	table         terms.Table
	id            terms.ID
	held          []int64 // ascending, at least two
	before, after int64
	views         map[int64]*views.View // as they arrive
	trouble       map[int64]string
	drawn         DrawnDifference
}

type DrawnDifference struct {
	from, to *views.View
	width    int
	sheet    line.Sheet
	blind    bool // what reveals the advice is left out
}

// Lines lays the difference out, unless that has been done.
func (d *DrawnDifference) Lines(from, to *views.View, width int) line.Sheet {
	if d.from != from || d.to != to || d.width != width {
		list := views.Differences(from, to)
		if d.blind {
			list = page.HoldBack(list)
		}
		d.from, d.to, d.width, d.sheet = from, to, width, differenceLines(list, to, width)
	}
	return d.sheet
}

// compareRevisions shows the difference to the revision before or, of the first one, to the next.
func compareRevisions(p *Screen, s *screen.Scene) screen.Cmd {
	here := p.Key().Number
	d := &differenceScreen{table: p.Request.Table, id: p.Key().ID, held: p.CaseFile.Revisions,
		views: map[int64]*views.View{here: &p.CaseFile.View}, trouble: map[int64]string{}, drawn: DrawnDifference{blind: p.Blind}}
	if older, ok := p.otherRevision(false); ok {
		d.before, d.after = older, here
	} else {
		d.after, _ = p.otherRevision(true)
		d.before = here
	}
	s.Show(d)
	return d.missing(s)
}

func (d *differenceScreen) missing(s *screen.Scene) screen.Cmd {
	var cmds []screen.Cmd
	for _, number := range [...]int64{d.before, d.after} {
		if d.views[number] == nil {
			cmds = append(cmds, s.Open(d, new(screen.Ticket), screen.Request{Table: d.table, ID: d.id, Revision: number}, d.arrived))
		}
	}
	return tea.Batch(cmds...)
}

func (d *differenceScreen) Place() action.Place { return action.InDifference }

func (d *differenceScreen) arrived(_ *screen.Scene, o *screen.Opened) screen.Cmd {
	delete(d.trouble, o.Request.Revision)
	if o.Err != nil {
		d.trouble[o.Request.Revision] = o.Err.Error()
		return nil
	}
	d.views[o.Request.Revision] = &o.CaseFile.View
	return nil
}

// neighbour is the revision next to one of the pair, other than the second of the pair.
func (d *differenceScreen) neighbour(v action.Verb) (int64, bool) {
	here, other := d.before, d.after
	if v == action.LaterOther || v == action.EarlierOther {
		here, other = other, here
	}
	newer := v == action.LaterOther || v == action.LaterRevision
	next, ok := listing.Revision(d.held, here, newer)
	if ok && next == other {
		next, ok = listing.Revision(d.held, next, newer)
	}
	return next, ok
}

func (d *differenceScreen) Obstacle(v action.Verb, _ *screen.Scene) string {
	switch v {
	case action.EarlierRevision, action.LaterRevision, action.EarlierOther, action.LaterOther:
		if _, ok := d.neighbour(v); !ok {
			return "no other revision is held on that side"
		}
	}
	return ""
}

func (d *differenceScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	switch v {
	case action.EarlierRevision, action.LaterRevision:
		d.before, _ = d.neighbour(v)
	case action.EarlierOther, action.LaterOther:
		d.after, _ = d.neighbour(v)
	default:
		return d.Document.Handle(v, s)
	}
	d.Scroll.Top = 0
	return d.missing(s)
}

func (d *differenceScreen) Title(s *screen.Scene) line.Line {
	pair := line.Of(theme.Dim, "revision ").And(theme.Accent, wording.Thousands(int(d.before))).And(theme.Dim, " → ").
		And(theme.Accent, wording.Thousands(int(d.after)))
	name := line.Of(theme.Strong, string(d.id))
	if s.Compact {
		return name.And(theme.Plain, " ").Plus(pair)
	}
	return line.Spread(line.Of(theme.Dim, "what changed in ").Plus(name).And(theme.Plain, " ").Plus(pair),
		line.Of(theme.Dim, fmt.Sprintf("%s held, both judged now", wording.Plural(len(d.held), "revision", "revisions"))), s.Width)
}

func (d *differenceScreen) View(s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	from, to := d.views[d.before], d.views[d.after]
	for _, number := range [...]int64{d.before, d.after} {
		text := line.Of(theme.Dim, fmt.Sprintf("Opening revision %s …", wording.Thousands(int(number))))
		if why := d.trouble[number]; why != "" {
			text = line.Of(theme.Bad, fmt.Sprintf("✗ Revision %s cannot be opened: ", wording.Thousands(int(number)))).And(theme.Plain, why)
		}
		if d.views[number] == nil {
			sheet = append(sheet, text.Wrap(s.Width, 2)...)
		}
	}
	if from != nil && to != nil {
		sheet = d.drawn.Lines(from, to, s.Width)
	}
	return d.Scroll.Show(sheet, s.Height)
}

func (d *differenceScreen) Topics(*screen.Scene) []topic.Topic {
	from, to := d.views[d.before], d.views[d.after]
	if from == nil || to == nil {
		return nil
	}
	return append(ChangedTopics(from, to), append(topic.OfView(to), topic.OfView(from)...)...)
}

// ChangedTopics are the blockers that hold in one view only.
func ChangedTopics(from, to *views.View) []topic.Topic {
	area := to.Area()
	came := to.Evaluation().BlockerSet().Minus(from.Evaluation().BlockerSet())
	went := from.Evaluation().BlockerSet().Minus(to.Evaluation().BlockerSet())
	return append(topic.OfCodes(area, queue.Codes{Area: area, Set: came}.List(), to),
		topic.OfCodes(area, queue.Codes{Area: area, Set: went}.List(), from)...)
}

func (d *differenceScreen) Copies(*screen.Scene) []screen.CopyItem {
	var items []screen.CopyItem
	for _, number := range [...]int64{d.before, d.after} {
		if v := d.views[number]; v != nil {
			for _, item := range Copies(v) {
				if item.What != "id" {
					item.What = fmt.Sprintf("%s of revision %s", item.What, wording.Thousands(int(number)))
				}
				items = append(items, item)
			}
		}
	}
	return items
}

func differenceLines(list []views.Difference, later *views.View, width int) line.Sheet {
	if len(list) == 0 {
		return line.Of(theme.Pass, "✓ ").And(theme.Plain, wording.Unchanged).Wrap(width, 2)
	}
	sheet := line.Sheet(line.Of(theme.Plain, wording.Differences(list)).Wrap(width, 2))
	heading := ""
	for i := range list {
		if of := later.Heading(list[i].Section); of != heading {
			heading = of
			sheet = append(sheet, nil, widget.Heading(heading, width))
		}
		sheet = append(sheet, oneDifference(&list[i], width)...)
	}
	return sheet
}

func oneDifference(d *views.Difference, width int) line.Sheet {
	switch d.Kind {
	case views.Added:
		return labelled(line.Of(theme.Pass, "+ "), d.Label, line.Written(theme.Plain, d.After), width)
	case views.Removed:
		return labelled(line.Of(theme.Bad, "− "), d.Label, line.Written(theme.Dim, d.Before), width)
	}
	before, after := d.Before, d.After
	if len(before)+len(after) > 3*width {
		before, after = apart(before, after)
	}
	short := line.Written(theme.Dim, widget.OrAbsent(before)).And(theme.Accent, " → ").
		Plus(line.Written(theme.Plain, widget.OrAbsent(after)))
	if 2+line.Width(d.Label)+2+short.Width() <= width {
		return labelled(line.Of(theme.Accent, "~ "), d.Label, short, width)
	}
	sheet := line.Sheet(line.Of(theme.Accent, "~ ").And(theme.Dim, d.Label).Wrap(width, 2))
	sheet = append(sheet, line.Of(theme.Bad, "  − ").Plus(line.Written(theme.Dim, widget.OrAbsent(before))).Wrap(width, 4)...)
	return append(sheet, line.Of(theme.Pass, "  + ").Plus(line.Written(theme.Plain, widget.OrAbsent(after))).Wrap(width, 4)...)
}

func labelled(mark line.Line, label string, value line.Line, width int) line.Sheet {
	return mark.And(theme.Dim, label+"  ").Plus(value).Wrap(width, 4)
}

// around is how many bytes of common text are kept on either side of a difference.
const around = 40

// apart cuts the common ends of two long texts, at a blank, so that the difference is easy to find.
func apart(before, after string) (string, string) {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	cut := func(text string) string {
		before, after := "", ""
		common := len(text) - end
		if from := start - around; from > 0 {
			if blank := strings.IndexByte(text[from:start], ' '); blank >= 0 {
				text, before = text[from+blank+1:], "… "
				common -= from + blank + 1
			}
		}
		if to := common + around; to < len(text) {
			if blank := strings.LastIndexByte(text[common:to], ' '); blank >= 0 {
				text, after = text[:common+blank], " …"
			}
		}
		return before + text + after
	}
	return cut(before), cut(after)
}
