package ui

import (
	"slices"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// A spot is a place in the packet that the cursor can stand on, whatever the window: the nth block of a part, 0 for its
// heading. The zero spot is the heading of the banner.
type spot struct {
	key string // of the part
	nth int
}

// A stop is a spot as laid out.
type stop struct {
	spot
	first, last int      // its lines
	topics      []topic  // what the contract has a text for
	open        effect   // what Enter does; nil: nothing of its own
	why         string   // why it cannot do that now
	part        foldable // the part it stands in
}

// A placedSection is where a section stands in the text as laid out: it counts as seen once the lines from its heading
// to the end of its first row have been in the window together. A folded one stands nowhere.
type placedSection struct {
	name           domain.SectionName
	heading, first int // line of the heading; last line of the first row
}

// A packetText is a packet as laid out.
type packetText struct {
	sheet    line.Sheet
	stops    []stop // in order; never empty
	sections []placedSection
}

// find returns the stop of a spot, else that of its part's heading, else the first one.
func (l *packetText) find(at spot) int {
	found := 0
	for i := range l.stops {
		if l.stops[i].spot == at {
			return i
		}
		if l.stops[i].key == at.key && l.stops[i].nth <= at.nth {
			found = i
		}
	}
	return found
}

// A part is a section to be laid out: a heading and blocks of lines, of which the first is the first row. What is folded
// is not built.
type part struct {
	foldable
	name   domain.SectionName // absent: no section of the view
	title  string
	sign   line.Line // in place of the title
	count  string    // how much is in it
	topics []topic   // of the whole part
	build  func(width int) []block
}

// A block is one row, or what else belongs together.
type block struct {
	lines  line.Sheet
	topics []topic
	open   effect
	why    string
}

// lay lays parts out below one another.
func lay(width int, parts []part, folded func(foldable) bool) packetText {
	var l packetText
	above := false // the part above shows its heading only: no line between
	for _, one := range parts {
		shut := folded(one.foldable)
		if len(l.sheet) > 0 && !(above && shut) {
			l.sheet = append(l.sheet, nil)
		}
		above = shut
		heading := len(l.sheet)
		l.sheet = append(l.sheet, one.heading(width, shut))
		l.stops = append(l.stops, stop{spot{one.key, 0}, heading, heading, one.topics, nil, "", one.foldable})
		if shut {
			continue
		}
		for i, b := range one.build(width) {
			first := len(l.sheet)
			l.sheet = append(l.sheet, b.lines...)
			last := len(l.sheet) - 1
			if i == 0 && one.name.Present() {
				l.sections = append(l.sections, placedSection{one.name, heading, last})
			}
			l.stops = append(l.stops, stop{spot{one.key, i + 1}, first, last, b.topics, b.open, b.why, one.foldable})
		}
	}
	return l
}

// heading is the title of a part with a rule to the end of the line; of a folded one, with how much is in it and whether
// anything in it is not as the rules want it.
func (p *part) heading(width int, shut bool) line.Line {
	if p.sign != nil {
		return p.sign.Fit(width)
	}
	if p.key == "" {
		return heading(p.title, width)
	}
	if !shut {
		return ruled(line.Of(theme.Accent, "▾ "+p.title), width)
	}
	out := line.Of(theme.Accent, "▸ "+p.title).And(theme.Dim, "  "+p.count)
	if p.bad > 0 {
		out = out.And(theme.Bad, "  ✗ "+thousands(p.bad))
	}
	return ruled(out, width)
}

// heading is the title of a group with a rule to the end of the line.
func heading(title string, width int) line.Line { return ruled(line.Of(theme.Accent, title), width) }

func ruled(title line.Line, width int) line.Line {
	out := title.And(theme.Plain, " ")
	return out.Plus(line.Rule(width - out.Width())).Fit(width)
}

// The column at the side takes its share of a window that is wide enough.
const (
	besideFrom  = 110
	besideShare = 0.4
)

// A drawnPacket is a layout with what it was made for. Laying out takes longer than drawing, so that it is done again
// only when something of that is another.
type drawnPacket struct {
	packetText
	made    bool
	width   int
	beside  bool
	refusal string
	minute  int64
}

// laid is the packet as it is laid out for the window.
func (p *packetScreen) laid(s *scene) *packetText {
	want := drawnPacket{made: true, width: s.width - gutter(s), beside: s.width >= besideFrom, minute: s.now.Time().Unix() / 60}
	if want.beside {
		want.width = s.width - sideWidth(s.width) - line.BesideGap - gutter(s)
	}
	if s.ready {
		want.refusal = whyNotDecide(&p.dossier.View, s)
	}
	d := &p.drawn
	if !d.made || d.width != want.width || d.beside != want.beside || d.refusal != want.refusal || d.minute != want.minute {
		want.packetText = lay(want.width, p.parts(s, want.beside, want.refusal), func(f foldable) bool { return p.folded(f, s) })
		p.drawn = want
	}
	return &p.drawn.packetText
}

func sideWidth(width int) int { return int(float64(width) * besideShare) }

// view draws the part of the packet that the window shows and notes which sections that were.
func (p *packetScreen) view(s *scene) line.Sheet {
	if p.dossier == nil {
		return p.waiting(s)
	}
	before, height := p.drawn.width, p.scroll.height
	l := p.laid(s)
	top := p.scroll.window(len(l.sheet), s.height)
	if before != 0 && (before != p.drawn.width || height != s.height) {
		p.reveal(&l.stops[l.find(p.cursor)]) // the window is another one; the reader's place in the packet is not
		top = p.scroll.top
	}
	p.note(l, top, s)
	here := &l.stops[l.find(p.cursor)]
	left := make(line.Sheet, 0, s.height)
	width := p.drawn.width + gutter(s)
	for i := top; i < min(top+s.height, len(l.sheet)); i++ {
		left = append(left, marked(l.sheet[i], i >= here.first && i <= here.last, here.key != "", width, s))
	}
	if !p.drawn.beside {
		return left
	}
	return line.Beside(left, p.pane(here, s), width, s.height)
}

// gutter is how many columns the mark of the cursor takes.
func gutter(s *scene) int {
	if s.compact {
		return 1
	}
	return 2
}

// marked sets a line off by a bar where the cursor stands on it, and by its background where the line has none of its own.
func marked(l line.Line, here, selected bool, width int, s *scene) line.Line {
	blank := spaces(gutter(s) - 1)
	if !here {
		return line.Of(theme.Plain, " "+blank).Plus(l).Fit(width)
	}
	out := line.Of(theme.Accent, "▌"+blank).Plus(l)
	if selected {
		return out.Selected(width)
	}
	return out.Fit(width)
}

func (p *packetScreen) waiting(s *scene) line.Sheet {
	text := line.Of(theme.Dim, "Opening the packet …")
	if p.trouble != "" {
		text = line.Of(theme.Bad, "✗ It cannot be opened: ").And(theme.Plain, p.trouble+".").
			And(theme.Dim, " Esc goes back, R tries again.")
	}
	return append(line.Sheet{nil}, line.Of(theme.Plain, "  ").Plus(text).Wrap(s.width, 2)...)
}

// note adds the sections that are in the window to those seen.
func (p *packetScreen) note(l *packetText, top int, s *scene) {
	if s.covered {
		return
	}
	for _, one := range l.sections {
		end := min(one.first, one.heading+s.height-1) // a first row that is higher than the window is seen once it fills it
		if one.heading >= top && end < top+s.height && !slices.Contains(p.seen, one.name) {
			p.seen = append(p.seen, one.name)
		}
	}
}
