package plain

import (
	"docket/domain"
	"docket/ui/wording"
)

// A section is a part of a packet in words: its state, and one statement a line.
type section struct {
	name  domain.SectionName // absent: no section of the view
	title string
	state string
	lines []string
}

// sectionsOf writes a packet out, the gate first, in the order in which the full console shows it. blind holds back the
// advice; a section in which something is held back has no name, because it does not count as seen.
func sectionsOf(d *domain.Dossier, blind bool) []section {
	v := &d.View
	sections := []section{gateSection(d), blockersSection(v), advisorySection(v, blind)}
	for _, one := range v.Sections() {
		if one.Name == domain.SectionPolicy {
			if rule, any := ruleSection(v, blind); any {
				sections = append(sections, rule)
			}
		}
		sections = append(sections, rowsSection(one, blind))
	}
	return append(sections, redactionsSection(v), historySection(d))
}

// rowsSection writes a section of the view: each row with its mark, label and value.
func rowsSection(of domain.Section, blind bool) section {
	one := section{name: of.Name, title: domain.SectionTitle(of.Name)}
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
		case domain.MarkBad:
			bad++
			text = domain.Blocked.String() + ": " + text
			if len(row.Codes) > 0 {
				text += " (" + listed(row.Codes) + ")"
			}
		case domain.MarkGood:
			good++
			text = domain.Pass.String() + ": " + text
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
		return domain.Blocked.String() + ", " + wording.Plural(bad, "line is", "lines are") + " not as the rules want it"
	case good > 0:
		return domain.Pass.String()
	}
	return "for information"
}

// gateSection says what the rules conclude, and whether the packet was decided, rejected or skipped.
func gateSection(d *domain.Dossier) section {
	carried := wording.Carried(d)
	count := len(d.View.Judgment().Blockers()) + len(carried)
	one := section{name: domain.SectionGate, title: domain.SectionTitle(domain.SectionGate)}
	if gate := domain.GateWith(&d.View, 0); gate == domain.Pass {
		one.state = gate.String() + ", no blockers"
	} else {
		one.state = gate.String() + ", " + wording.Plural(count, "blocker", "blockers")
	}
	one.lines = append(one.lines, wording.Evaluated(&d.View)+".")
	for _, text := range carried {
		one.lines = append(one.lines, domain.Blocked.String()+": "+sentence(text))
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
func blockersSection(v *domain.View) section {
	one := section{name: domain.SectionBlockers, title: domain.SectionTitle(domain.SectionBlockers), state: "none"}
	for _, code := range v.Judgment().Blockers() {
		rule, _ := domain.RuleFor(v.Area(), code)
		one.lines = append(one.lines, domain.Blocked.String()+": "+code.String()+": "+rule.Meaning+" Cure: "+rule.Cure)
	}
	if n := len(one.lines); n > 0 {
		one.state = domain.Blocked.String() + ", " + wording.Plural(n, "blocker", "blockers")
	}
	return one
}

// ruleSection is what the policy says about this case's trigger; false where there is no policy or no case.
func ruleSection(v *domain.View, blind bool) (section, bool) {
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
	for _, outcome := range rule.Compatible.Words() {
		one.lines = append(one.lines, "Permits: "+outcome.Label()+": "+domain.EffectOf(outcome).Meaning)
	}
	return one, true
}

// redactionsSection lists the kinds of private members that came with the packet. None is kept.
func redactionsSection(v *domain.View) section {
	one := section{name: domain.SectionRedactions, title: domain.SectionTitle(domain.SectionRedactions), state: "for information"}
	for _, r := range v.Redactions() {
		one.lines = append(one.lines, "Redacted: "+r.Category.Label()+", "+wording.Plural(int(r.Count), "value", "values")+" never kept.")
	}
	if len(one.lines) == 0 {
		one.lines = []string{wording.NoPrivateMembers}
	}
	return one
}

// advisorySection is the advice on an appeal, unless it is held back, or what an amendment's transition protects.
func advisorySection(v *domain.View, blind bool) section {
	one := section{name: domain.SectionAdvisory, title: domain.SectionTitle(domain.SectionAdvisory)}
	if v.Area() == domain.Amendments {
		one.boundary(v)
		return one
	}
	if blind {
		one.name, one.state = 0, wording.HeldBack
		one.lines = []string{wording.HeldBackWhy + " " + wording.HeldBackHow}
		return one
	}
	decision := domain.DecisionOf(v.Judgment())
	one.state = decision.Outcome.Label()
	one.lines = append(one.lines, "Advised: "+decision.Outcome.Label()+": "+domain.EffectOf(decision.Outcome).Meaning+" "+wording.Advises)
	if asked := v.Judgment().RequestedOutcome(); asked.Present() {
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
func (one *section) boundary(v *domain.View) {
	one.lines = append(one.lines, "Protected: "+sentence(wording.Protected(v)))
	one.state = v.Judgment().Gate().String()
	for _, action := range v.Judgment().BlockedTransitions() {
		one.lines = append(one.lines, "blocked: held back: "+action.Label()+".")
	}
	if len(v.Judgment().BlockedTransitions()) == 0 {
		one.lines = append(one.lines, "pass: nothing is held back.")
	}
}

// historySection lists the held revisions and the records on this one.
func historySection(d *domain.Dossier) section {
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
