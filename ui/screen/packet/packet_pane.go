package packet

import (
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// Topics are those under the cursor, then those of the whole packet.
func (p *Screen) Topics(s *screen.Scene) []topic.Topic {
	if p.Dossier == nil {
		return nil
	}
	return append(append([]topic.Topic(nil), p.here(s).topics...), topic.OfView(&p.Dossier.View)...)
}

// pane is the text that applies, beside the case: first to what the cursor is on, then to the whole case.
func (p *Screen) pane(here *stop, s *screen.Scene) line.Sheet {
	width, v := s.Width-p.drawn.width-gutter(s)-line.BesideGap, &p.Dossier.View
	var sheet line.Sheet
	section := func(title string, text line.Sheet) {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(append(sheet, widget.Heading(title, width)), text...)
	}
	own := false
	for i := range here.topics {
		t := here.topics[i]
		t.Blind = p.Blind
		own = own || t.Trigger.Present() || t.Transition.Present()
		if i > 0 {
			sheet = append(append(sheet, nil), t.Text(width)...)
			continue
		}
		section("What this line is about", t.Text(width))
	}
	if trigger, known := topic.TriggerOf(v); known && !own {
		section("The rule for "+wording.OrDash(trigger.Label()), topic.RuleLines(v, width, p.Blind))
	}
	if topics := topic.OfTransition(v); len(topics) > 0 && !own {
		section("The transition", topics[0].Text(width))
	}
	if len(here.topics) == 0 && v.Judgment().BlockerSet().Empty() {
		section("The gate", line.Of(theme.Dim, "No blockers. On a line about a trigger or a transition, and on one that "+
			"blocks, this column says what the contract says about it.").Wrap(width, 0))
	}
	if len(sheet) > s.Height && s.Height > 0 {
		sheet = append(sheet[:s.Height-1:s.Height-1], line.Of(theme.Dim, "… t shows all of it"))
	}
	return sheet
}
