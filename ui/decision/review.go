package decision

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Word is the word that has to be typed to record.
const Word = "record"

// Grace is how long keys are ignored after the final question is shown: a key typed then was meant
// for an earlier screen. One that comes too early restarts the wait, so that a key held down never
// gets through.
const Grace = 400 * time.Millisecond

const (
	LabelDeparts = "departs"
	LabelUnseen  = "not read"
	LabelGate    = "gate"
	LabelLimits  = "limits"
	LabelSigner  = "signed by"
	LabelOutcome = "outcome"
)

const (
	ReviewTitle = "This will be signed and appended to the log. It cannot be removed:"
	AskWord     = "Type " + Word + " to record it"
)

// Restate lists what will be recorded, one member a line. seen are the sections that were on the
// screen; said reports whether all that is said was.
func (d *Decision) Restate(reviewer records.Reviewer, seen []views.SectionName, said bool) []pages.Row {
	v := d.View()
	var members []pages.Row
	add := func(label, value, remark string) {
		one := pages.Row{Label: label, Value: value}
		if remark != "" {
			one.Remarks = []pages.Remark{{Text: remark}}
		}
		members = append(members, one)
	}
	effect := views.EffectOf(d.Outcome)
	if v.Area() == terms.Appeals {
		value := d.Outcome.Label()
		if !d.Departs() {
			value += ", as advised"
		}
		add(LabelOutcome, value, effect.Meaning)
	}
	if d.Departs() {
		add(LabelDeparts, "docket advises "+d.Advised().Label(), "")
	}
	if d.Preliminary.Present() {
		add("said first", d.Preliminary.Label(), "before the advice was shown")
	}
	add(LabelGate, d.Gate().String(), "")
	if unseen := d.unseen(seen, said); len(unseen) > 0 {
		add(LabelUnseen, strings.Join(unseen, ", "), "")
	}
	if d.Statement != "" {
		add("statement", d.Statement, "")
	}
	if !d.Added.Empty() {
		add("added blockers", wording.Listed(queue.Codes{Area: v.Area(), Set: d.Added}.List()), wording.UntilRevised)
	}
	if left := v.Unanswered().Minus(d.Added); !left.Empty() {
		add("not added again", wording.Listed(queue.Codes{Area: v.Area(), Set: left}.List()),
			wording.AddedEarlier+"; your statement says why")
	}
	for _, code := range (queue.Codes{Area: v.Area(), Set: v.Carried()}).List() {
		add(wording.CarriedOver, code.String(), wording.CarriedFrom(d.CaseFile, code))
	}
	if found := v.Evaluation().Blockers(); len(found) > 0 {
		add("found blockers", wording.Listed(found), "")
	}
	if v.Area() == terms.Appeals {
		add("provenance", effect.ProvenanceActivity, "traceability "+effect.TraceabilityStep)
	}
	add(LabelLimits, views.Cannot(v.Area()), "")
	if v.Area() == terms.Appeals {
		add("factor codes", wording.Listed(d.Factors.Terms()), "")
	}
	if id := d.CaseFile.InForce; id.Present() {
		add("supersedes", string(id), wording.StaysWhere(d.CaseFile))
	}
	if rejected := d.CaseFile.Rejected(); rejected != nil {
		add("in place of", string(rejected.Receipt.RecordID), wording.WhyVoid(rejected))
	}
	if d.Note != "" {
		add("private note", "yes", "only its digest is recorded")
	}
	add(LabelSigner, string(reviewer.ID)+", "+reviewer.Role.Label(), reviewer.KeyFingerprint)
	return members
}

// UnseenCount is LabelUnseen's value where names have no room: what is said, and a count.
func (d *Decision) UnseenCount(seen []views.SectionName, said bool) string {
	unseen, all := d.unseen(seen, said), len(d.unseen(nil, false))
	if first := views.PartSaid.Title(); unseen[0] == first && len(unseen) > 1 {
		return fmt.Sprintf("%s, and %d of %d other parts", first, len(unseen)-1, all-1)
	}
	return fmt.Sprintf("%d of %s of the packet", len(unseen), wording.Plural(all, "part", "parts"))
}

// unseen are the headings of the parts that were not on the screen, what is said first.
func (d *Decision) unseen(seen []views.SectionName, said bool) (headings []string) {
	v := d.View()
	names := []views.SectionName{views.SectionGate, views.SectionBlockers}
	for _, section := range v.Sections() {
		names = append(names, section.Name)
	}
	names = append(names, views.SectionAdvisory, views.SectionRedactions)
	names = slices.DeleteFunc(names, func(name views.SectionName) bool { return slices.Contains(seen, name) })
	if v.Area() == terms.Appeals && !said {
		headings = append(headings, views.PartSaid.Title())
	}
	return append(headings, wording.Headings(names, v.Heading)...)
}

// Reliance says what the decision lets anybody rely on once recorded, as of its evaluation.
func (d *Decision) Reliance() string {
	ruling := records.Ruling{Outcome: d.Outcome, Gate: d.Gate()}
	v := d.View()
	return wording.Reliance(records.JudgeReliance(v.Record(), v.Evaluation().BlockerSet().Union(
		v.Carried()).Union(d.Added), &ruling, false))
}
