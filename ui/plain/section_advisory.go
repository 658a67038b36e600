package plain

import (
	"docket/domain"
	"docket/ui/wording"
)

// advisorySection is what the rules advise on an appeal, unless that is held back, or what an amendment protects and holds back.
func advisorySection(v *domain.View, blind bool) section {
	one := section{name: domain.SectionAdvisory, title: domain.SectionTitle(domain.SectionAdvisory)}
	if v.Area() == domain.Amendments {
		one.boundary(v)
		return one
	}
	if blind {
		one.name, one.state = 0, wording.HeldBack
		one.lines = []string{wording.HeldBackWhy + " Deciding asks for it first."}
		return one
	}
	decision := v.Judgment().Decision()
	one.state = decision.Outcome.Label()
	one.lines = append(one.lines, "Advised: "+decision.Outcome.Label()+": "+domain.EffectOf(decision.Outcome).Meaning+
		" It advises; a human decides.")
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

// boundary says what an amendment's transition protects and what may not proceed.
func (one *section) boundary(v *domain.View) {
	boundary := v.Judgment().ProtectedBoundary()
	if boundary == "" {
		boundary = "The transition is not known, so every action that any transition guards is held back."
	}
	one.lines = append(one.lines, "Protected: "+sentence(boundary))
	one.state = v.Judgment().Gate().String()
	for _, action := range v.Judgment().BlockedTransitions() {
		one.lines = append(one.lines, "blocked: held back: "+action.Label()+".")
	}
	if len(v.Judgment().BlockedTransitions()) == 0 {
		one.lines = append(one.lines, "pass: nothing is held back.")
	}
}

// historySection lists the revisions that are held and the records on this one.
func historySection(d *domain.Dossier) section {
	one := section{title: "Revisions and records", state: wording.Plural(len(d.Revisions), "revision", "revisions") + ", " +
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
