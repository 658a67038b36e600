package packet

import (
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A spot is a place in the packet that the cursor can stand on, in any window: the nth block of a part, 0 for its
// heading. The zero spot is the heading of the banner.
type spot struct {
	key string // of the part
	nth int
}

// A stop is a spot as laid out.
type stop struct {
	spot
	first, last int           // its lines
	topics      []topic.Topic // what the contract has a text for
	open        screen.Effect // what Enter does; nil: nothing of its own
	turn        string        // the part that Enter goes to; "" for none
	why         string        // why it cannot do that now
	part        foldable      // the part it stands in
}

// A placedSection is where a section stands in the text as laid out: it counts as seen once the lines from its heading
// to the end of its first row have been in the window together. A folded one stands nowhere.
type placedSection struct {
	name           views.SectionName
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
	name   views.SectionName // absent: no section of the view
	title  string
	sign   line.Line     // in place of the title
	count  string        // how much is in it
	topics []topic.Topic // of the whole part
	build  func(width int) []block
}

// A block is one row, or what else belongs together.
type block struct {
	lines  line.Sheet
	topics []topic.Topic
	open   screen.Effect
	turn   string
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
		l.stops = append(l.stops, stop{spot{one.key, 0}, heading, heading, one.topics, nil, "", "", one.foldable})
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
			l.stops = append(l.stops, stop{spot{one.key, i + 1}, first, last, b.topics, b.open, b.turn, b.why, one.foldable})
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
		return widget.Heading(p.title, width)
	}
	if !shut {
		return widget.Ruled(line.Of(theme.Accent, "▾ "+p.title), width)
	}
	out := line.Of(theme.Accent, "▸ "+p.title).And(theme.Dim, "  "+p.count)
	if p.bad > 0 {
		out = out.And(theme.Bad, "  ✗ "+wording.Thousands(p.bad))
	}
	return widget.Ruled(out, width)
}

// The column at the side takes its share of a window that is wide enough.
const (
	BesideFrom  = 110
	besideShare = 0.4
)

// A drawnPacket is a layout with what it was made for. Laying out takes longer than drawing, so that it is done again
// only when one of these has changed.
type drawnPacket struct {
	packetText
	made    bool
	width   int
	beside  bool
	refusal string
	draft   string
	blind   bool
	minute  int64
}

// laid is the packet as it is laid out for the window.
func (p *Screen) laid(s *screen.Scene) *packetText {
	want := drawnPacket{made: true, width: s.Width - gutter(s), beside: s.Width >= BesideFrom, draft: p.draftText(),
		blind: p.Blind, minute: s.Now.Time().Unix() / 60}
	if want.beside {
		want.width = s.Width - SideWidth(s.Width) - line.BesideGap - gutter(s)
	}
	if s.Ready {
		want.refusal = s.WhyNotDecide(p.CaseFile)
	}
	d := &p.drawn
	if !d.made || d.width != want.width || d.beside != want.beside || d.refusal != want.refusal || d.blind != want.blind ||
		d.draft != want.draft || d.minute != want.minute {
		want.packetText = lay(want.width, p.parts(s, want.beside, want.refusal), func(f foldable) bool { return p.folded(f, s) })
		p.drawn = want
	}
	return &p.drawn.packetText
}

func SideWidth(width int) int { return int(float64(width) * besideShare) }
