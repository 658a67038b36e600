package plain

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/topic"
	"docket/ui/wording"
)

// A section is a part of a packet in words: its state, and one statement a line.
type section struct {
	names []views.SectionName       // the sections of the view that it holds rows of
	held  []views.SectionName       // those with parts held back
	parts map[views.SectionName]int // how many sections of the packet hold rows of each
	title string
	state string
	lines []string
	rest  []string // of long lists
}

// sectionsOf writes a packet out in the order in which the full console shows it: the gate and the blockers, what is said, the facts,
// the rule, and the rest. blind holds back the advice; what is held back does not count as seen.
func sectionsOf(d *queue.CaseFile, blind bool) []section {
	v := &d.View
	sections := []section{gateSection(d), blockersSection(v)}
	var last []section
	for _, part := range v.Parts() {
		one := partSection(v, part, blind)
		if part.Name.Folded() {
			last = append(last, one)
			continue
		}
		sections = append(sections, one)
	}
	sections = append(sections, ruleSection(v, blind))
	sections = append(append(sections, last...), redactionsSection(v), historySection(d))
	return countSeen(sections)
}

// countSeen sets in each section how many sections hold rows of the same section of the view, which is seen once all of them are said.
func countSeen(sections []section) []section {
	parts := map[views.SectionName]int{}
	for _, one := range sections {
		for _, name := range one.names {
			parts[name]++
		}
	}
	for i := range sections {
		sections[i].parts = parts
	}
	return sections
}

// partSection writes a part of the view: each row with its mark, label and value. Of a long list it says the count and the first rows; the command more says
// the rest.
func partSection(v *views.View, of views.Part, blind bool) section {
	one := section{title: of.Name.Title()}
	good, bad := 0, 0
	for i, row := range of.Rows {
		if !slices.Contains(one.names, row.Section) {
			one.names = append(one.names, row.Section)
		}
		text := row.Label + ": " + row.Value
		switch {
		case row.Advice && blind:
			one.held, text = append(one.held, row.Section), row.Label+": "+wording.HeldBack
		case row.Value == "":
			text = fmt.Sprintf("%s: absent", row.Label)
		case len(row.List) > firstOfMany:
			text = fmt.Sprintf("%s: %s, the first %d: %s", row.Label, wording.Thousands(len(row.List)), firstOfMany, named(row.List[:firstOfMany]))
			one.rest = append(one.rest, fmt.Sprintf("%s, the rest: %s.", row.Label, named(row.List[firstOfMany:])))
		}
		if row.Label == views.LabelAsked {
			text += fitsText(v, blind)
		}
		switch row.Mark {
		case views.MarkBad:
			bad++
			text = terms.Blocked.String() + ": " + text
			if len(row.Codes) > 0 {
				text += " (" + listed(row.Codes) + ")"
			}
		case views.MarkGood:
			good++
			text = terms.Pass.String() + ": " + text
		default:
			text = fmt.Sprintf("info: %s", text)
		}
		if i >= firstOfMany && of.Name == views.PartConfirmations {
			one.rest = append(one.rest, written(sentence(text))...)
			continue
		}
		one.lines = append(one.lines, written(sentence(text))...)
	}
	switch of.Name {
	case views.PartChange:
		one.lines = append(one.lines, fmt.Sprintf("Parent record: %s.", parentText(v)))
	case views.PartEffects:
		one.lines = append(one.lines, consentLines(v)...)
	}
	if len(one.rest) > 0 {
		one.lines = append(one.lines, "There is more; type more to hear it.")
	}
	one.state = stateOf(good, bad)
	return one
}

// firstOfMany is how many rows of a long list are said before the reader asks for more.
const firstOfMany = 20

// fitsText says whether the requested outcome fits the trigger.
func fitsText(v *views.View, blind bool) string {
	switch fits, known := v.RequestFits(); {
	case !known:
		return ""
	case blind:
		return "; " + wording.FitsHeldBack
	case fits:
		return "; " + wording.Fits
	}
	return "; " + wording.FitsNot
}

