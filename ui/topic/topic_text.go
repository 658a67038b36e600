package topic

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/widget"
)

// title names the topic.
func (t *Topic) title() line.Line {
	switch {
	case t.Code.Present():
		return line.Of(theme.Bad, t.Code.String())
	case t.Trigger.Present():
		return line.Of(theme.Dim, "trigger ").And(theme.Strong, t.Trigger.Label())
	}
	return line.Of(theme.Dim, "transition ").And(theme.Strong, t.Transition.Label())
}

// Text is all there is to say about the topic, the most useful first.
func (t *Topic) Text(width int) line.Sheet {
	sheet := line.Sheet(t.title().Wrap(width, 2))
	switch {
	case t.Code.Present():
		return append(sheet, t.blockerText(width)...)
	case t.Trigger.Present():
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

func (t *Topic) blockerText(width int) line.Sheet {
	rule, _ := domain.RuleFor(t.Area, t.Code)
	s := speech{width: width}
	s.say("", rule.Meaning)
	s.sheet = append(s.sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, rule.Cure).Wrap(width, 2)...)
	s.sheet = append(s.sheet, t.reasons(width)...)
	s.quote(domain.ContractText(t.Area, t.Code))
	return s.sheet
}

// reasons are the rows of the packet because of which the blocker holds.
func (t *Topic) reasons(width int) line.Sheet {
	if t.View == nil {
		return nil
	}
	var sheet line.Sheet
	for _, section := range t.View.Sections() {
		for i := range section.Rows {
			row := &section.Rows[i]
			for _, code := range row.Codes {
				if code == t.Code {
					text := line.Of(theme.Bad, "✗ ").And(theme.Dim, domain.SectionTitle(section.Name)+" · "+row.Label+" ")
					sheet = append(sheet, text.And(theme.Plain, widget.OrAbsent(row.Value)).Fit(width))
				}
			}
		}
	}
	if len(sheet) > 0 {
		sheet = append(line.Sheet{nil, line.Of(theme.Dim, "It holds because of")}, sheet...)
	}
	return sheet
}

func (t *Topic) triggerText(width int) line.Sheet {
	definition, _ := domain.DefinitionOfTrigger(t.Trigger)
	s := speech{width: width}
	s.say("", definition.Meaning)
	s.say("reviewed as ", definition.Review.String())
	s.sheet = append(s.sheet, nil)
	if t.View == nil {
		s.say("", "What is advised and permitted for it says the policy that a case names; the open packet shows it.")
	} else if own, known := TriggerOf(t.View); !known || own != t.Trigger {
		s.say("", "It is not the trigger of this case.")
	} else {
		s.sheet = append(s.sheet, line.Of(theme.Dim, "The policy's rule for it"))
		s.sheet = append(s.sheet, RuleLines(t.View, width, t.Blind)...)
	}
	s.quote(definition.Said)
	return s.sheet
}

func (t *Topic) transitionText(width int) line.Sheet {
	definition, _ := domain.Definition(t.Transition)
	s := speech{width: width}
	s.sheet = append(s.sheet, line.Of(theme.Faint, "❝ ").And(theme.Plain, definition.ProtectedBoundary).Wrap(width, 2)...)
	s.sheet = append(s.sheet, nil, line.Of(theme.Dim, "Blocks while the gate is blocked"))
	var actions []domain.GuardedAction
	if t.View != nil {
		actions = t.View.Judgment().BlockedTransitions()
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
