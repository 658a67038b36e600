package page

import (
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/views"
	"docket/ui/topic"
	"docket/ui/wording"
)

// Contracts lists the published contracts with their states, numbered.
func Contracts(list []pages.Page) []pages.Row {
	var one pages.Part
	for i := range list {
		one.Say("%d. %s: %s; %s", i+1, list[i].Name, list[i].Title, list[i].State)
	}
	return one.Rows
}

// ContractText writes out what the contract says of a blocker, a trigger or a transition.
func ContractText(t *topic.Topic) []pages.Row {
	var one pages.Part
	var quoted []string
	switch {
	case t.Code.Present():
		rule, _ := rules.RuleFor(t.Area, t.Code)
		if t.View != nil {
			rule = t.View.Input().Rule(t.Code)
		}
		one.Say("%s: %s Cure: %s", t.Code, rule.Meaning, rule.Cure)
		quoted = views.ContractText(t.Area, t.Code)
	case t.Trigger.Present():
		definition, _ := views.DefinitionOfTrigger(t.Trigger)
		one.Say("%s: %s Reviewed as %s", wording.Capital(t.Trigger.Label()), definition.Meaning, definition.Review)
		quoted = definition.Said
	default:
		definition, _ := rules.Definition(t.Transition)
		one.Say("%s blocks while the gate is blocked: %s", wording.Capital(t.Transition.Label()), wording.Labels(definition.Blocks))
		one.Say("It may change %s, by %s", wording.Labels(definition.SubjectTypes.Terms()),
			wording.Labels(definition.AmendmentTypes.Terms()))
		quoted = []string{definition.ProtectedBoundary}
	}
	for _, sentence := range quoted {
		one.Say("Contract text: %s", sentence)
	}
	return one.Rows
}
