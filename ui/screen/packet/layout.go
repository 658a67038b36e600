package packet

import (
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
)

// A spot is a place for the cursor: the nth block of a part, 0 for its heading; zero: the banner.
type spot struct {
	key string // of the part
	nth int
}

type stop struct {
	spot
	block
	first, last int      // its lines
	part        foldable // the part it stands in
}

type placedRow struct {
	spot
	name        views.SectionName
	first, last int
}

type packetText struct {
	sheet line.Sheet
	stops []stop // in order; never empty
	// A section counts as seen once all its rows were in the window, none of them folded or held back.
	rows  []placedRow
	unlit map[views.SectionName]bool
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

// A part is the text under one heading: blocks of lines, which are not built while folded.
type part struct {
	foldable
	title    string
	sign     line.Sheet          // in place of the title
	bare     bool                // it has no heading
	headed   []views.SectionName // the sections that the heading itself is a row of
	sections []views.SectionName // those that the blocks are rows of
	hidden   []views.SectionName // those with parts held back
	count    string              // how much is in it
	topics   []topic.Topic       // of the whole part
	wide     bool                // its sentences stand in columns, so that it may be wider than a text
	build    func(width int) []block
}

type block struct {
	lines   line.Sheet
	section views.SectionName // the section that it is a row of; absent: none
	also    []views.SectionName
	topics  []topic.Topic // the topics of the contract
	open    screen.Then   // the action of Enter; nil: none of its own
	turn    string        // the part that Enter goes to; "" for none
	why     string        // why it cannot do that now
	list    string        // the list that Enter unfolds, or folds again
	rest    bool          // the list goes on beyond what shows
}

// lay lays parts out below one another; loose, with an empty line between two that are not folded.
func lay(width int, loose bool, parts []part, folded func(foldable) bool) packetText {
	l := packetText{unlit: map[views.SectionName]bool{}}
	above := false // the part above shows its heading only: no line between
	for _, one := range parts {
		shut, key := folded(one.foldable), one.key
		if one.bare {
			key = "bare" // not the banner's, which never folds either
		}
		if loose && len(l.sheet) > 0 && !(above && shut) {
			l.sheet = append(l.sheet, nil)
		}
		above = shut
		if !one.bare {
			first := len(l.sheet)
			l.sheet = append(l.sheet, one.heading(width, shut)...)
			last := len(l.sheet) - 1
			l.stops = append(l.stops, stop{spot{key, 0}, block{topics: one.topics}, first, last, one.foldable})
			for _, name := range one.headed {
				l.rows = append(l.rows, placedRow{spot{key, 0}, name, first, last})
			}
		}
		for _, name := range one.hidden {
			l.unlit[name] = true
		}
		if shut {
			for _, name := range one.sections {
				l.unlit[name] = true
			}
			continue
		}
		room := width
		if !one.wide {
			room = min(room, widget.ProseWidth)
		}
		for i, b := range one.build(room) {
			first := len(l.sheet)
			l.sheet = append(l.sheet, b.lines...)
			at := stop{spot{key, i + 1}, b, first, len(l.sheet) - 1, one.foldable}
			l.stops = append(l.stops, at)
			if b.section.Present() {
				for _, name := range append([]views.SectionName{b.section}, b.also...) {
					l.rows = append(l.rows, placedRow{at.spot, name, at.first, at.last})
				}
				l.unlit[b.section] = l.unlit[b.section] || b.rest
			}
		}
	}
	return l
}

func (p *part) heading(width int, shut bool) line.Sheet {
	switch {
	case p.sign != nil:
		return p.sign
	case p.key == "":
		return line.Sheet{widget.Heading(p.title, width)}
	case !shut:
		return line.Sheet{widget.Ruled(line.Of(theme.Accent, "▾ "+p.title), width)}
	}
	out := line.Of(theme.Accent, "▸ "+p.title).And(theme.Dim, "  "+p.count)
	if p.bad > 0 {
		out = out.And(theme.Bad, "  ✗ "+wording.Thousands(p.bad))
	}
	return line.Sheet{widget.Ruled(out, width)}
}

const (
	paneFrom    = 160
	paneLeast   = 44
	packetWidth = 116
)

const looseFrom = 30

func textColumn(s *screen.Scene) (width int, beside bool) {
	room := s.Width - gutter(s)
	if beside = s.Width >= paneFrom; beside {
		room -= paneLeast + line.BesideGap
	}
	return min(room, packetWidth), beside
}

// A drawnPacket is kept because laying out takes longer than drawing.
type drawnPacket struct {
	packetText
	layoutInputs
	lit []bool // the lines that have been in the window; nil: not laid out
}

type layoutInputs struct {
	width                int
	beside, loose, blind bool
	refusal, draft       string
	only                 string // why the reviewer may only block it
	minute               int64
}

type keys struct{ open, decide, revisions string }

func (p *Screen) laid(s *screen.Scene) *packetText {
	p.keys = keys{open: s.Key(action.Accept, action.InPacket), decide: s.Key(action.Decide, action.InPacket),
		revisions: fmt.Sprintf("%s and %s go through them, %s compares",
			s.Key(action.EarlierRevision, action.InPacket), s.Key(action.LaterRevision,
				action.InPacket), s.Key(action.ShowChanges, action.InPacket))}
	if s.Reading {
		p.keys.open = "Enter" // folds there, like the fold keys
	}
	want := layoutInputs{draft: p.draftText(), blind: p.Blind, minute: s.Now.Time().Unix() / 60}
	if want.width, want.beside = textColumn(s); p.preview {
		want.width, want.beside = min(s.Width, packetWidth), false
	}
	want.loose = s.Height >= looseFrom
	if s.Ready {
		want.refusal, want.only = s.WhyNotDecide(p.CaseFile), p.onlyBlocks(s)
	}
	if p.drawn.lit == nil || p.drawn.layoutInputs != want {
		text := lay(want.width, want.loose, p.parts(s, want.refusal, want.width), func(f foldable) bool { return p.folded(f, s) })
		p.drawn = drawnPacket{text, want, make([]bool, len(text.sheet))}
	}
	return &p.drawn.packetText
}
