package views

import (
	"cmp"
	"fmt"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// appealSections name the rules that read each row, so that the marks follow the rules.
var appealSections = sections[packets.AppealCase, packets.AppealPolicy]{
	{SectionItem, caseItemRows}, {SectionStanding, standingRows}, {SectionNotice, caseNoticeRows}, {SectionEvidence, evidenceRows},
	{SectionRequest, requestRows}, {SectionReview, caseReviewRows}, {SectionPolicy, appealPolicyRows},
	{SectionIntegrity, caseIntegrityRows},
}

func caseItemRows(v *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	otherContract := c.ContractVersion.String() != terms.AppealContract.Version
	r.add("case", string(c.CaseID))
	r.read(rules.NotLatest(c.Revision, v.latest.Revision), "revision", revisionLabel(c.Revision, v.latest.Revision), terms.AppealCaseStale)
	r.read(true, "status", c.Status.Label(), statusCodes(c.Status)...)
	r.read(!c.Subject.Present(), "subject", c.Subject.Label(), terms.ScopeMissing)
	r.read(!c.SubjectID.Present(), "subject id", string(c.SubjectID), terms.ScopeMissing)
	r.read(!c.Trigger.Present(), LabelTrigger, c.Trigger.Label(), terms.ScopeMissing, terms.AppealPolicyMissing)
	r.readText(otherContract, "contract version", c.ContractVersion, terms.AppealCaseStale)
}

func statusCodes(status terms.CaseStatus) []terms.Blocker {
	switch status {
	case terms.CaseDraft:
		return []terms.Blocker{terms.AppealCaseMissing}
	case terms.CaseStale:
		return []terms.Blocker{terms.AppealCaseStale}
	case terms.CaseSuperseded:
		return []terms.Blocker{terms.AppealCaseSuperseded}
	}
	return nil
}

func standingRows(_ *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	r.read(!c.Standing.Category.Present(), LabelStanding, c.Standing.Category.Label(), terms.StandingMissing)
	r.read(!c.Standing.Accepted.IsTrue(), LabelAccepted, yesNo(c.Standing.Accepted), terms.StandingMissing)
	if summary := c.Standing.PrivacySafeSummary; c.Standing.Category == terms.StandingAffectedParty {
		r.readText(!summary.Safe(), LabelSummary, summary, terms.StandingMissing)
	} else {
		r.readText(false, LabelSummary, summary)
	}
	r.read(true, "non-retaliation acknowledged", yesNo(c.NonRetaliation.Acknowledged), terms.NonRetaliationMissing)
}

func caseNoticeRows(v *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	noticeRows(&c.Notice, r, v.EvaluatedAt())
	r.read(!c.FiledAt.NotAfter(v.EvaluatedAt()), "filed", c.FiledAt.String(), terms.AppealCaseMissing)
	r.read(true, LabelDeadline, c.Deadline.String(), terms.DeadlineMissing, terms.DeadlineExpired)
}

func evidenceRows(_ *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	r.read(true, LabelItems, joinIDs(c.EvidenceScope.Items), terms.EvidenceScopeMissing)
	r.listing(c.EvidenceScope.Items)
	r.readText(false, LabelStatement, c.EvidenceScope.Statement)
	switch {
	case c.Trigger == terms.ExternalityRemedyGap:
		r.readText(!c.RemedyGap.Present(), LabelRemedyGap, c.RemedyGap, terms.ScopeMissing)
	case c.RemedyGap.Present():
		r.readText(false, LabelRemedyGap, c.RemedyGap)
	}
}

var effectBlockers = [...]terms.Blocker{
	terms.WaiveSafetyBlocker:      terms.SafetyBlockerWaiverAttempted,
	terms.ReopenSettledObligation: terms.SettledObligationReopenAttempted,
	terms.ChangeParentRecord:      terms.ScopeMissing,
	terms.ShowPrivateDetails:      terms.PrivateDetailsUnredacted,
}

func requestRows(_ *View, r *rows, c *packets.AppealCase, policy *packets.AppealPolicy) {
	r.add(LabelAsked, cmp.Or(c.RequestedOutcome.Label(), "none asked for"))
	if requestMisfits(c, policy) {
		r.add(LabelFits, fmt.Sprintf("no: not in this policy for %s; the advice stands", c.Trigger.Label()))
		r.list[len(r.list)-1].Advice = true
	}
	codes := []terms.Blocker{terms.SafetyBlockerWaiverAttempted, terms.SettledObligationReopenAttempted}
	if c.RequestedEffects.Present() {
		codes = nil
		for _, effect := range c.RequestedEffects.Set.Terms() {
			codes = append(codes, effectBlockers[effect])
		}
	}
	r.read(true, LabelEffects, declaredLabel(c.RequestedEffects), codes...)
	r.read(c.Redaction.Status != terms.RedactionDone, "redaction", c.Redaction.Status.Label(), terms.PrivateDetailsUnredacted)
}

// requestMisfits reports whether the policy does not permit the requested outcome for the trigger
// (source 2.3.4); false without a usable rule.
func requestMisfits(c *packets.AppealCase, policy *packets.AppealPolicy) bool {
	if policy == nil || !c.RequestedOutcome.Present() || !c.Trigger.Present() {
		return false
	}
	rule := policy.OutcomeRules.For(c.Trigger)
	return rule.Usable() && !rule.Compatible.Has(c.RequestedOutcome)
}

func caseReviewRows(_ *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	ownCause := c.HasParty(c.NeutralReview.ReviewerID)
	neutralReviewRows(&c.NeutralReview, r, c.OriginalDeciderID, ownCause)
	r.read(ownCause, "parties", cmp.Or(joinIDs(c.PartyIDs), "none named"), terms.NeutralReviewMissing)
	r.listing(c.PartyIDs)
}

func caseIntegrityRows(v *View, r *rows, c *packets.AppealCase, _ *packets.AppealPolicy) {
	held, policy := v.input.AppealCase(), v.input.AppealPolicy()
	digests, matched := held.Digests(), held.HashesMatched()
	r.hash("case hash", c.CaseHash, held, digests.Content, matched.Own, terms.InvalidCaseHash)
	r.hash("scope hash", c.ScopeHash, held, digests.Scope, matched.Scope, terms.ScopeMissing)
	policyHashRows(r, c.PolicyHash, policy.Record().PolicyHash, policy)
}

func appealPolicyRows(v *View, r *rows, c *packets.AppealCase, policy *packets.AppealPolicy) {
	if !r.policy("named by the case", packets.Key{ID: c.PolicyID, Number: c.PolicyVersion},
		v.input.AppealPolicy(), terms.AppealPolicyMissing) {
		return
	}
	now := v.EvaluatedAt()
	r.read(rules.NotLatest(policy.PolicyVersion, v.latest.PolicyVersion), "latest version held",
		number(v.latest.PolicyVersion), terms.AppealPolicyNotCurrent)
	r.read(policy.Status != terms.AppealPolicyFrozen, "status", policy.Status.Label(), terms.AppealPolicyNotCurrent)
	r.read(!policy.FrozenAt.NotAfter(now), "frozen", policy.FrozenAt.String(), terms.AppealPolicyNotCurrent)
	r.read(!policy.EffectiveFrom.NotAfter(now), "effective from", policy.EffectiveFrom.String(), terms.AppealPolicyNotCurrent)
	r.read(policy.EffectiveUntil.NotAfter(now), "effective until", cmp.Or(policy.EffectiveUntil.String(), "no end"),
		terms.AppealPolicyNotCurrent)
	r.read(policy.ContractVersion != terms.AppealContract.Version, "contract version", policy.ContractVersion,
		terms.AppealPolicyNotCurrent)
	for _, trigger := range terms.Triggers.All() {
		rule := policy.OutcomeRules.For(trigger)
		if trigger == c.Trigger {
			r.read(!rule.Usable(), fmt.Sprintf("rule: %s", trigger.Label()), ruleLabel(rule), terms.AppealPolicyMissing)
		} else {
			r.add(fmt.Sprintf("rule: %s", trigger.Label()), ruleLabel(rule))
		}
		r.list[len(r.list)-1].Advice = true
	}
}

func ruleLabel(rule packets.OutcomeRule) string {
	if !rule.Advisory.Present() && rule.Compatible.Empty() {
		return ""
	}
	return fmt.Sprintf("by default %s; permits %s", cmp.Or(rule.Advisory.Label(), "nothing"), cmp.Or(labels(rule.Compatible), "nothing"))
}
