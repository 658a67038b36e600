package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// title says what is decided on and how the gate would be recorded.
func (d *decideScreen) title(s *scene) line.Line {
	left := line.Of(theme.Accent, "decide ").And(theme.Dim, "on ").And(theme.Strong, string(d.packet.key().ID)).
		And(theme.Dim, " revision "+wording.Thousands(int(d.packet.key().Number)))
	if s.compact {
		return gateMark(d.Gate()).And(theme.Plain, " ").Plus(left)
	}
	return line.Spread(left, line.Of(theme.Dim, "gate to record: ").Plus(gateWord(d.Gate())), s.width)
}

// view draws the step, and beside it, where there is room, what the rules found.
func (d *decideScreen) view(s *scene) line.Sheet {
	if s.width < besideFrom {
		return d.stepView(s)
	}
	p, left := d.packet, *s
	width := sideWidth(s.width)
	left.width = s.width - width - line.BesideGap
	side := p.side(width, s.height)
	return line.Beside(d.stepView(&left), side, left.width, s.height)
}

// stepView draws where the reviewer is, what has changed under them, and the step.
func (d *decideScreen) stepView(s *scene) line.Sheet {
	sheet := line.Sheet{d.trail(s)}
	if !s.compact {
		sheet = append(sheet, nil)
	}
	for _, notice := range d.Notices {
		sheet = append(sheet, line.Of(theme.Warn, "! "+notice+".").Wrap(s.width, 2)...)
	}
	sheet = sheet.Window(0, max(s.height-3, 1))
	return append(sheet, d.step().view(d, s, s.height-len(sheet))...)
}

// trail names the steps, with the one that is on the screen set off by brackets as well as by colour.
func (d *decideScreen) trail(s *scene) line.Line {
	short := line.Line(nil)
	full := line.Line(nil)
	for i, one := range d.Steps() {
		number, name := wording.Thousands(i+1), one.String()
		switch {
		case i == d.At():
			full, short = full.And(theme.Accent, "["+number+" "+name+"] "), short.And(theme.Accent, "["+number+" "+name+"] ")
		case i < d.At():
			full, short = full.And(theme.Pass, "✓ ").And(theme.Dim, name+"  "), short.And(theme.Pass, "✓ ")
		default:
			full, short = full.And(theme.Dim, number+" "+name+"  "), short.And(theme.Dim, number+" ")
		}
	}
	if full.Width() > s.width {
		return short.Fit(s.width)
	}
	return full
}

// topics of a decision are the blocker under the cursor, where there is one, then those of the packet.
func (d *decideScreen) topics(*scene) []topic {
	var topics []topic
	if d.Step() == decision.Blockers {
		if rule, any := d.blockerAtCursor(); any {
			topics = codeTopics(d.View().Area(), []domain.Blocker{rule.Code}, d.View())
		}
	}
	return append(topics, viewTopics(d.View())...)
}