func parentText(v *views.View) string {
	switch state, _, _ := v.Parent(); state {
	case views.ParentSame:
		return wording.ParentSame
	case views.ParentDiffers:
		return wording.ParentDiffers
	}
	return wording.ParentUnknown
}

// consentLines say who confirmed each effect of the amendment.
func consentLines(v *views.View) (lines []string) {
	for _, effect := range v.EffectConsents() {
		if !effect.Has {
			continue
		}
		text := fmt.Sprintf("%s confirmed by: %s", wording.Capital(effect.Label), someOf(effect.Confirmed))
		if len(effect.Lacking) > 0 {
			text += fmt.Sprintf("; not by: %s", someOf(effect.Lacking))
		}
		lines = append(lines, text+".")
	}
	return lines
}

// named lists ids.
func named(ids []terms.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return wording.OrNone(strings.Join(texts, ", "))
}

// someOf names the first parties of a long list.
func someOf(ids []terms.ID) string {
	if len(ids) <= firstOfMany {
		return named(ids)
	}
	return fmt.Sprintf("%s and %s more", named(ids[:firstOfMany]), wording.Thousands(len(ids)-firstOfMany))
}

// stateOf is the state of a section with these numbers of lines that meet the rules and that do not.
func stateOf(good, bad int) string {
	switch {
	case bad > 0:
		return fmt.Sprintf("%s, %s not meet the rules", terms.Blocked, wording.Plural(bad, "line does", "lines do"))
	case good > 0:
		return terms.Pass.String()
	}
	return "for information"
}

// gateSection says the gate, and whether the packet was decided, rejected or skipped.
func gateSection(d *queue.CaseFile) section {
	carried := wording.Carried(d)
	count := len(d.View.Evaluation().Blockers()) + len(carried)
	one := section{names: []views.SectionName{views.SectionGate}, title: views.SectionTitle(views.SectionGate)}
	if gate := records.GateWith(&d.View, 0); gate == terms.Pass {
		one.state = fmt.Sprintf("%s, no blockers", gate)
	} else {
		one.state = gate.String() + ", " + wording.Plural(count, "blocker", "blockers")
	}
	one.lines = append(one.lines, wording.Evaluated(&d.View)+".")
	for _, text := range carried {
		one.lines = append(one.lines, terms.Blocked.String()+": "+sentence(text))
	}
	for _, text := range wording.Unanswered(d) {
		one.lines = append(one.lines, "Not answered: "+sentence(text))
	}
	one.lines = append(one.lines, rejectionLines(d)...)
	if standing, text := wording.InForce(d); standing != "" {
		one.lines = append(one.lines, wording.Capital(standing)+": "+text+".")
	}
	if d.Decided() {
		one.lines = append(one.lines, "Reliance: "+wording.Reliance(d.Reliance())+".")
	}
	if d.Skipped != "" {
		one.lines = append(one.lines, fmt.Sprintf("Skipped: %s", sentence(d.Skipped)))
	}
	return one
}

// blockersSection says what each blocker means and what cures it.
func blockersSection(v *views.View) section {
	one := section{names: []views.SectionName{views.SectionBlockers}, title: views.SectionTitle(views.SectionBlockers), state: "none"}
	for _, code := range v.Evaluation().Blockers() {
		rule := v.Input().Rule(code)
		one.lines = append(one.lines, fmt.Sprintf("%s: %s: %s Cure: %s", terms.Blocked, code, rule.Meaning, rule.Cure))
	}
	if n := len(one.lines); n > 0 {
		one.state = terms.Blocked.String() + ", " + wording.Plural(n, "blocker", "blockers")
	}
	return one
}

// redactionsSection lists the kinds of private members that came with the packet. None is kept.
func redactionsSection(v *views.View) section {
	one := section{names: []views.SectionName{views.SectionRedactions}, title: views.SectionTitle(views.SectionRedactions), state: "for information"}
	for _, r := range v.Redactions() {
		one.lines = append(one.lines, fmt.Sprintf("Redacted: %s, %s never kept.", r.Category.Label(), wording.Plural(int(r.Count), "value", "values")))
	}
	if len(one.lines) == 0 {
		one.lines = []string{wording.NoPrivateMembers}
	}
	return one
}

