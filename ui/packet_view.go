package ui

import (
	"slices"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

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

// title names the packet.
func (p *packetScreen) title(s *scene) line.Line {
	noun := "case "
	if domain.AreaOf(p.request.table) == domain.Amendments {
		noun = "amendment "
	}
	left := line.Of(theme.Dim, noun).And(theme.Strong, string(p.key().ID))
	if p.dossier == nil {
		return left
	}
	left = gateMark(p.gate()).And(theme.Plain, " ").Plus(left).And(theme.Dim, " revision "+wording.Thousands(int(p.key().Number)))
	if newest := p.dossier.Revisions; len(newest) > 0 && newest[len(newest)-1] > p.key().Number {
		left = left.And(theme.Warn, " of "+wording.Thousands(int(newest[len(newest)-1])))
	}
	if p.dossier.TurnedAway() != nil {
		left = left.And(theme.Plain, "  ").Plus(rejectedWord())
	}
	if s.compact {
		return left
	}
	if c := p.dossier.View.Record().AppealCase(); c.Held() {
		record := c.Record()
		right := p.due(s)
		if left.Width()+1+right.Width() > s.width {
			return left // the id is not cut
		}
		return line.Spread(left.And(theme.Dim, " · "+wording.OrDash(record.Subject.Label())+" · "+wording.OrDash(record.Trigger.Label())), right, s.width)
	}
	record := p.dossier.View.Record().Amendment().Record()
	return line.Spread(left.And(theme.Dim, " · "+wording.OrDash(record.Transition.Label())),
		line.Of(theme.Dim, record.State.Label()), s.width)
}

// due says how the case stands: how much time is left, or why that does not matter.
func (p *packetScreen) due(s *scene) line.Line {
	row := p.dossier.Standing()
	switch {
	case row.Closed():
		return line.Of(theme.Dim, closedMark(row.Decided)+" closed")
	case row.AwaitsRecord():
		return line.Of(theme.Warn, awaitsMark+" "+domain.RelianceWaits)
	}
	return timeLeft(row.Due(), s.now)
}

func (p *packetScreen) gate() domain.Gate { return domain.GateWith(&p.dossier.View, 0) }

// side is what the rules found, for the column beside a decision; nothing folds there.
func (p *packetScreen) side(width, height int) line.Sheet {
	parts := append([]part{p.gatePart("")}, p.judgmentParts()...)
	for i := range parts {
		parts[i].foldable = foldable{}
	}
	side := lay(width, parts, func(foldable) bool { return false }).sheet
	if len(side) > height {
		side[height-1] = line.Of(theme.Dim, "… the packet has the rest; Esc goes back to it")
	}
	return side
}
