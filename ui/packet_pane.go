package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// topics are those under the cursor, then those of the whole packet.
func (p *packetScreen) topics(s *scene) []topic {
	if p.dossier == nil {
		return nil
	}
	return append(append([]topic(nil), p.here(s).topics...), viewTopics(&p.dossier.View)...)
}

// pane is the text that applies, beside the case: first to what the cursor is on, then to the whole case.
func (p *packetScreen) pane(here *stop, s *scene) line.Sheet {
	width, v := s.width-p.drawn.width-gutter(s)-line.BesideGap, &p.dossier.View
	var sheet line.Sheet
	section := func(title string, text line.Sheet) {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(append(sheet, heading(title, width)), text...)
	}
	own := false
	for i := range here.topics {
		t := here.topics[i]
		t.blind = p.blind
		own = own || t.trigger.Present() || t.transition.Present()
		if i > 0 {
			sheet = append(append(sheet, nil), t.text(width)...)
			continue
		}
		section("What this line is about", t.text(width))
	}
	if trigger, known := triggerOf(v); known && !own {
		section("The rule for "+wording.OrDash(trigger.Label()), ruleLines(v, width, p.blind))
	}
	if topics := transitionTopics(v); len(topics) > 0 && !own {
		section("The transition", topics[0].text(width))
	}
	if len(here.topics) == 0 && v.Judgment().BlockerSet().Empty() {
		section("The gate", line.Of(theme.Dim, "No blockers. On a line about a trigger or a transition, and on one that "+
			"blocks, this column says what the contract says about it.").Wrap(width, 0))
	}
	if len(sheet) > s.height && s.height > 0 {
		sheet = append(sheet[:s.height-1:s.height-1], line.Of(theme.Dim, "… t shows all of it"))
	}
	return sheet
}
