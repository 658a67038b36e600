package decision

import (
	"fmt"
	"slices"
	"time"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/views"
	"docket/ui/wording"
)

// RenewEvery is how long an evaluation holds at the review; then the packet is evaluated again.
const RenewEvery = time.Minute

// A Renewal is the result of evaluating the packet again.
type Renewal uint8

const (
	Same     Renewal = iota // the result is the same
	Touched                 // the result differs; the decision is at the step it touches
	Replaced                // the revision, the case or the policy has changed: open the packet again
)

// Renew takes a new evaluation of the packet, so that the record has the time of the result that
// the review shows. An unchanged result is taken without a notice; an evaluation of another
// revision, case or policy is not taken. seen are the sections that were on the screen; Renew
// returns those that have not changed.
func (d *Decision) Renew(now *queue.CaseFile, seen []views.SectionName) (Renewal, []views.SectionName) {
	if why := replaced(d.View(), &now.View); why != "" {
		d.Notices = []string{why}
		return Replaced, seen
	}
	changes := d.changes(now)
	if len(changes) > 0 {
		seen = stillSeen(seen, d.View(), &now.View)
	}
	step := Review
	if fixed(&now.View) != fixed(d.View()) {
		step = Blockers
	}
	now.Draft = d.CaseFile.Draft
	*d.CaseFile = *now
	if len(changes) == 0 {
		return Same, seen
	}
	d.dropFixed()
	if why := d.ruledOut(); why != "" {
		changes = append(changes, fmt.Sprintf("%s may no longer be recorded: %s", d.Outcome.Label(), why))
		d.Outcome, step = 0, Outcome
	} else if dropped := d.dropFactors(); len(dropped) > 0 {
		changes, step = append(changes, dropped...), Factors
	}
	d.Enter(step)
	d.Notices = append([]string{fmt.Sprintf("Evaluated again at %s, with another result",
		wording.Moment(d.View().EvaluatedAt()))}, changes...)
	return Touched, seen
}

func replaced(seen, now *views.View) string {
	switch {
	case now.Latest().Revision > seen.Latest().Revision:
		return fmt.Sprintf("revision %s has arrived", wording.Thousands(int(now.Latest().Revision)))
	case seen.Key() != now.Key() || seen.Latest() != now.Latest() || seen.Policy().Key() != now.Policy().Key() ||
		!slices.Equal(seen.Record().Document(), now.Record().Document()) ||
		!slices.Equal(seen.Policy().Document(), now.Policy().Document()):
		return "the case or its policy has changed"
	}
	return ""
}

func (d *Decision) changes(now *queue.CaseFile) (changes []string) {
	area := d.View().Area()
	before, after := d.View().Evaluation().BlockerSet(), now.View.Evaluation().BlockerSet()
	for _, code := range (queue.Codes{Area: area, Set: after.Minus(before)}).List() {
		changes = append(changes, fmt.Sprintf("Blocker %s applies now", code))
	}
	for _, code := range (queue.Codes{Area: area, Set: before.Minus(after)}).List() {
		changes = append(changes, fmt.Sprintf("Blocker %s no longer applies", code))
	}
	for _, code := range (queue.Codes{Area: area, Set: now.View.Carried().Minus(d.View().Carried())}).List() {
		changes = append(changes, fmt.Sprintf("Blocker %s is %s", code, wording.CarriedFrom(now, code)))
	}
	if now.InForce != d.CaseFile.InForce {
		if now.InForce.Present() {
			changes = append(changes, fmt.Sprintf("Record %s is in force now, and would be superseded", now.InForce))
		} else {
			changes = append(changes, "No record is in force any more, so none would be superseded")
		}
	}
	return changes
}

func stillSeen(seen []views.SectionName, before, after *views.View) []views.SectionName {
	judged := fixed(before) == fixed(after)
	return slices.DeleteFunc(slices.Clone(seen), func(name views.SectionName) bool {
		switch name {
		case views.SectionGate, views.SectionBlockers, views.SectionAdvisory:
			return !judged
		}
		return !slices.EqualFunc(rowsOf(before, name), rowsOf(after, name), func(a, b pages.Row) bool {
			return a.Label == b.Label && a.Value == b.Value && a.Mark == b.Mark && slices.Equal(a.Codes, b.Codes)
		})
	})
}

func rowsOf(v *views.View, name views.SectionName) []pages.Row {
	for _, section := range v.Sections() {
		if section.Name == name {
			return section.Rows
		}
	}
	return nil
}
