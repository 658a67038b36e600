package views

import (
	"strings"

	"docket/domain/terms"
)

// The sentences for the parties: each code of a decision for a reader who has never seen docket
// (this project's choice). Those of the rule books and of sentences.go tell a reviewer when a rule
// holds and what cures it; a party needs to know what was found.

// blockerGrounds is indexed by Blocker: the reason why the gate is blocked.
var blockerGrounds = [...]string{
	terms.AppealPolicyMissing: "The policy that this kind of appeal is decided under was not there, or it has no rule for the reason that the appeal gives.",
	terms.AppealPolicyNotCurrent: "The policy that the appeal was filed under was not in force when the decision was taken, or was not known to be the newest " +
		"version.",
	terms.AppealCaseMissing:    "The appeal had not been filed: it was a draft, or no time of filing was stated that had passed.",
	terms.AppealCaseStale:      "The appeal that was decided on is out of date: a newer revision may exist, or it follows an older contract.",
	terms.AppealCaseSuperseded: "A newer appeal has taken the place of this one.",
	terms.StandingMissing: "It was not established that the person who appeals may do so: the kind of standing was not stated or not accepted, or the " +
		"summary that a person who is affected must give was missing.",
	terms.NoticeMissing:   "It was not shown that the parties had been told about this.",
	terms.DeadlineMissing: "No deadline had been set by which the appeal has to be decided.",
	terms.DeadlineExpired: "The deadline passed before the appeal was decided.",
	terms.NeutralReviewMissing: "No neutral reviewer was established: nobody was assigned, or it was not shown that the reviewer has no interest in the " +
		"result, is no party, and did not take the decision that is reviewed.",
	terms.ScopeMissing: "The appeal was not limited to one reviewed item: the item, the reason for the appeal, or the seal over both was missing or did " +
		"not match, or it would have changed another record.",
	terms.PrivateDetailsUnredacted:         "Private details had not been taken out, or the appeal asked to show them.",
	terms.SafetyBlockerWaiverAttempted:     "The appeal asked to lift a safety measure, which no appeal can do, or it did not say what it asks for.",
	terms.SettledObligationReopenAttempted: "The appeal asked to reopen what had been settled, which no appeal can do, or it did not say what it asks for.",
	terms.NonRetaliationMissing:            "It was not acknowledged that nobody may be put at a disadvantage for appealing.",
	terms.EvidenceScopeMissing:             "The appeal did not name the evidence that it is about.",
	terms.InvalidCaseHash:                  "The appeal does not match its own seal, so it may have been changed after it was filed.",
	terms.InvalidPolicyHash:                "The policy does not match its own seal, or is not the one that applied, so it may have been changed.",

	terms.PolicyMissing:                "The policy that this change is decided under was not there, or it does not cover this kind of change.",
	terms.PolicyMutable:                "The policy could still be changed: it had not been frozen.",
	terms.PolicyStale:                  "The policy was out of date.",
	terms.PolicySuperseded:             "A newer version of the policy has taken the place of this one, or this one was not known to be the newest.",
	terms.AmendmentMissing:             "The change could not be identified: what kind it is or which terms it changes was missing or contradictory.",
	terms.AmendmentUnconfirmed:         "The parties had not confirmed the change.",
	terms.AmendmentNotApproved:         "The change had not been approved.",
	terms.AmendmentNotApplied:          "The change had not been applied, so nothing may rely on it yet.",
	terms.AmendmentRejectedOrWithdrawn: "The change had been rejected or withdrawn.",
	terms.AmendmentStaleBlocker:        "The change that was decided on is out of date: a newer revision may exist, or it follows an older contract.",
	terms.AmendmentSupersededBlocker:   "A newer change has taken the place of this one.",
	terms.ParentRecordEditDetected: "The agreement itself is not what it was when it was locked, or that could not be shown. Editing the agreement is no " +
		"way to change it.",
	terms.RetroactivePerformanceChange:      "The change would alter what had been done before it, or that was not ruled out.",
	terms.EvidenceClaimRetypedBlocker:       "Evidence given for one kind of claim would count for another, or that was not ruled out.",
	terms.ExposureIncreaseUnconfirmed:       "A party would bear a greater risk, and not every party whose confirmation is needed had confirmed that.",
	terms.FundsRedirectUnconfirmed:          "Money would go elsewhere, and not every party whose confirmation is needed had confirmed that.",
	terms.CompensationChangeUnconfirmed:     "A compensation would change, and not every party whose confirmation is needed had confirmed that.",
	terms.CancellationRightsNarrowedBlocker: "Rights to cancel would be narrowed, or that was not ruled out, without the confirmations that this needs.",
	terms.PrivacyChangeUnconfirmed:          "What is kept private would change, and not every party whose confirmation is needed had confirmed that.",
	terms.DonorOfRecordChangeUnconfirmed:    "The donor on record would change, and not every party whose confirmation is needed had confirmed that.",
	terms.ThirdPartyObligationChangeUnconfirmed: "An obligation of somebody who is no party would change, and not every party whose confirmation is needed had " +
		"confirmed that.",
	terms.RenewedConfirmationMissing:           "A renewed confirmation by the parties is needed, and one or more of them was missing.",
	terms.RenewedConfirmationStale:             "A renewed confirmation had expired.",
	terms.ParticipantConfirmationScopeMismatch: "A party confirmed other terms than those that the change would bring.",
	terms.ReviewerQualityMissing:               "It was not shown that the reviewers meet the criteria for reviewers.",
	terms.BaselineIntegrityMissing:             "The state against which the change is measured had not been verified.",
	terms.BeforeTermsHashMissing:               "The seal over the terms before the change was missing.",
	terms.AfterTermsHashMissing:                "The seal over the terms after the change was missing, or was that of the terms before.",
	terms.PolicySnapshotBundleMissing:          "The copy of the policy that has to be kept with the change was missing or was another one.",
	terms.InvalidAmendmentHash:                 "The change does not match its own seal, so it may have been altered after it was published.",
}

