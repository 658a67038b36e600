package decision

import (
	"slices"

	"docket/domain"
	"docket/ui/wording"
)

// Resume goes on with what was begun before, as far as the packet still allows it: at the furthest step that was reached,
// unless something has changed since, an outcome is still to be chosen, or each step is to be looked at again.
func (d *Decision) Resume(kept *domain.KeptDraft, again bool) {
	changes := d.adopt(kept)
	d.Notices = append(d.Notices, changes...)
	if again || len(d.Notices) > 0 || d.unrecordable() != "" {
		return
	}
	if at := slices.IndexFunc(d.steps, func(s Step) bool { return s.String() == kept.Step }); at > 0 {
		d.enter(at)
	}
}

// adopt takes over a draft and says what has changed since.
func (d *Decision) adopt(kept *domain.KeptDraft) (changes []string) {
	v := d.View()
	openedAt := d.OpenedAt
	d.Draft = kept.Draft
	d.Supersedes = d.Dossier.InForce
	if kept.Revision != v.Key().Number || !kept.OpenedAt.Present() || openedAt.Before(kept.OpenedAt) {
		d.OpenedAt = openedAt // a clock that was ahead then is no reason to record an opening to come
	}
	if kept.Revision != v.Key().Number {
		// It was given on another revision, and what is advised on this one has not been shown.
		d.Preliminary = 0
		changes = append(changes, "This was begun on revision "+wording.Thousands(int(kept.Revision))+"; look at each step again")
	}
	if d.dropStanding() {
		changes = append(changes, "A blocker that you added stands now without you")
	}
	if why := d.StatementFault(d.Statement); d.Statement != "" && why != "" {
		d.Statement = ""
		changes = append(changes, "Your statement is dropped: "+why)
	}
	if why := d.Again(); why != "" {
		changes = append(changes, d.Outcome.Label()+" may no longer be recorded: "+why)
		d.Outcome = 0
	} else {
		changes = append(changes, d.dropFactors()...)
	}
	if d.Supersedes != kept.Supersedes && d.Supersedes.Present() {
		changes = append(changes, "Record "+string(d.Supersedes)+" is in force now, and would be superseded")
	}
	return changes
}

// dropStanding takes out of the added blockers those that stand already, and tells whether there were any.
func (d *Decision) dropStanding() bool {
	left := d.Added.Minus(standing(d.View()))
	dropped := left != d.Added
	d.Added = left
	return dropped
}

// Current is the decision as a draft keeps it.
func (d *Decision) Current() domain.Draft {
	now := d.Draft
	now.Step, now.Supersedes = d.steps[d.furthest].String(), d.Dossier.InForce
	return now
}

// Sum says in a few words what a draft holds. Its note is not repeated: the packet may be on a screen that others see.
func Sum(v *domain.View, d *domain.Draft) string {
	sum := wording.Plural(d.Factors.Len(), "factor code", "factor codes")
	if added := d.Added.Len(); added > 0 {
		sum += ", " + wording.Plural(added, "added blocker", "added blockers")
	}
	if v.Area() == domain.Appeals {
		outcome := "no outcome yet"
		if d.Outcome.Present() {
			outcome = "outcome " + d.Outcome.Label()
		}
		sum = outcome + ", " + sum
	}
	if d.Statement != "" {
		sum += ", a statement of reasons"
	}
	if d.Note != "" {
		sum += ", a private note"
	}
	return sum
}

// Began says when a draft was kept last and, if that is another than the packet's, on which revision: by the hour, if it
// was on the day of now.
func Began(kept *domain.KeptDraft, revision int64, now domain.Instant) string {
	text := wording.Moment(kept.SavedAt)
	if now.Present() && kept.SavedAt.Present() && now.Time().Format("2006-01-02") == kept.SavedAt.Time().Format("2006-01-02") {
		text = kept.SavedAt.Time().Format("15:04Z")
	}
	if kept.Revision != revision {
		text += " on revision " + wording.Thousands(int(kept.Revision))
	}
	return text
}
