package decision

import (
	"fmt"
	"strings"
	"time"

	"docket/domain"
	"docket/ui/wording"
)

// Word is the word that has to be typed to record.
const Word = "record"

// Grace is how long after the final question was put no key counts: what is typed then was meant for something else. A
// key that comes too early begins the wait anew, so that a key that is held down never gets through.
const Grace = 400 * time.Millisecond

// What the review says: ReviewTitle above the decision that it restates, AskWord as its question.
const (
	ReviewTitle = "This will be appended to the log, signed, for good:"
	AskWord     = "Type " + Word + " to record it"
)

// cannot is what a record of each area cannot do (source 4.1 rule 3 and 4.2 rule 2).
var cannot = map[domain.Area]string{
	domain.Appeals: "It cannot open an appeal, correct a record, allow reliance, waive a safety blocker, reopen a settled " +
		"obligation or publish a public metric.",
	domain.Amendments: "It cannot apply an amendment, edit a parent record, authorize a material change, authorize payment, " +
		"authorize reliance or publish a public metric.",
}

// Cannot says what a record of the area cannot do.
func Cannot(area domain.Area) string { return cannot[area] }

// A Member is one line of what the review restates, or of a receipt.
type Member struct {
	Label  string
	Value  string
	Remark string // what the value means, or what follows from it; "" if nothing is to be said
}

// Restate writes out the record to be, a member a line. seen are the sections that were on the screen.
func (d *Decision) Restate(reviewer domain.Reviewer, seen []domain.SectionName) []Member {
	v := d.View()
	members := []Member{
		{"packet", string(v.Key().ID) + " revision " + wording.Thousands(int(v.Key().Number)) + " of " + wording.Spaced(v.Table().String()), ""},
		{"gate", d.Gate().String(), ""},
	}
	add := func(label, value, remark string) { members = append(members, Member{label, value, remark}) }
	if v.Area() == domain.Appeals {
		members = append(members, d.restateOutcome()...)
	}
	add("found blockers", listed(v.Judgment().Blockers()), "")
	for _, code := range (domain.Codes{Area: v.Area(), Set: v.Carried()}).List() {
		add("carried over", code.String(), wording.CarriedFrom(d.Dossier, code))
	}
	remark := ""
	if !d.Added.Empty() {
		remark = wording.UntilRevised
	}
	add("added blockers", listed(domain.Codes{Area: v.Area(), Set: d.Added}.List()), remark)
	add("statement", orNone(d.Statement), "")
	if id := d.Dossier.InForce; id.Present() {
		add("supersedes", string(id), wording.StaysWhere(d.Dossier))
	} else {
		add("supersedes", "nothing", "")
	}
	if turned := d.Dossier.TurnedAway(); turned != nil {
		add("in place of", string(turned.Receipt.RecordID), "the service rejected it: "+wording.WhyRejected(turned.HandIn.Rejection.Reason))
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

// restateOutcome are the members that only appeals have.
func (d *Decision) restateOutcome() []Member {
	effect := domain.EffectOf(d.Outcome)
	members := []Member{
		{"outcome", d.Outcome.Label(), effect.Meaning},
		{"provenance", effect.ProvenanceActivity, ""},
		{"traceability", effect.TraceabilityStep, ""},
	}
	if d.Preliminary.Present() {
		members = append(members, Member{"said first", d.Preliminary.Label(), "before the advice was shown"})
	}
	advised := Member{"advised", d.Advised().Label(), ""}
	if d.Outcome != d.Advised() {
		advised.Remark = "your outcome departs from the advice"
	}
	return append(members, advised, Member{"factor codes", listed(d.Factors.Words()), ""})
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
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
