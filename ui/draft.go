package ui

import "docket/domain"

// A draft is a decision that is being made: what the reviewer has chosen so far.
type draft struct {
	outcome domain.Outcome
	factors domain.FactorSet
	added   domain.BlockerSet
	note    string
}

// newDraft starts with the factor codes that the evaluation supports. No outcome is chosen for the reviewer.
func newDraft(v *domain.View) draft { return draft{factors: v.Judgment().FactorCodes()} }

// adopt takes over a decision that was begun on an older view, as far as the packet still allows it.
func adopt(old draft, v *domain.View) (d draft, lost string) {
	d = old
	d.added = old.added.Minus(v.Judgment().BlockerSet())
	if why := d.obstacle(v); d.outcome.Present() && why != "" {
		lost = d.outcome.Label() + " may no longer be recorded: " + why
		d.outcome = 0
	}
	return d, lost
}

// obstacle says why the chosen outcome may not be recorded; "" if it may, or none is needed.
func (d *draft) obstacle(v *domain.View) string {
	for _, option := range domain.Options(v, d.added) {
		if option.Outcome == d.outcome {
			return option.Obstacle
		}
	}
	if v.Area() == domain.Appeals {
		return "no outcome is chosen"
	}
	return ""
}