// ruleSection is the advice on an appeal, unless it is held back, and the outcomes that its policy permits for the trigger; or what an amendment's transition
// protects.
func ruleSection(v *views.View, blind bool) section {
	one := section{names: []views.SectionName{views.SectionAdvisory}, title: v.RuleTitle()}
	if v.Area() == terms.Amendments {
		one.boundary(v)
		return one
	}
	if blind {
		one.held, one.state = one.names, wording.HeldBack
		one.lines = []string{wording.HeldBackWhy + " " + wording.HeldBackHow}
	} else {
		one.advice(v)
	}
	rule, _ := topic.PolicyRule(v)
	for _, option := range records.Options(v, 0) {
		if !rule.Compatible.Has(option.Outcome) {
			continue
		}
		effect := views.EffectOf(option.Outcome)
		said := fmt.Sprintf("Permits: %s: %s Activity %s, step %s.",
			option.Outcome.Label(), effect.Meaning, effect.ProvenanceActivity, effect.TraceabilityStep)
		if option.Obstacle != "" {
			said += fmt.Sprintf(" Not now: %s.", option.Obstacle)
		}
		one.lines = append(one.lines, said)
	}
	return one
}

// advice says the advice of the rules, and that of the policy for the trigger if it differs.
func (one *section) advice(v *views.View) {
	decision := views.DecisionOf(v.Evaluation())
	advised := records.Advised(v, 0)
	one.state = fmt.Sprintf("advises %s", advised.Label())
	one.lines = append(one.lines, fmt.Sprintf("Advised: %s: %s %s", advised.Label(), views.EffectOf(advised).Meaning, wording.Advises))
	if rule, held := topic.PolicyRule(v); held && rule.Advisory != advised {
		one.lines = append(one.lines, wording.Capital(wording.PolicyDefault)+": "+wording.OrNone(rule.Advisory.Label())+".")
	}
	if asked := v.Evaluation().RequestedOutcome(); asked.Present() {
		one.lines = append(one.lines, fmt.Sprintf("Asked for: %s.", asked.Label()))
	}
	one.lines = append(one.lines, fmt.Sprintf("Factor codes: %s.", listed(decision.FactorCodes)))
	for _, artifact := range decision.RequiredArtifacts {
		one.lines = append(one.lines, fmt.Sprintf("A reviewer needs: %s", artifact))
	}
	for _, action := range decision.PrivacyActions {
		one.lines = append(one.lines, fmt.Sprintf("Privacy: %s", action))
	}
	one.lines = append(one.lines, fmt.Sprintf("Scope: %s", decision.AppealScopeStatement))
}

// boundary says what an amendment's transition protects and which actions may not proceed.
func (one *section) boundary(v *views.View) {
	one.lines = append(one.lines, fmt.Sprintf("Protected: %s", sentence(wording.Protected(v))))
	one.state = v.Evaluation().Gate().String()
	for _, action := range v.Evaluation().BlockedTransitions() {
		one.lines = append(one.lines, fmt.Sprintf("blocked: held back: %s.", action.Label()))
	}
	if len(v.Evaluation().BlockedTransitions()) == 0 {
		one.lines = append(one.lines, "pass: nothing is held back.")
	}
}

// historySection lists the held revisions and the records on this one.
func historySection(d *queue.CaseFile) section {
	one := section{title: wording.RevisionsTitle, state: wording.Plural(len(d.Revisions), "revision", "revisions") + ", " +
		wording.Plural(len(d.Records), "record on this one", "records on this one")}
	for _, number := range d.Revisions {
		text := fmt.Sprintf("Held: revision %s", wording.Thousands(int(number)))
		if number == d.View.Key().Number {
			text += ", this one"
		}
		one.lines = append(one.lines, text+".")
	}
	for i := range d.Records {
		one.lines = append(one.lines, recordText(&d.Records[i]))
	}
	for i := range d.AtService {
		m := d.AtService[i].Members()
		one.lines = append(one.lines, fmt.Sprintf("At the service: record %s %s.", m.RecordID, wording.ServiceRecordInShort(m)))
	}
	return one
}
