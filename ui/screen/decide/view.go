package decide

import (
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// Title says what is decided on and how the gate would be recorded.
func (d *Screen) Title(s *screen.Scene) line.Line {
	left := line.Of(theme.Accent, "decide ").And(theme.Dim, "on ").And(theme.Strong, string(d.Packet.Key().ID)).
		And(theme.Dim, " revision "+wording.Thousands(int(d.Packet.Key().Number)))
	if s.Compact {
		return widget.GateMark(d.Gate()).And(theme.Plain, " ").Plus(left)
	}
	return line.Spread(left, line.Of(theme.Dim, "gate to record: ").Plus(widget.GateWord(d.Gate())), s.Width)
}

// View draws the step.
func (d *Screen) View(s *screen.Scene) line.Sheet { return d.stepView(s) }

// stepView draws where the reviewer is, what has changed under them, and the step.
func (d *Screen) stepView(s *screen.Scene) line.Sheet {
	sheet := line.Sheet{d.trail(s)}
	if !s.Compact {
		sheet = append(sheet, nil)
	}
	for _, notice := range d.Notices {
		sheet = append(sheet, line.Of(theme.Warn, "! "+notice+".").Wrap(s.Width, 2)...)
	}
	sheet = sheet.Window(0, max(s.Height-3, 1))
	return append(sheet, d.step().view(d, s, s.Height-len(sheet))...)
}

// trail names the steps, with the one that is on the screen set off by brackets as well as by colour.
func (d *Screen) trail(s *screen.Scene) line.Line {
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
	if full.Width() > s.Width {
		return short.Fit(s.Width)
	}
	return full
}

// Topics of a decision are the blocker under the cursor, where there is one, then those of the packet.
func (d *Screen) Topics(*screen.Scene) []topic.Topic {
	var topics []topic.Topic
	if d.Step() == decision.Blockers {
		if rule, any := d.blockerAtCursor(); any {
			topics = topic.OfCodes(d.Decision.View().Area(), []terms.Blocker{rule.Code}, d.Decision.View())
		}
	}
	return append(topics, topic.OfView(d.Decision.View())...)
}
