package phrase

import (
	"docket/domain"
)

// The steps of a decision, by the names under which a draft says how far it has come.
const (
	StepFirst    = "first" // the reviewer's own judgment, in blind-first mode
	StepOutcome  = "outcome"
	StepFactors  = "factors"
	StepBlockers = "blockers"
	StepNote     = "note"
	StepReview   = "review"
)

// NewDraft starts with the factor codes that the evaluation supports. No outcome is chosen for the reviewer.
func NewDraft(v *domain.View) domain.Draft { return domain.Draft{Factors: v.Judgment().FactorCodes()} }

// Adopt takes over a decision that was begun before, as far as the packet still allows it, and says what has changed
// since.
func Adopt(kept *domain.KeptDraft, dossier *domain.Dossier) (d domain.Draft, changes []string) {
	v := &dossier.View
	d = kept.Draft
	d.Supersedes = dossier.InForce
	if kept.Revision != v.Key().Number {
		// It was given on another revision, and what is advised on this one has not been shown.
		d.Preliminary = 0
		changes = append(changes, "This was begun on revision "+Thousands(int(kept.Revision))+"; look at each step again")
	}
	if found := v.Judgment().BlockerSet(); d.Added.Minus(found) != d.Added {
		d.Added = d.Added.Minus(found)
		changes = append(changes, "A blocker that you added is found by the rules now")
	}
	if why := Unrecordable(v, &d); d.Outcome.Present() && why != "" {
		changes = append(changes, d.Outcome.Label()+" may no longer be recorded: "+why)
		d.Outcome = 0
	}
	if d.Supersedes != kept.Supersedes && d.Supersedes.Present() {
		changes = append(changes, "Record "+string(d.Supersedes)+" is in force now, and would be superseded")
	}
	return d, changes
}

// Unrecordable says why the chosen outcome may not be recorded; "" if it may, or none is needed.
func Unrecordable(v *domain.View, d *domain.Draft) string {
	for _, option := range domain.Options(v, d.Added) {
		if option.Outcome == d.Outcome {
			return option.Obstacle
		}
	}
	if v.Area() == domain.Appeals {
		return "no outcome is chosen"
	}
	return ""
}

// DraftSum says in a few words what a draft holds. Its note is not repeated: the packet may be on a screen that others
// see.
func DraftSum(v *domain.View, d *domain.Draft) string {
	sum := Plural(d.Factors.Len(), "factor code", "factor codes")
	if added := d.Added.Len(); added > 0 {
		sum += ", " + Plural(added, "added blocker", "added blockers")
	}
	if v.Area() == domain.Appeals {
		outcome := "no outcome yet"
		if d.Outcome.Present() {
			outcome = "outcome " + d.Outcome.Label()
		}
		sum = outcome + ", " + sum
	}
	if d.Note != "" {
		sum += ", a private note"
	}
	return sum
}

// Began says when a draft was kept last and, if that is another than the packet's, on which revision: by the hour, if it
// was on the day of now.
func Began(kept *domain.KeptDraft, revision int64, now domain.Instant) string {
	text := Moment(kept.SavedAt)
	if now.Present() && kept.SavedAt.Present() && now.Time().Format("2006-01-02") == kept.SavedAt.Time().Format("2006-01-02") {
		text = kept.SavedAt.Time().Format("15:04Z")
	}
	if kept.Revision != revision {
		text += " on revision " + Thousands(int(kept.Revision))
	}
	return text
}