// factorGrounds is indexed by FactorCode: the grounds of the decision.
var factorGrounds = [...]string{
	terms.SpecificReviewedClaim:        "The appeal is about one item that had been reviewed.",
	terms.StandingEstablished:          "The person who appeals may do so.",
	terms.AffectedPartyStanding:        "The person who appeals is affected by the decision.",
	terms.EvidenceScopeNamed:           "The appeal names the evidence that it is about.",
	terms.DuplicateProofReview:         "The appeal asks whether the same proof was counted more than once.",
	terms.CoerciveBaselineReview:       "The appeal asks whether the starting point was agreed under pressure.",
	terms.WrongScopeEvidenceReview:     "The appeal asks whether the evidence is about something else.",
	terms.MaterialFactualErrorReview:   "The appeal asks whether a fact that matters is wrong.",
	terms.PrivacyDisclosureReview:      "The appeal asks whether something private was disclosed, or something was wrongly withheld.",
	terms.ExternalityRemedyReview:      "The appeal asks whether the remedy for an effect on others leaves a gap.",
	terms.ReviewerConflictReview:       "The appeal asks whether a reviewer had an interest in the result.",
	terms.PolicyFlagReview:             "The appeal asks whether a policy was applied wrongly.",
	terms.ChallengeWindowRequired:      "A period should open in which the item can be challenged.",
	terms.HumanReviewRequired:          "A person decides, not a program.",
	terms.NoUnrelatedMoralDisagreement: "The appeal is limited to the reviewed item.",
	terms.ProvenanceActivityRequired:   "The step is entered in the trail of what happened to the item.",
	terms.PrivateDetailsRedacted:       "Private details were taken out before the review.",
}

// closeIt is the business step challenge_closed.
const closeIt = "Closing the challenge is proposed. The platform closes it; this decision does not."

// effectGrounds is indexed by Outcome.
var effectGrounds = [...]struct{ outcome, activity, step string }{
	terms.UpholdDecision: {"The decision that was challenged stands.",
		"The trail says that the decision is upheld.", closeIt},
	terms.RequestEvidence: {evidenceAskedFor,
		"The trail says that evidence is called for.", "The appeal waits for evidence."},
	terms.RouteHumanReview: {"Another reviewer has to look at this.",
		"The trail says that another reviewer is called for.", "Passing the appeal on to that reviewer is called for."},
	terms.OpenChallengeWindow: {"A period should open in which the item can be challenged. The platform opens it; this decision does not.",
		"The trail says that such a period is called for.", "Opening the challenge is called for."},
	terms.BlockReliance: {noReliance,
		"The trail says that reliance is blocked.", "Holding back reliance on the item is called for."},
	terms.RecordRemedy: {"A remedy should be put on record. The platform records it; this decision does not.",
		"The trail says that a remedy is called for.", "Putting the remedy on record is called for."},
	terms.CloseUnresolved: {"Closing the appeal without resolving it is proposed.",
		"The trail says that closing the challenge unresolved is proposed.", closeIt},
	terms.CorrectRecord: {"The record should be corrected. The correction is made elsewhere; this decision does not make it.",
		"The trail says that a correction is proposed.", "The correction is proposed."},
}

// PartyBlocker says to a party what a blocker means; "" for an absent one.
func PartyBlocker(code terms.Blocker) string {
	if !code.Present() {
		return ""
	}
	return blockerGrounds[code]
}

// PartyFactor says to a party what a factor code means; "" for an absent one.
func PartyFactor(code terms.FactorCode) string {
	if !code.Present() {
		return ""
	}
	return factorGrounds[code]
}

// PartyOutcome says to a party what an outcome means; "" for an absent one.
func PartyOutcome(o terms.Outcome) string {
	if !o.Present() {
		return ""
	}
	return effectGrounds[o].outcome
}

// PartyEffect words an outcome's provenance activity and traceability step; "" for an absent one.
func PartyEffect(o terms.Outcome) (activity, step string) {
	if !o.Present() {
		return "", ""
	}
	return effectGrounds[o].activity, effectGrounds[o].step
}

// noEffects is what no record of an area can do (source 4.1 rule 3 and 4.2 rule 2).
var noEffects = map[terms.Area][]string{
	terms.Appeals: {"open an appeal", "correct a record", "allow reliance", "waive a safety blocker",
		"reopen a settled obligation", "publish public metrics"},
	terms.Amendments: {"apply an amendment", "edit a parent record", "authorize a material change",
		"authorize payment", "authorize reliance", "publish public metrics"},
}

// NoEffects says what no record of the area can do: one sentence for each thing.
func NoEffects(area terms.Area) []string {
	sentences := make([]string, len(noEffects[area]))
	for i, effect := range noEffects[area] {
		sentences[i] = "It cannot " + effect + "."
	}
	return sentences
}

// Cannot says the same in one sentence; area is appeals or amendments.
func Cannot(area terms.Area) string {
	effects := noEffects[area]
	last := len(effects) - 1
	return "It cannot " + strings.Join(effects[:last], ", ") + " or " + effects[last] + "."
}

// ChallengeText returns the contract's sentences about challenging a decision (source 2.3.6, and
// 2.5.1 by way of the transitions); none for amendments, for which the contract has none.
func ChallengeText(area terms.Area) []string {
	if area != terms.Appeals {
		return nil
	}
	return invariantsOf([]int{1, 4, 10})
}
