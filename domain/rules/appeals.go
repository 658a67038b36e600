package rules

import (
	"docket/domain/packets"
	"docket/domain/terms"
)

type appealFacts struct {
	policy       *packets.AppealPolicy // nil: none
	policyHashes packets.HashesMatched
	record       *packets.AppealCase // nil: none
	hashes       packets.HashesMatched
	latest       Latest
	now          terms.Instant
}

func (f *appealFacts) namesPolicy() bool {
	return f.record.PolicyID == f.policy.PolicyID && f.record.PolicyVersion == f.policy.PolicyVersion
}

func (f *appealFacts) outcomeRule() packets.OutcomeRule {
	if f.policy == nil || f.record == nil {
		return packets.OutcomeRule{}
	}
	return f.policy.OutcomeRules.For(f.record.Trigger)
}

const decidedCaseStatuses = terms.CaseStatusSet(1<<terms.CaseUpheld | 1<<terms.CaseCorrected | 1<<terms.CaseDismissed |
	1<<terms.CaseClosedUnresolved)

// appealRules is source 7.1 in its order.
var appealRules = [...]ruleOn[appealFacts]{
	{
		Rule: Rule{terms.AppealPolicyMissing,
			"The appeal policy that the case names is not here, or it has no usable outcome rule for the trigger.",
			"Import the policy with the id and version that the case names, with a rule for this trigger whose " +
				"advisory outcome is among its compatible ones."},
		withoutRecord: true,
		holds: func(f *appealFacts) bool {
			return f.policy == nil || f.record != nil && (!f.namesPolicy() || !f.outcomeRule().Usable())
		},
	},
	{
		Rule: Rule{terms.AppealPolicyNotCurrent,
			"The policy is not frozen and in effect now, is of another contract version, or is not known to be the latest " +
				"version.",
			"The service must publish the case under the latest frozen policy that is in effect."},
		withoutRecord: true,
		holds: func(f *appealFacts) bool {
			p := f.policy
			return p != nil && (p.Status != terms.AppealPolicyFrozen || !p.FrozenAt.NotAfter(f.now) ||
				!p.EffectiveFrom.NotAfter(f.now) || p.EffectiveUntil.NotAfter(f.now) ||
				p.ContractVersion != terms.AppealContract.Version || NotLatest(p.PolicyVersion, f.latest.PolicyVersion))
		},
	},
	{
		Rule: Rule{terms.AppealCaseMissing,
			"There is no filed appeal case: the record is absent or still a draft, or its time of filing is absent or in " +
				"the future.",
			"The appellant must file the case; import the filed revision, with the time at which it was filed."},
		withoutRecord: true,
		holds: func(f *appealFacts) bool {
			return f.record == nil || f.record.Status == terms.CaseDraft || !f.record.FiledAt.NotAfter(f.now)
		},
	},
	{
		Rule: Rule{terms.AppealCaseStale,
			"The case is stale: marked so, not known to be the latest revision, or of another contract version.",
			cureOfStale},
		holds: func(f *appealFacts) bool {
			return f.record.Status == terms.CaseStale || NotLatest(f.record.Revision, f.latest.Revision) ||
				f.record.ContractVersion.String() != terms.AppealContract.Version
		},
		cure: func(f *appealFacts) string {
			return staleCure(f.record.Revision, f.latest.Revision, f.record.ContractVersion.String(), terms.AppealContract.Version)
		},
	},
	{
		Rule: Rule{terms.AppealCaseSuperseded,
			"Another case has taken the place of this one.",
			"Judge the case that superseded it."},
		holds: func(f *appealFacts) bool { return f.record.Status == terms.CaseSuperseded },
	},
	{
		Rule: Rule{terms.StandingMissing,
			"Standing is not established: no category, not accepted, or an affected party without a privacy-safe summary. " +
				"A text without a visible character counts as none.",
			"The service must state the standing category and accept it; an affected party needs a privacy-safe summary."},
		holds: func(f *appealFacts) bool {
			s := &f.record.Standing
			return !s.Category.Present() || !s.Accepted.IsTrue() ||
				s.Category == terms.StandingAffectedParty && !s.PrivacySafeSummary.Safe()
		},
	},
	{
		Rule: Rule{terms.NoticeMissing,
			noNotice,
			noticeCure},
		holds: func(f *appealFacts) bool {
			n := f.record.Notice
			excused := n.State == terms.NoticeNotRequired && (f.record.Status == terms.CaseDraft || f.record.Status == terms.CaseFiled)
			return !n.DeliveredBy(f.now) && !excused
		},
		cure: func(f *appealFacts) string { return cureOfNotice(f.record.Notice, "a draft or filed case") },
	},
	{
		Rule: Rule{terms.DeadlineMissing,
			"The case has no deadline.",
			"The service must set the deadline by which the appeal is decided."},
		holds: func(f *appealFacts) bool { return !f.record.Deadline.Present() },
	},
	{
		Rule: Rule{terms.DeadlineExpired,
			"The deadline has passed and the case is not decided.",
			"The service must extend the deadline in a new revision; where the outcome may be recorded, a reviewer of the case " +
				"can also close it as unresolved."},
		holds: func(f *appealFacts) bool {
			deadline := f.record.Deadline
			return deadline.Present() && !f.now.NotAfter(deadline) && !decidedCaseStatuses.Has(f.record.Status)
		},
		cure: func(f *appealFacts) string {
			findings := findingsOf(f, terms.SetOf(terms.DeadlineExpired))
			if findings.Obstacle(terms.Blocked, terms.CloseUnresolved) != "" {
				return "The service must extend the deadline in a new revision."
			}
			return "A reviewer of the case can close it as unresolved; the service can extend the deadline in a new revision."
		},
	},
	{
		Rule: Rule{terms.NeutralReviewMissing,
			"No neutral reviewer is established: not assigned, not checked for conflicts, in conflict, recused, a party " +
				"to the appeal, or the one who took the challenged decision.",
			"The service must assign a reviewer who is checked, without conflict, not recused, no party and not the " +
				"original decider."},
		holds: func(f *appealFacts) bool {
			review := &f.record.NeutralReview
			return neutralReviewMissing(review, f.record.OriginalDeciderID, f.record.HasParty(review.ReviewerID))
		},
	},
	{
		Rule: Rule{terms.ScopeMissing,
			"The appeal is not scoped to one reviewed item: subject, id, trigger or scope hash is missing or wrong, a " +
				"remedy gap is not named in visible words, or the parent record would change.",
			"Name the one item and the trigger, seal the scope hash, name the remedy gap where that is the trigger, and " +
				"ask for no change of the parent record."},
		holds: func(f *appealFacts) bool {
			r := f.record
			return !r.Subject.Present() || !r.SubjectID.Present() || !r.Trigger.Present() ||
				!f.hashes.Scope || r.RequestedEffects.Has(terms.ChangeParentRecord) ||
				r.Trigger == terms.ExternalityRemedyGap && !r.RemedyGap.Present()
		},
	},
	{
		Rule: Rule{terms.PrivateDetailsUnredacted,
			"Private details are not redacted, or the appeal asks to show them.",
			"The source must redact the case, take private details out of its texts, and drop the request to show them."},
		holds: func(f *appealFacts) bool {
			r := f.record
			return r.Redaction.Status != terms.RedactionDone || r.RequestedEffects.Has(terms.ShowPrivateDetails) || r.HoldsMaskedText()
		},
	},
	{
		Rule: Rule{terms.SafetyBlockerWaiverAttempted,
			"The appeal asks to waive a safety blocker, or does not say which effects it asks for.",
			"File the appeal again with its requested effects listed and without this one; safety stays with its humans."},
		holds: func(f *appealFacts) bool {
			return !f.record.RequestedEffects.Present() || f.record.RequestedEffects.Has(terms.WaiveSafetyBlocker)
		},
	},
	{
		Rule: Rule{terms.SettledObligationReopenAttempted,
			"The appeal asks to reopen a settled obligation, or does not say which effects it asks for.",
			"File the appeal again with its requested effects listed and without this one; what is settled stays settled."},
		holds: func(f *appealFacts) bool {
			return !f.record.RequestedEffects.Present() || f.record.RequestedEffects.Has(terms.ReopenSettledObligation)
		},
	},
	{
		Rule: Rule{terms.NonRetaliationMissing,
			"The parties have not acknowledged that nobody is penalised for appealing.",
			"Obtain the acknowledgement and import the revision that has it."},
		holds: func(f *appealFacts) bool { return !f.record.NonRetaliation.Acknowledged.IsTrue() },
	},
	{
		Rule: Rule{terms.EvidenceScopeMissing,
			"The case names no evidence.",
			"List the evidence items that the appeal is about."},
		holds: func(f *appealFacts) bool { return len(f.record.EvidenceScope.Items) == 0 },
	},
	{
		Rule: Rule{terms.InvalidCaseHash,
			"The case hash is absent or does not match the case: it was changed after it was sealed.",
			"Have the service publish the case again, sealed; do not rely on this copy."},
		holds: func(f *appealFacts) bool { return !f.hashes.Own },
	},
	{
		Rule: Rule{terms.InvalidPolicyHash,
			"The policy hash is absent, does not match the policy, or is not the one that the case was filed under.",
			"Import the policy exactly as it was frozen, and the case under its hash."},
		withoutRecord: true,
		holds: func(f *appealFacts) bool {
			return f.policy != nil && (!f.policyHashes.Own ||
				f.record != nil && !f.record.PolicyHash.Matches(f.policy.PolicyHash))
		},
	},
}
