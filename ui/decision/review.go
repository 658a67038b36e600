package decision

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Word is the word that has to be typed to record.
const Word = "record"

// Grace is how long keys are ignored after the final question is shown: a key typed then was meant for an earlier screen. A key that comes too early restarts
// the wait, so that a key held down never gets through.
const Grace = 400 * time.Millisecond

// The labels of what the review warns of.
const (
	LabelDeparts = "departs"
	LabelUnseen  = "not fully seen"
)

// The texts of the review: ReviewTitle above the restated decision, AskWord as its question.
const (
	ReviewTitle = "This will be signed and appended to the log. It cannot be removed:"
	AskWord     = "Type " + Word + " to record it"
)

// Restate lists what will be recorded, one member a line. seen are the sections that were on the
// screen; said reports whether all that is said was.
func (d *Decision) Restate(reviewer records.Reviewer, seen []views.SectionName, said bool) []wording.Member {
	v := d.View()
	var members []wording.Member
	add := func(label, value, remark string) {
		members = append(members, wording.Member{Label: label, Value: value, Remark: remark})
	}
	if d.Departs() {
		add(LabelDeparts, fmt.Sprintf("your outcome %s %s %s", d.Outcome.Label(), DepartsFrom, d.Advised().Label()), "")
	}
	unseen := unseen(v, seen)
	whole := slices.DeleteFunc(headingsOf(v, seen), func(heading string) bool { return slices.Contains(unseen, heading) })
	if texts := views.PartSaid.Title(); v.Area() == terms.Appeals && said {
		whole = slices.Insert(whole, 0, texts)
	} else if v.Area() == terms.Appeals {
		unseen = slices.Insert(unseen, 0, texts)
	}
	if len(unseen) > 0 {
		add(LabelUnseen, strings.Join(unseen, ", "), "")
	}
	add("packet", fmt.Sprintf("%s revision %s of %s", v.Key().ID, wording.Thousands(int(v.Key().Number)), wording.Spaced(v.Table().String())), "")
	add("gate", d.Gate().String(), "")
	if v.Area() == terms.Appeals {
		d.restateOutcome(add)
	}
	if found := v.Evaluation().Blockers(); len(found) > 0 {
		add("found blockers", wording.Listed(found), "")
	}
	for _, code := range (queue.Codes{Area: v.Area(), Set: v.Carried()}).List() {
		add(wording.CarriedOver, code.String(), wording.CarriedFrom(d.CaseFile, code))
	}
	if left := v.Unanswered().Minus(d.Added); !left.Empty() {
		add("not added again", wording.Listed(queue.Codes{Area: v.Area(), Set: left}.List()), wording.AddedEarlier+"; your statement says why")
	}
	if !d.Added.Empty() {
		add("added blockers", wording.Listed(queue.Codes{Area: v.Area(), Set: d.Added}.List()), wording.UntilRevised)
	}
	if d.Statement != "" {
		add("statement", d.Statement, "")
	}
	if id := d.CaseFile.InForce; id.Present() {
		add("supersedes", string(id), wording.StaysWhere(d.CaseFile))
	}
	if rejected := d.CaseFile.Rejected(); rejected != nil {
		add("in place of", string(rejected.Receipt.RecordID), wording.WhyVoid(rejected))
	}
	add("reviewer", string(reviewer.ID)+", "+reviewer.Role.Label(), "")
	add("key", reviewer.KeyFingerprint, "")
	add(wording.FullySeen, wording.OrNone(strings.Join(whole, ", ")), "")
	if d.Note != "" {
		add("private note", "yes", "only its digest is recorded")
	}
	return members
}

// unseen are the headings of the packet with parts that have not been seen.
func unseen(v *views.View, seen []views.SectionName) (headings []string) {
	names := []views.SectionName{views.SectionGate, views.SectionBlockers}
	for _, section := range v.Sections() {
		names = append(names, section.Name)
	}
	names = append(names, views.SectionAdvisory, views.SectionRedactions)
	return headingsOf(v, slices.DeleteFunc(names, func(name views.SectionName) bool { return slices.Contains(seen, name) }))
}

// headingsOf are the headings of the sections, each once.
func headingsOf(v *views.View, names []views.SectionName) (headings []string) {
	for _, name := range names {
		if heading := v.Heading(name); !slices.Contains(headings, heading) {
			headings = append(headings, heading)
		}
	}
	return headings
}

// restateOutcome adds the members that only appeals have.
func (d *Decision) restateOutcome(add func(label, value, remark string)) {
	effect := views.EffectOf(d.Outcome)
	add("outcome", d.Outcome.Label(), effect.Meaning)
	add("provenance", effect.ProvenanceActivity, "")
	add("traceability", effect.TraceabilityStep, "")
	if d.Preliminary.Present() {
		add("said first", d.Preliminary.Label(), "before the advice was shown")
	}
	add("advised", d.Advised().Label(), "")
	add("factor codes", wording.Listed(d.Factors.Terms()), "")
}

// Reliance says what the decision, once it is recorded, lets anybody rely on: judged for its evaluation.
func (d *Decision) Reliance() string {
	ruling := records.Ruling{Outcome: d.Outcome, Gate: d.Gate()}
	v := d.View()
	return wording.Reliance(records.JudgeReliance(v.Record(), v.Evaluation().BlockerSet().Union(v.Carried()).Union(d.Added), &ruling, false))
}
