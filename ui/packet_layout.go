package ui

import (
	"slices"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// A placedSection is where a section stands in the text as laid out: it counts as seen once the lines from its heading
// to the end of its first row have been in the window together.
type placedSection struct {
	name           domain.SectionName
	heading, first int // line of the heading; last line of the first row
	beside         int // 1: in the column at the side
}

// The column at the side takes its share of a window that is wide enough.
const (
	besideFrom  = 110
	besideShare = 0.4
)

// view draws the part of the packet that the window shows and notes which sections that were.
func (p *packetScreen) view(s *scene) line.Sheet {
	if p.dossier == nil {
		return p.waiting(s)
	}
	p.sections, p.refusal, p.covered = p.sections[:0], "", s.covered
	if s.ready {
		p.refusal = whyNotDecide(&p.dossier.View, s)
	}
	if s.width < besideFrom {
		text := p.compose(s.width, p.parts(), 0)
		text = append(text, p.compose(s.width, p.sideParts(), len(text))...)
		return p.show(text, s.height)
	}
	sideWidth := int(float64(s.width) * besideShare)
	leftWidth := s.width - sideWidth - line.BesideGap
	left := p.compose(leftWidth, p.parts(), 0)
	count := len(p.sections)
	right := p.compose(sideWidth, p.sideParts(), 0)
	for i := count; i < len(p.sections); i++ {
		p.sections[i].beside = 1
	}
	top := p.scroll.window(max(len(left), len(right)), s.height)
	topRight := min(top, max(len(right)-s.height, 0))
	p.note(top, s.height, 0)
	p.note(topRight, s.height, 1)
	return line.Beside(left.Window(top, s.height), right.Window(topRight, s.height), leftWidth, s.height)
}

func (p *packetScreen) waiting(s *scene) line.Sheet {
	text := line.Of(theme.Dim, "Opening the packet …")
	if p.trouble != "" {
		text = line.Of(theme.Bad, "✗ It cannot be opened: ").And(theme.Plain, p.trouble+".").
			And(theme.Dim, " Esc goes back, R tries again.")
	}
	return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.width, 2)...)
}

// show draws one column.
func (p *packetScreen) show(text line.Sheet, height int) line.Sheet {
	top := p.scroll.window(len(text), height)
	p.note(top, height, 0)
	return text.Window(top, height)
}

// note adds the sections that are in the window to those seen.
func (p *packetScreen) note(top, height, beside int) {
	if p.covered {
		return
	}
	for _, s := range p.sections {
		end := min(s.first, s.heading+height-1) // a first row that is higher than the window is seen once it fills it
		if s.beside == beside && s.heading >= top && end < top+height && !slices.Contains(p.seen, s.name) {
			p.seen = append(p.seen, s.name)
		}
	}
}

// A part is a section to be laid out: a heading and blocks of lines, of which the first is the first row.
type part struct {
	name   domain.SectionName // absent: no section of the view
	title  line.Line
	blocks []line.Sheet
}

// compose lays parts out below one another and notes where each stands. offset is how many lines stand above.
func (p *packetScreen) compose(width int, parts []func(width int) part, offset int) line.Sheet {
	var sheet line.Sheet
	for _, build := range parts {
		one := build(width)
		if len(one.blocks) == 0 {
			continue
		}
		if len(sheet)+offset > 0 {
			sheet = append(sheet, nil)
		}
		heading := offset + len(sheet)
		sheet = append(sheet, one.title.Fit(width))
		if one.name.Present() {
			first := heading + len(one.blocks[0])
			p.sections = append(p.sections, placedSection{name: one.name, heading: heading, first: first})
		}
		for _, block := range one.blocks {
			sheet = append(sheet, block...)
		}
	}
	return sheet
}

// heading is the title of a part, with a rule to the end of the line.
func heading(title string, width int) line.Line {
	out := line.Of(theme.Accent, title).And(theme.Plain, " ")
	return out.Plus(line.Rule(width - out.Width()))
}

// parts are the sections of the main column.
func (p *packetScreen) parts() []func(int) part {
	parts := []func(int) part{p.gatePart, p.blockersPart, p.advisoryPart}
	for _, section := range p.dossier.View.Sections() {
		if section.Name != domain.SectionPolicy {
			parts = append(parts, p.sectionPart(section))
		}
	}
	return parts
}

// sideParts are those that stand at the side where there is room, and last where there is none.
func (p *packetScreen) sideParts() []func(int) part {
	var parts []func(int) part
	for _, section := range p.dossier.View.Sections() {
		if section.Name == domain.SectionPolicy {
			parts = append(parts, p.rulePart, p.sectionPart(section))
		}
	}
	return append(parts, p.redactionsPart, p.historyPart)
}

// heldBack stands where the advice would.
const heldBack = "held back for now"

// sectionPart lays out a section of the view: labels, values and how each stands with the rules. One of which something
// is held back does not count as seen.
func (p *packetScreen) sectionPart(section domain.Section) func(int) part {
	return func(width int) part {
		labels := 0
		for _, row := range section.Rows {
			if size := line.Width(row.Label); size <= min(width/2-4, 26) {
				labels = max(labels, size)
			}
		}
		one := part{name: section.Name, title: heading(domain.SectionTitle(section.Name), width)}
		for _, row := range section.Rows {
			if row.Advice && p.blind {
				row.Value, one.name = heldBack, 0
			}
			one.blocks = append(one.blocks, rowBlock(row, labels, width))
		}
		return one
	}
}

// pair lays out a label and its value beside one another, or below one another where one of them is too long for that.
// labels is the width that labels of the kind take.
func pair(mark line.Line, label string, value line.Line, labels, width int) (sheet line.Sheet, indent int) {
	named := mark.And(theme.Dim, label)
	indent = mark.Width() + labels + 2
	if named.Width() > indent-2 || value.LongestWord() > width-indent {
		indent = mark.Width() + 2
		return append(named.Wrap(width, 2), line.Of(theme.Plain, spaces(indent)).Plus(value).Wrap(width, indent)...), indent
	}
	return named.Pad(indent).Plus(value).Wrap(width, indent), indent
}

// rowBlock lays out one row: mark, label, value, and the codes that hold because of it.
func rowBlock(row domain.Row, labels, width int) line.Sheet {
	mark, role := line.Of(theme.Dim, "· "), theme.Plain
	switch row.Mark {
	case domain.MarkGood:
		mark = line.Of(theme.Pass, "✓ ")
	case domain.MarkBad:
		mark, role = line.Of(theme.Bad, "✗ "), theme.Bad
	}
	value := line.Of(role, row.Value)
	if row.Value == "" {
		value = line.Of(theme.Dim, "absent")
		if row.Mark == domain.MarkBad {
			value = line.Of(theme.Bad, "absent")
		}
	}
	sheet, indent := pair(mark, row.Label, value, labels, width)
	if len(row.Codes) > 0 {
		codes := line.Of(theme.Plain, spaces(indent)).And(theme.Bad, "↳ ")
		for i, code := range row.Codes {
			if i > 0 {
				codes = codes.And(theme.Dim, ", ")
			}
			codes = codes.And(theme.Dim, code.String())
		}
		sheet = append(sheet, codes.Wrap(width, indent+2)...)
	}
	return sheet
}
