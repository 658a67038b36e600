package decision

import (
	"fmt"
	"strings"

	"docket/domain"
	"docket/ui/phrase"
)

// A Member is one line of what the review restates.
type Member struct {
	Label  string
	Value  string
	Remark string // what the value means, or what follows from it; "" if nothing is to be said
}

// Restate writes out the record to be, a member a line. seen are the sections that were on the screen.
func (d *Decision) Restate(reviewer domain.Reviewer, seen []domain.SectionName) []Member {
	v := d.View()
	members := []Member{
		{"packet", string(v.Key().ID) + " revision " + phrase.Thousands(int(v.Key().Number)) + " of " + phrase.Spaced(v.Table().String()), ""},
		{"gate", d.Gate().String(), ""},
	}
	add := func(label, value, remark string) { members = append(members, Member{label, value, remark}) }
	if v.Area() == domain.Appeals {
		add("outcome", d.Outcome.Label(), domain.EffectOf(d.Outcome).Meaning)
		if d.Preliminary.Present() {
			add("said first", d.Preliminary.Label(), "before the advice was shown")
		}
		add("advised", v.Judgment().AdvisoryOutcome().Label(), "")
		add("factor codes", listed(d.Factors.Words()), "")
	}
	add("found blockers", listed(v.Judgment().Blockers()), "")
	if !v.Carried().Empty() {
		add("carried blockers", listed(domain.Codes{Area: v.Area(), Set: v.Carried()}.List()), "added in earlier records on this revision")
	}
	add("added blockers", listed(domain.Codes{Area: v.Area(), Set: d.Added}.List()), "")
	if id := d.Dossier.InForce; id.Present() {
		add("supersedes", string(id), phrase.StaysWhere(d.Dossier))
	} else {
		add("supersedes", "nothing", "")
	}
	if turned := d.Dossier.TurnedAway(); turned != nil {
		add("in place of", string(turned.Receipt.RecordID), "the service rejected it: "+phrase.WhyRejected(turned.HandIn.Rejection.Reason))
	}
	add("reviewer", string(reviewer.ID)+", "+reviewer.Role.Label(), "")
	add("key", reviewer.KeyFingerprint, "")
	add("sections seen", listed(seen), "")
	if d.Note != "" {
		add("private note", "yes", "only its digest is recorded")
	} else {
		add("private note", "none", "")
	}
	return members
}

// listed writes words one after the other, or that there are none.
func listed[W fmt.Stringer](words []W) string {
	if len(words) == 0 {
		return "none"
	}
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.String()
	}
	return strings.Join(texts, ", ")
}
