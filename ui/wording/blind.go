package wording

import "docket/domain"

// Where blind-first mode holds back what the rules advise, HeldBack stands in place of a value and HeldBackWhy in place
// of the whole advice.
const (
	HeldBack    = "held back for now"
	HeldBackWhy = "Held back until you have given an outcome of your own."
)

// Blind tells whether blind-first mode holds the advice on a packet back: on an appeal, until the reviewer has given an
// outcome of their own on this revision or there is a record on it, which shows the advice.
func Blind(dossier *domain.Dossier) bool {
	v, kept := &dossier.View, &dossier.Draft
	given := kept.Revision == v.Key().Number && kept.Preliminary.Present()
	return v.Area() == domain.Appeals && len(dossier.Records) == 0 && !given
}

// Revealed asks for the final outcome once the reviewer has given one of their own.
func Revealed(v *domain.View, own domain.Outcome) string {
	return "You said " + own.Label() + ", the rules advise " + v.Judgment().AdvisoryOutcome().Label() +
		". Which outcome is final? Both are recorded."
}
