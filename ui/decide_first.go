package ui

import (
	"slices"

	"docket/domain"
	"docket/ui/wording"
)

// firstStep takes the reviewer's own judgment before they are told what the rules advise. It is there in blind-first mode
// only, as long as neither an advice nor a record on the revision has been shown.
//
// The digest that a record holds of its packet covers the whole view, the advice included: by the time of the final
// outcome all of it has been on the screen. That it was not before is what the preliminary outcome says, and the order
// in which the sections were seen.
var firstStep = outcomeStepOf(func(draft *domain.Draft) *domain.Outcome { return &draft.Preliminary })

// outcomeQuestion is what a step asks that chooses an outcome. Once the advice stands beside the options, that section of
// the packet has been seen.
func (d *decideScreen) outcomeQuestion(s *scene) string {
	switch {
	case d.packet.blind:
		return "Which outcome, by your own judgment? What the rules advise is shown once you have said."
	case d.Preliminary.Present():
		d.seeAdvice(s)
		return wording.Revealed(d.View(), d.Preliminary)
	}
	return "Which outcome? The rules advise; you judge."
}

func (d *decideScreen) seeAdvice(s *scene) {
	if !s.covered && !slices.Contains(d.packet.seen, domain.SectionAdvisory) {
		d.packet.seen = append(d.packet.seen, domain.SectionAdvisory)
	}
}

// blindTo tells whether the advice on a packet is still to be held back from the reviewer.
func blindTo(dossier *domain.Dossier, s *scene) bool {
	return s.blindFirst && wording.Blind(dossier)
}
