package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// title names the topic.
func (t *topic) title() line.Line {
	switch {
	case t.code.Present():
		return line.Of(theme.Bad, t.code.String())
	case t.trigger.Present():
		return line.Of(theme.Dim, "trigger ").And(theme.Strong, t.trigger.Label())
	}
	return line.Of(theme.Dim, "transition ").And(theme.Strong, t.transition.Label())
}

// text is all there is to say about the topic, the most useful first.
func (t *topic) text(width int) line.Sheet {
	sheet := line.Sheet(t.title().Wrap(width, 2))
	switch {
	case t.code.Present():
		return append(sheet, t.blockerText(width)...)
	case t.trigger.Present():
		return append(sheet, t.triggerText(width)...)
	}
	return append(sheet, t.transitionText(width)...)
}

// A speech collects labelled paragraphs.
type speech struct {
	width int
	sheet line.Sheet
}

func (s *speech) say(label, text string) {
	s.sheet = append(s.sheet, line.Of(theme.Dim, label).And(theme.Plain, text).Wrap(s.width, 2)...)
}

func (s *speech) quote(sentences []string) {
	for i, sentence := range sentences {
		if i == 0 {
			s.sheet = append(s.sheet, nil, line.Of(theme.Dim, "The contract's words"))
		}
		s.sheet = append(s.sheet, line.Of(theme.Faint, "❝ ").And(theme.Plain, sentence).Wrap(s.width, 2)...)
	}
}

func (t *topic) blockerText(width int) line.Sheet {
	rule, _ := domain.RuleFor(t.area, t.code)
	s := speech{width: width}
	s.say("", rule.Meaning)
	s.sheet = append(s.sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, rule.Cure).Wrap(width, 2)...)
	s.sheet = append(s.sheet, t.reasons(width)...)
	s.quote(domain.ContractText(t.area, t.code))
	return s.sheet
}

// reasons are the rows of the packet because of which the blocker holds.
func (t *topic) reasons(width int) line.Sheet {
	if t.view == nil {
		return nil
	}
	var sheet line.Sheet
	for _, section := range t.view.Sections() {
		for i := range section.Rows {
			row := &section.Rows[i]
			for _, code := range row.Codes {
				if code == t.code {
					text := line.Of(theme.Bad, "✗ ").And(theme.Dim, domain.SectionTitle(section.Name)+" · "+row.Label+" ")
					sheet = append(sheet, text.And(theme.Plain, orAbsent(row.Value)).Fit(width))
				}
			}
		}
	}
	if len(sheet) > 0 {
		sheet = append(line.Sheet{nil, line.Of(theme.Dim, "It holds because of")}, sheet...)
	}
	return sheet
}

func (t *topic) triggerText(width int) line.Sheet {
	definition, _ := domain.DefinitionOfTrigger(t.trigger)
	s := speech{width: width}
	s.say("", definition.Meaning)
	s.say("reviewed as ", definition.Review.String())
	s.sheet = append(s.sheet, nil)
	if t.view == nil {
		s.say("", "What is advised and permitted for it says the policy that a case names; the open packet shows it.")
	} else if own, known := triggerOf(t.view); !known || own != t.trigger {
		s.say("", "It is not the trigger of this case.")
	} else {
		s.sheet = append(s.sheet, line.Of(theme.Dim, "The policy's rule for it"))
		s.sheet = append(s.sheet, ruleLines(t.view, width, t.blind)...)
	}
	s.quote(definition.Said)
	return s.sheet
}

func (t *topic) transitionText(width int) line.Sheet {
	definition, _ := domain.Definition(t.transition)
	s := speech{width: width}
	s.sheet = append(s.sheet, line.Of(theme.Faint, "❝ ").And(theme.Plain, definition.ProtectedBoundary).Wrap(width, 2)...)
	s.sheet = append(s.sheet, nil, line.Of(theme.Dim, "Blocks while the gate is blocked"))
	var actions []domain.GuardedAction
	if t.view != nil {
		actions = t.view.Judgment().BlockedTransitions()
	}
	held := domain.SetOf(actions...)
	for _, action := range definition.Blocks {
		mark := line.Of(theme.Dim, "  · ")
		if held.Has(action) {
			mark = line.Of(theme.Bad, "  ✗ ")
		}
		s.sheet = append(s.sheet, mark.And(theme.Plain, action.Label()).Wrap(width, 4)...)
	}
	s.say("may change ", labels(definition.SubjectTypes.Words()))
	s.say("by ", labels(definition.AmendmentTypes.Words()))
	s.say("needs ", domain.PolicyTable(domain.Amendments).String()+", "+domain.RecordTable(domain.Amendments).String())
	return s.sheet
}

// labels lists words for reading.
func labels[W interface{ Label() string }](list []W) string {
	text := ""
	for i, word := range list {
		if i > 0 {
			text += ", "
		}
		text += word.Label()
	}
	return text
}
