package decide

import (
	"fmt"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

func (d *Screen) Title(s *screen.Scene) line.Line {
	left := line.Of(theme.Accent, "decide ").And(theme.Dim, "on ").And(theme.Strong, string(d.Packet.Key().ID)).
		And(theme.Dim, fmt.Sprintf(" revision %s", wording.Thousands(int(d.Packet.Key().Number))))
	if s.Compact {
		return widget.GateMark(d.Gate()).And(theme.Plain, " ").Plus(left)
	}
	right := line.Of(theme.Dim, "gate to record: ").Plus(widget.GateWord(d.Gate()))
	if d.OnlyBlocks() != "" {
		right = line.Of(theme.Warn, "you may only block it: add a blocker")
	}
	left = d.departing(left, s.Width-right.Width()-1, decision.DepartsFrom+" "+d.Advised().Label())
	return line.Spread(left, right, s.Width)
}

func (d *Screen) departing(text line.Line, width int, full string) line.Line {
	if !d.Departs() {
		return text
	}
	marked := text
	for _, said := range []string{full, wording.Departs, decision.LabelDeparts} {
		if marked = text.And(theme.Warn, "  ! "+said); marked.Width() <= width {
			break
		}
	}
	return marked
}

// sides are each the whole window where they do not fit side by side.
func (d *Screen) sides(s *screen.Scene) (packet, decision screen.Scene) {
	packet, decision = *s, *s
	if s.Width >= widget.BesideFrom {
		narrow, wide, _ := widget.Shares(s.Width)
		decision.Width = min(narrow, widget.ProseWidth)
		packet.Width = wide + narrow - decision.Width
	}
	return packet, decision
}

// View draws the packet and the step side by side, or the one that has the keys. In a large window
// the contract's text for them is beside both.
func (d *Screen) View(s *screen.Scene) line.Sheet {
	left, right := d.sides(s)
	left.Reading, left.Faded = true, !d.reading
	switch {
	case s.Width >= widget.BesideFrom:
	case d.reading:
		return d.Packet.View(&left)
	default:
		return d.stepView(&right)
	}
	sheet := line.Beside(d.Packet.View(&left), d.stepView(&right), left.Width, s.Height)
	_, _, contract := widget.Shares(s.Width)
	if contract == 0 {
		return sheet
	}
	text := topic.Column("The contract", d.Topics(s), contract, s.Height, s.Key(action.Explain, action.InDecision))
	return line.Beside(sheet, text, left.Width+line.BesideGap+right.Width, s.Height)
}

const formFrom = 18

const activeLeast = 11

func (d *Screen) stepView(s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	short := s.Height < formFrom || s.Compact || d.Step() == decision.Review
	if short {
		sheet = append(sheet, d.trail(s))
	}
	for _, notice := range d.Notices {
		sheet = append(sheet, line.Of(theme.Warn, "! "+notice+".").Wrap(s.Width, 2)...)
	}
	sheet = sheet.Window(0, max(s.Height-3, 1))
	if short {
		return append(sheet, d.step().view(d, s, s.Height-len(sheet))...)
	}
	room := s.Height - len(sheet) - len(d.Steps())
	still := make([]line.Sheet, len(d.Steps()))
	for i, one := range d.Steps() {
		if shown := d.chosenLines(one, s); i != d.At() && room-len(shown) >= activeLeast {
			still[i], room = shown, room-len(shown)
		}
	}
	for i := range d.Steps() {
		sheet = append(sheet, d.stepLine(i, s))
		if i == d.At() {
			sheet = append(sheet, d.step().view(d, s, room)...)
			continue
		}
		sheet = append(sheet, still[i]...)
	}
	return sheet
}

func (d *Screen) stepLine(i int, s *screen.Scene) line.Line {
	number, name := wording.Thousands(i+1), d.Steps()[i].String()
	var out line.Line
	switch {
	case i == d.At():
		out = line.Of(theme.Accent, "["+number+" "+name+"]")
	case i < d.At():
		out = d.passedMark(i).And(theme.Dim, name)
	default:
		out = line.Of(theme.Dim, number+" "+name)
	}
	value := line.Of(theme.Dim, "–")
	if text := d.Value(d.Steps()[i]); text != "" {
		value = line.Of(theme.Plain, text)
	}
	out = out.Pad(max(stepWidth, out.Width())).And(theme.Plain, "  ").Plus(value)
	if d.Steps()[i] == decision.Outcome {
		out = d.departing(out, s.Width, wording.Departs)
	}
	return out.Fit(s.Width)
}

func (d *Screen) passedMark(i int) line.Line {
	if d.Missing(d.Steps()[i]) != "" {
		return line.Of(theme.Warn, "! ")
	}
	return line.Of(theme.Pass, "✓ ")
}

const stepWidth = 13

func (d *Screen) chosenLines(step decision.Step, s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	switch step {
	case decision.Outcome:
		if d.Blind() {
			return nil
		}
		return d.optionLines(-1, s)
	case decision.Factors:
		if !d.Outcome.Present() {
			return nil
		}
		return d.factorLines(-1, s)
	case decision.Blockers:
		if codes := d.Decision.View().Evaluation().Blockers(); len(codes) > 0 {
			sheet = line.Of(theme.Dim, "  found: ").And(theme.Bad, wording.Listed(codes)).Wrap(s.Width, 4)
		}
		if codes := d.Added.Terms(); len(codes) > 0 {
			sheet = append(sheet, line.Of(theme.Dim, "  added: ").And(theme.Warn, wording.Listed(codes)).Wrap(s.Width, 4)...)
		}
	case decision.Statement:
		if d.Statement != "" {
			sheet = line.Of(theme.Plain, "  ").Plus(line.Written(theme.Plain, d.Statement)).Wrap(s.Width, 2)
		}
	}
	return sheet
}

func (d *Screen) trail(s *screen.Scene) line.Line {
	short, full := line.Line(nil), line.Line(nil)
	for i, one := range d.Steps() {
		number, name := wording.Thousands(i+1), one.String()
		switch {
		case i == d.At():
			full, short = full.And(theme.Accent, "["+number+" "+name+"] "), short.And(theme.Accent, "["+number+" "+name+"] ")
		case d.Step() == decision.Review:
			full, short = full.And(theme.Accent, number).And(theme.Dim, " "+name+"  "), short.And(theme.Accent, number+" ")
		case i < d.At():
			full = full.Plus(d.passedMark(i)).And(theme.Dim, name+" ").And(theme.Plain, d.Value(one)+"  ")
			short = short.Plus(d.passedMark(i))
		default:
			full, short = full.And(theme.Dim, number+" "+name+"  "), short.And(theme.Dim, number+" ")
		}
	}
	if full.Width() > s.Width {
		full = short
	}
	if d.Departs() {
		full = line.Of(theme.Warn, "! ").Plus(full)
	}
	return full.Fit(s.Width)
}

func (d *Screen) Topics(s *screen.Scene) []topic.Topic {
	var topics []topic.Topic
	if d.reading {
		packet, _ := d.sides(s)
		return d.Packet.Topics(&packet)
	}
	if d.Step() == decision.Blockers {
		if rule, any := d.blockerAtCursor(); any {
			topics = topic.OfCodes(d.Decision.View().Area(), []terms.Blocker{rule.Code}, d.Decision.View())
		}
	}
	return topic.Held(append(topics, topic.OfView(d.Decision.View())...), d.Packet.Blind)
}

func (d *Screen) Copies(s *screen.Scene) []screen.CopyItem { return d.Packet.Copies(s) }
