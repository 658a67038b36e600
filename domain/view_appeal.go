package domain

import (
	"cmp"
	"strings"
)

// appealSections lays out an appeal case. The rows name the rules that read them, so that the marks follow the rules.
func appealSections(v *View) []Section {
	c, policy := v.question.AppealCase().Pointer(), v.question.AppealPolicy().Pointer()
	if c == nil {
		return nil
	}
	return layOut(v.Judgment().BlockerSet(),
		sectionFill{SectionItem, func(r *rows) { c.itemRows(r, v.latest) }},
		sectionFill{SectionStanding, c.standingRows},
		sectionFill{SectionNotice, func(r *rows) { c.noticeRows(r, v.EvaluatedAt()) }},
		sectionFill{SectionEvidence, c.evidenceRows},
		sectionFill{SectionRequest, func(r *rows) { c.requestRows(r, policy) }},
		sectionFill{SectionReview, c.reviewRows},
		sectionFill{SectionPolicy, func(r *rows) { appealPolicyRows(r, c, policy, v) }},
		sectionFill{SectionIntegrity, func(r *rows) { c.integrityRows(r, v.question.AppealCase().Digests(), v.question.AppealPolicy()) }},
	)
}

func (c *AppealCase) itemRows(r *rows, latest Latest) {
	otherContract := c.ContractVersion.String() != AppealContract.Version
	r.add("case", string(c.CaseID))
	r.read(NotLatest(c.Revision, latest.Revision), "revision", revisionLabel(c.Revision, latest.Revision), AppealCaseStale)
	r.read(true, "status", c.Status.Label(), statusCodes(c.Status)...)
	r.read(!c.Subject.Present(), "subject", c.Subject.Label(), ScopeMissing)
	r.read(!c.SubjectID.Present(), "subject id", string(c.SubjectID), ScopeMissing)
	r.read(!c.Trigger.Present(), "trigger", c.Trigger.Label(), ScopeMissing, AppealPolicyMissing)
	r.readText(otherContract, "contract version", c.ContractVersion, AppealCaseStale)
}

// statusCodes are the blockers that a status alone brings about.
func statusCodes(status CaseStatus) []Blocker {
	switch status {
	case CaseDraft:
		return []Blocker{AppealCaseMissing}
	case CaseStale:
		return []Blocker{AppealCaseStale}
	case CaseSuperseded:
		return []Blocker{AppealCaseSuperseded}
	}
	return nil
}

func (c *AppealCase) standingRows(r *rows) {
	r.read(!c.Standing.Category.Present(), "category", c.Standing.Category.Label(), StandingMissing)
	r.read(!c.Standing.Accepted.IsTrue(), "accepted", yesNo(c.Standing.Accepted), StandingMissing)
	if summary := c.Standing.PrivacySafeSummary; c.Standing.Category == StandingAffectedParty {
		r.readText(!summary.Present(), "privacy-safe summary", summary, StandingMissing)
	} else {
		r.readText(false, "privacy-safe summary", summary)
	}
	r.read(true, "non-retaliation acknowledged", yesNo(c.NonRetaliation.Acknowledged), NonRetaliationMissing)
}

func (c *AppealCase) noticeRows(r *rows, now Instant) {
	c.Notice.rows(r, now)
	r.read(!c.FiledAt.NotAfter(now), "filed", c.FiledAt.String(), AppealCaseMissing)
	r.read(true, "deadline", c.Deadline.String(), DeadlineMissing, DeadlineExpired)
}

func (c *AppealCase) evidenceRows(r *rows) {
	r.read(true, "items", joinIDs(c.EvidenceScope.Items), EvidenceScopeMissing)
	r.readText(false, "statement", c.EvidenceScope.Statement)
	switch {
	case c.Trigger == ExternalityRemedyGap:
		r.readText(!c.RemedyGap.Present(), "remedy gap", c.RemedyGap, ScopeMissing)
	case c.RemedyGap.Present():
		r.readText(false, "remedy gap", c.RemedyGap)
	}
}

// effectBlockers says which blocker a requested effect brings about.
var effectBlockers = [...]Blocker{
	WaiveSafetyBlocker:      SafetyBlockerWaiverAttempted,
	ReopenSettledObligation: SettledObligationReopenAttempted,
	ChangeParentRecord:      ScopeMissing,
	ShowPrivateDetails:      PrivateDetailsUnredacted,
}

