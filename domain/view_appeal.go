package domain

import "strings"

// appealSections lays out an appeal case. The rows name the rules that read them, so that the marks follow the rules.
func appealSections(v *View) []Section {
	c, policy := v.question.appealCase.pointer(), v.question.appealPolicy.pointer()
	if c == nil {
		return nil
	}
	held := v.judgment.blockers
	section := func(name SectionName, fill func(*rows)) Section {
		r := rows{held: held}
		fill(&r)
		return Section{name, r.list}
	}
	return []Section{
		section(SectionItem, c.itemRows),
		section(SectionStanding, c.standingRows),
		section(SectionNotice, c.noticeRows),
		section(SectionEvidence, c.evidenceRows),
		section(SectionRequest, c.requestRows),
		section(SectionReview, func(r *rows) { c.NeutralReview.rows(r, c.OriginalDeciderID) }),
		section(SectionPolicy, func(r *rows) { appealPolicyRows(r, c, policy) }),
		section(SectionIntegrity, func(r *rows) { c.integrityRows(r, v.question.appealCase.digests, policy) }),
	}
}

func (c *AppealCase) itemRows(r *rows) {
	r.add("case", string(c.CaseID))
	r.add("revision", number(c.Revision), AppealCaseStale)
	r.add("status", c.Status.Label(), AppealCaseMissing, AppealCaseSuperseded)
	r.add("subject", c.Subject.Label(), ScopeMissing)
	r.add("subject id", string(c.SubjectID), ScopeMissing)
	r.add("trigger", c.Trigger.Label(), ScopeMissing, AppealPolicyMissing)
	r.add("contract version", masked(c.ContractVersion), AppealCaseStale)
}

func (c *AppealCase) standingRows(r *rows) {
	r.add("category", c.Standing.Category.Label(), StandingMissing)
	r.add("accepted", yesNo(c.Standing.Accepted), StandingMissing)
	codes := []Blocker{PrivateDetailsUnredacted}
	if c.Standing.Category == StandingAffectedParty {
		codes = append(codes, StandingMissing)
	}
	r.addText("privacy-safe summary", c.Standing.PrivacySafeSummary, codes...)
	r.add("non-retaliation acknowledged", yesNo(c.NonRetaliation.Acknowledged), NonRetaliationMissing)
}

func (c *AppealCase) noticeRows(r *rows) {
	c.Notice.rows(r)
	r.add("filed", c.FiledAt.String())
	r.add("deadline", c.Deadline.String(), DeadlineMissing, DeadlineExpired)
}

func (c *AppealCase) evidenceRows(r *rows) {
	r.add("items", joinIDs(c.EvidenceScope.Items), EvidenceScopeMissing)
	r.addText("statement", c.EvidenceScope.Statement)
	if c.RemedyGap.Present() || c.Trigger == ExternalityRemedyGap {
		r.addText("remedy gap", c.RemedyGap, ScopeMissing)
	}
}

func (c *AppealCase) requestRows(r *rows) {
	requested := c.RequestedOutcome.Label()
	if requested == "" {
		requested = "none asked for"
	}
	r.add("outcome asked for", requested)
	r.add("effects asked for", declaredLabel(c.RequestedEffects),
		SafetyBlockerWaiverAttempted, SettledObligationReopenAttempted, ScopeMissing, PrivateDetailsUnredacted)
	r.add("redaction", c.Redaction.Status.Label(), PrivateDetailsUnredacted)
}

func (c *AppealCase) integrityRows(r *rows, digests Digests, policy *AppealPolicy) {
	r.add("case hash", c.CaseHash.String(), InvalidCaseHash)
	r.add("recomputed", digests.Content.String())
	r.add("scope hash", c.ScopeHash.String(), ScopeMissing)
	r.add("recomputed", digests.Scope.String())
	r.add("policy hash named", c.PolicyHash.String(), InvalidPolicyHash)
	if policy != nil {
		r.add("policy hash held", policy.PolicyHash.String(), InvalidPolicyHash)
	}
}

func appealPolicyRows(r *rows, c *AppealCase, policy *AppealPolicy) {
	r.add("named by the case", policyName(c.PolicyID, c.PolicyVersion), AppealPolicyMissing)
	if policy == nil {
		r.add("held here", "", AppealPolicyMissing)
		return
	}
	r.add("held here", policyName(policy.PolicyID, policy.PolicyVersion), AppealPolicyMissing)
	r.add("status", policy.Status.Label(), AppealPolicyNotCurrent)
	r.add("frozen", policy.FrozenAt.String(), AppealPolicyNotCurrent)
	r.add("effective from", policy.EffectiveFrom.String(), AppealPolicyNotCurrent)
	until := policy.EffectiveUntil.String()
	if until == "" {
		until = "no end"
	}
	r.add("effective until", until, AppealPolicyNotCurrent)
	r.add("contract version", masked(policy.ContractVersion), AppealPolicyNotCurrent)
	for _, trigger := range Triggers.All() {
		rule := policy.OutcomeRules.For(trigger)
		value := ""
		if rule.Advisory.Present() || !rule.Compatible.Empty() {
			value = "advises " + labelOr(rule.Advisory.Label(), "nothing") + "; permits " +
				labelOr(labels(rule.Compatible), "nothing")
		}
		if trigger == c.Trigger {
			r.add("rule: "+trigger.Label(), value, AppealPolicyMissing)
		} else {
			r.add("rule: "+trigger.Label(), value)
		}
	}
}

func labels[K kind](set Set[K]) string {
	words := set.Words()
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Label()
	}
	return strings.Join(texts, ", ")
}

func labelOr(label, otherwise string) string {
	if label == "" {
		return otherwise
	}
	return label
}
