package plain

import (
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// A section is a part of a packet in words: its state, and one statement a line.
type section struct {
	name  views.SectionName // absent: no section of the view
	title string
	state string
	lines []string
}

// sectionsOf writes a packet out, the gate first, in the order in which the full console shows it. blind holds back the
// advice; a section in which something is held back has no name, because it does not count as seen.
func sectionsOf(d *queue.CaseFile, blind bool) []section {
	v := &d.View
	sections := []section{gateSection(d), blockersSection(v), advisorySection(v, blind)}
	for _, one := range v.Sections() {
		if one.Name == views.SectionPolicy {
			if rule, any := ruleSection(v, blind); any {
				sections = append(sections, rule)
			}
		}
		sections = append(sections, rowsSection(one, blind))
	}
	return append(sections, redactionsSection(v), historySection(d))
}

// rowsSection writes a section of the view: each row with its mark, label and value.
func rowsSection(of views.Section, blind bool) section {
	one := section{name: of.Name, title: views.SectionTitle(of.Name)}
	good, bad := 0, 0
	for _, row := range of.Rows {
		text := row.Label + ": " + row.Value
		switch {
		case row.Advice && blind:
			one.name, text = 0, row.Label+": "+wording.HeldBack
		case row.Value == "":
			text = row.Label + ": absent"
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
			text = "info: " + text
		}
		one.lines = append(one.lines, sentence(text))
	}
	one.state = stateOf(good, bad)
	return one
}

// stateOf is the state of a section with so many lines that the rules like and dislike.
func stateOf(good, bad int) string {
	switch {
	case bad > 0:
		return terms.Blocked.String() + ", " + wording.Plural(bad, "line is", "lines are") + " not as the rules want it"
	case good > 0:
		return terms.Pass.String()
	}
	return "for information"
}

// gateSection says what the rules conclude, and whether the packet was decided, rejected or skipped.
func gateSection(d *queue.CaseFile) section {
	carried := wording.Carried(d)
	count := len(d.View.Evaluation().Blockers()) + len(carried)
	one := section{name: views.SectionGate, title: views.SectionTitle(views.SectionGate)}
	if gate := records.GateWith(&d.View, 0); gate == terms.Pass {
		one.state = gate.String() + ", no blockers"
	} else {
		one.state = gate.String() + ", " + wording.Plural(count, "blocker", "blockers")
	}
	one.lines = append(one.lines, wording.Evaluated(&d.View)+".")
	for _, text := range carried {
		one.lines = append(one.lines, terms.Blocked.String()+": "+sentence(text))
	}
	one.lines = append(one.lines, rejectionLines(d)...)
	if standing, text := wording.InForce(d); standing != "" {
		one.lines = append(one.lines, wording.Capital(standing)+": "+text+".")
	}
	if d.Skipped != "" {
		one.lines = append(one.lines, "Skipped: "+sentence(d.Skipped))
	}
	return one
}

// blockersSection says what each blocker means and what cures it.
func blockersSection(v *views.View) section {
	one := section{name: views.SectionBlockers, title: views.SectionTitle(views.SectionBlockers), state: "none"}
	for _, code := range v.Evaluation().Blockers() {
		rule, _ := rules.RuleFor(v.Area(), code)
		one.lines = append(one.lines, terms.Blocked.String()+": "+code.String()+": "+rule.Meaning+" Cure: "+rule.Cure)
	}
	if n := len(one.lines); n > 0 {
		one.state = terms.Blocked.String() + ", " + wording.Plural(n, "blocker", "blockers")
	}
	return one
}

// ruleSection is what the policy says about this case's trigger; false where there is no policy or no case.
func ruleSection(v *views.View, blind bool) (section, bool) {
	policy, record := v.Policy().AppealPolicy(), v.Record().AppealCase()
	if !policy.Held() || !record.Held() {
		return section{}, false
	}
	rules, trigger := policy.Record().OutcomeRules, record.Record().Trigger
	rule := rules.For(trigger)
	one := section{title: "The rule for " + wording.OrNone(trigger.Label()), state: "for information"}
	advises := wording.OrNone(rule.Advisory.Label())
	if blind {
		advises = wording.HeldBack
	}
	one.lines = append(one.lines, "Advises: "+advises+".")
	for _, outcome := range rule.Compatible.Terms() {
		one.lines = append(one.lines, "Permits: "+outcome.Label()+": "+views.EffectOf(outcome).Meaning)
	}
	return one, true
}

// redactionsSection lists the kinds of private members that came with the packet. None is kept.
func redactionsSection(v *views.View) section {
	one := section{name: views.SectionRedactions, title: views.SectionTitle(views.SectionRedactions), state: "for information"}
	for _, r := range v.Redactions() {
		one.lines = append(one.lines, "Redacted: "+r.Category.Label()+", "+wording.Plural(int(r.Count), "value", "values")+" never kept.")
	}
	if len(one.lines) == 0 {
		one.lines = []string{wording.NoPrivateMembers}
	}
	return one
}

// advisorySection is the advice on an appeal, unless it is held back, or what an amendment's transition protects.
func advisorySection(v *views.View, blind bool) section {
	one := section{name: views.SectionAdvisory, title: views.SectionTitle(views.SectionAdvisory)}
	if v.Area() == terms.Amendments {
		one.boundary(v)
		return one
	}
	if blind {
		one.name, one.state = 0, wording.HeldBack
		one.lines = []string{wording.HeldBackWhy + " " + wording.HeldBackHow}
		return one
	}
	decision := views.DecisionOf(v.Evaluation())
	one.state = decision.Outcome.Label()
	one.lines = append(one.lines, "Advised: "+decision.Outcome.Label()+": "+views.EffectOf(decision.Outcome).Meaning+" "+wording.Advises)
	if asked := v.Evaluation().RequestedOutcome(); asked.Present() {
		one.lines = append(one.lines, "Asked for: "+asked.Label()+".")
	}
	one.lines = append(one.lines, "Factor codes: "+listed(decision.FactorCodes)+".")
	for _, artifact := range decision.RequiredArtifacts {
		one.lines = append(one.lines, "A reviewer needs: "+artifact)
	}
	for _, action := range decision.PrivacyActions {
		one.lines = append(one.lines, "Privacy: "+action)
	}
	one.lines = append(one.lines, "Scope: "+decision.AppealScopeStatement)
	return one
}

// boundary says what an amendment's transition protects and which actions may not proceed.
func (one *section) boundary(v *views.View) {
	one.lines = append(one.lines, "Protected: "+sentence(wording.Protected(v)))
	one.state = v.Evaluation().Gate().String()
	for _, action := range v.Evaluation().BlockedTransitions() {
		one.lines = append(one.lines, "blocked: held back: "+action.Label()+".")
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
		text := "Held: revision " + wording.Thousands(int(number))
		if number == d.View.Key().Number {
			text += ", this one"
		}
		one.lines = append(one.lines, text+".")
	}
	for i := range d.Records {
		one.lines = append(one.lines, recordText(&d.Records[i]))
	}
	return one
}