func (c *AppealCase) requestRows(r *rows, policy *AppealPolicy) {
	r.add("outcome asked for", cmp.Or(c.RequestedOutcome.Label(), "none asked for"))
	if c.requestMisfits(policy) {
		r.add("fits the trigger", "no: the policy does not permit it for "+c.Trigger.Label()+", so its advice stands")
		r.list[len(r.list)-1].Advice = true
	}
	codes := []Blocker{SafetyBlockerWaiverAttempted, SettledObligationReopenAttempted}
	if c.RequestedEffects.Present() {
		codes = nil
		for _, effect := range c.RequestedEffects.Words.Words() {
			codes = append(codes, effectBlockers[effect])
		}
	}
	r.read(true, "effects asked for", declaredLabel(c.RequestedEffects), codes...)
	r.read(c.Redaction.Status != RedactionDone, "redaction", c.Redaction.Status.Label(), PrivateDetailsUnredacted)
}

// requestMisfits tells whether the case asks for an outcome that the policy does not permit for its trigger (source 2.3.4).
// Without a rule that can be used nothing is permitted or not.
func (c *AppealCase) requestMisfits(policy *AppealPolicy) bool {
	if policy == nil || !c.RequestedOutcome.Present() || !c.Trigger.Present() {
		return false
	}
	rule := policy.OutcomeRules.For(c.Trigger)
	return rule.Usable() && !rule.Compatible.Has(c.RequestedOutcome)
}

func (c *AppealCase) reviewRows(r *rows) {
	ownCause := c.HasParty(c.NeutralReview.ReviewerID)
	c.NeutralReview.rows(r, c.OriginalDeciderID, ownCause)
	r.read(ownCause, "parties", cmp.Or(joinIDs(c.PartyIDs), "none named"), NeutralReviewMissing)
}

func (c *AppealCase) integrityRows(r *rows, digests Digests, policy *Redacted[AppealPolicy]) {
	r.read(true, "case hash", c.CaseHash.String(), InvalidCaseHash)
	r.add(recomputedLabel, digests.Content.String())
	r.read(!c.ScopeHash.Matches(digests.Scope), "scope hash", c.ScopeHash.String(), ScopeMissing)
	r.add(recomputedLabel, digests.Scope.String())
	policyHashRows(r, c.PolicyHash, policy.Record().PolicyHash, policy.Digests().Content, policy.Held())
}

func appealPolicyRows(r *rows, c *AppealCase, policy *AppealPolicy, v *View) {
	r.read(policy == nil, "named by the case", policyName(c.PolicyID, c.PolicyVersion), AppealPolicyMissing)
	if policy == nil {
		r.read(true, "held here", "", AppealPolicyMissing)
		return
	}
	now := v.EvaluatedAt()
	other := policy.PolicyID != c.PolicyID || policy.PolicyVersion != c.PolicyVersion
	r.read(other, "held here", policyName(policy.PolicyID, policy.PolicyVersion), AppealPolicyMissing)
	r.read(NotLatest(policy.PolicyVersion, v.latest.PolicyVersion), "latest version held",
		number(v.latest.PolicyVersion), AppealPolicyNotCurrent)
	r.read(policy.Status != AppealPolicyFrozen, "status", policy.Status.Label(), AppealPolicyNotCurrent)
	r.read(!policy.FrozenAt.NotAfter(now), "frozen", policy.FrozenAt.String(), AppealPolicyNotCurrent)
	r.read(!policy.EffectiveFrom.NotAfter(now), "effective from", policy.EffectiveFrom.String(), AppealPolicyNotCurrent)
	r.read(policy.EffectiveUntil.NotAfter(now), "effective until", cmp.Or(policy.EffectiveUntil.String(), "no end"),
		AppealPolicyNotCurrent)
	r.read(policy.ContractVersion != AppealContract.Version, "contract version", policy.ContractVersion,
		AppealPolicyNotCurrent)
	for _, trigger := range Triggers.All() {
		rule := policy.OutcomeRules.For(trigger)
		if trigger == c.Trigger {
			r.read(!rule.Usable(), "rule: "+trigger.Label(), ruleLabel(rule), AppealPolicyMissing)
		} else {
			r.add("rule: "+trigger.Label(), ruleLabel(rule))
		}
		r.list[len(r.list)-1].Advice = true
	}
}

// ruleLabel writes an outcome rule; "" for one that says nothing.
func ruleLabel(rule OutcomeRule) string {
	if !rule.Advisory.Present() && rule.Compatible.Empty() {
		return ""
	}
	return "advises " + cmp.Or(rule.Advisory.Label(), "nothing") + "; permits " + cmp.Or(labels(rule.Compatible), "nothing")
}

func labels[K Kind](set Set[K]) string {
	words := set.Words()
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Label()
	}
	return strings.Join(texts, ", ")
}
