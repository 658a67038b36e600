package page

import (
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/views"
	"docket/ui/topic"
	"docket/ui/wording"
)

// Contracts lists the published contracts with their states, numbered.
func Contracts(list []pages.Page) []Line {
	var one Part
	for i := range list {
		one.say("%d. %s: %s; %s", i+1, list[i].Name, list[i].Title, list[i].State)
	}
	return one.Lines
}

// Contract writes a contract out: its parts, each entry with its state where it is not as required, and its notes.
func Contract(of *pages.Page) []Part {
	parts := []Part{{Title: of.Title}}
	parts[0].say("%s", of.State)
	for i := range of.Parts {
		part := Part{Title: of.Parts[i].Title}
		for j := range of.Parts[i].Rows {
			e := &of.Parts[i].Rows[j]
			part.say("%s%s", contractStates[e.Mark], joined(": ", e.Label, e.Value))
			for _, note := range e.Notes {
				part.say("%s", note)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

var contractStates = map[pages.Mark]string{pages.Bad: "fails: ", pages.Open: "open: "}

// ContractText writes out what the contract says of a blocker, a trigger or a transition.
func ContractText(t *topic.Topic) []Line {
	var one Part
	var quoted []string
	switch {
	case t.Code.Present():
		rule, _ := rules.RuleFor(t.Area, t.Code)
		if t.View != nil {
			rule = t.View.Input().Rule(t.Code)
		}
		one.say("%s: %s Cure: %s", t.Code, rule.Meaning, rule.Cure)
		quoted = views.ContractText(t.Area, t.Code)
	case t.Trigger.Present():
		definition, _ := views.DefinitionOfTrigger(t.Trigger)
		one.say("%s: %s Reviewed as %s", wording.Capital(t.Trigger.Label()), definition.Meaning, definition.Review)
		quoted = definition.Said
	default:
		definition, _ := rules.Definition(t.Transition)
		one.say("%s blocks while the gate is blocked: %s", wording.Capital(t.Transition.Label()), wording.Labels(definition.Blocks))
		one.say("It may change %s, by %s", wording.Labels(definition.SubjectTypes.Terms()),
			wording.Labels(definition.AmendmentTypes.Terms()))
		quoted = []string{definition.ProtectedBoundary}
	}
	for _, sentence := range quoted {
		one.say("Contract text: %s", sentence)
	}
	return one.Lines
}
