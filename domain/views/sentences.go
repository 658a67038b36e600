package views

import (
	"docket/domain/rules"
	"docket/domain/terms"
	"fmt"
)

// The plain sentences of a decision (source 2.3.7: requiredArtifacts, privacyActions,
// appealScopeStatement). Their wording is this project's choice; it depends on words of the
// vocabularies only and holds no text of the case.

// artifactsOf is indexed by Trigger: what it needs in addition to what every appeal needs.
var artifactsOf = [...]string{
	terms.DuplicateProof:         "Both uses of the proof, with the claims they were accepted for.",
	terms.CoerciveBaseline:       "The baseline as it was accepted, and how it was agreed.",
	terms.WrongScopeEvidence:     "The scope statement that the evidence was reviewed under.",
	terms.MaterialFactualError:   "The statement of fact that is disputed, and the source it was taken from.",
	terms.PrivacyDisclosureError: "The disclosure decision, with what was shown and to which audience, redacted.",
	terms.ExternalityRemedyGap:   "The remedy on record and the gap that the case names.",
	terms.ReviewerConflict:       "The conflict check of the reviewer who took the challenged decision.",
	terms.PolicyMisapplied:       "The policy version that was applied and the one that should have been.",
}

func requiredArtifacts(t terms.Trigger, gate terms.Gate) []string {
	artifacts := []string{
		"The reviewed item as it stood when the challenged decision was taken.",
		"The frozen appeal policy that the case names, with its hash.",
		"The notice of the appeal and the proof of its delivery.",
	}
	if t.Present() {
		artifacts = append(artifacts, artifactsOf[t])
	}
	if gate != terms.Pass {
		artifacts = append(artifacts, "What cures each blocker, published by the service as a new revision.")
	}
	return artifacts
}

func privacyActions(blockers terms.BlockerSet) []string {
	actions := []string{
		"Keep private members out of the packet; their category and count is all that is kept.",
		"Show no contact data, exact wishes, raw notes or sensitive constraints to the reviewer.",
	}
	if blockers.Has(terms.PrivateDetailsUnredacted) {
		actions = append(actions, "Have the source redact the case before it is routed to a reviewer.")
	}
	return actions
}

func scopeStatement(subject terms.Subject, hasID bool) string {
	if !subject.Present() || !hasID {
		return "No specific reviewed item is named, so nothing is under appeal."
	}
	return fmt.Sprintf(
		"Only the one reviewed item named by the case, of the kind %s, is under appeal; nothing else is reopened.",
		subject.Label())
}

// The contract's sentences about what blocks a case and why it is appealed (source 2.3.6 and 7).

// FailClosedText is the contract's sentence about every blocker.
const FailClosedText = "Each status below is a fail-closed condition: when it holds, the gate is blocked and the action it " +
	"guards does not proceed."

// ParentRecordText is what it adds about one of them.
const ParentRecordText = "A parent-record edit is not an amendment and is itself a blocking condition."

// invariants are those of source 2.3.6; each must hold for appeals.
var invariants = [...]string{
	"An appeal targets only the one specific reviewed item named by its subject.",
	"Unrelated disagreements are not reopened by default, and no platform-wide ranking is produced.",
	"Standing is explicit for each category; an affected party needs a privacy-safe summary.",
	"An adverse decision that carries correction rights needs an appeal case with notice, deadline, scope hash, evidence " +
		"scope, non-retaliation and neutral-review fields.",
	"An appeal case never silently reopens a settled obligation, waives a safety blocker, changes a parent record, or shows " +
		"private details before redaction.",
	"An appeal about an externality remedy names the remedy gap before reliance, completion badges or public reputation " +
		"claims proceed.",
	"A requested outcome is advisory and must fit the trigger before routing.",
	"Private details, exact wishes, contact data, raw notes and sensitive constraints are redacted before reviewer routing.",
	"Every challenge or appeal packet names a provenance activity, a traceability step, reason codes and a human reviewer " +
		"scope.",
	"Safety blocking, matching disclosure, reviewed completion and dispute resolution remain human-controlled.",
}

// Invariants lists the ten of source 2.3.6, in their order; each must hold.
func Invariants() []string { return append([]string(nil), invariants[:]...) }

// blockerInvariants counts invariants from 1; which ones a blocker guards is this project's choice.
var blockerInvariants = map[terms.Blocker][]int{
	terms.StandingMissing: {3}, terms.NoticeMissing: {4}, terms.DeadlineMissing: {
		4}, terms.DeadlineExpired: {4}, terms.NeutralReviewMissing: {4},
	terms.ScopeMissing: {1, 4, 5, 6}, terms.PrivateDetailsUnredacted: {5, 8}, terms.SafetyBlockerWaiverAttempted: {5},
	terms.SettledObligationReopenAttempted: {5}, terms.NonRetaliationMissing: {4}, terms.EvidenceScopeMissing: {4},
	terms.AppealPolicyMissing: {7},
}

// ContractText returns the contract's sentences about a blocker of the area, those about all
// blockers last; none for a code of another area.
func ContractText(area terms.Area, code terms.Blocker) []string {
	if _, known := rules.RuleFor(area, code); !known {
		return nil
	}
	var said []string
	switch {
	case area == terms.Appeals:
		said = invariantsOf(blockerInvariants[code])
	case code == terms.ParentRecordEditDetected:
		said = []string{ParentRecordText}
	}
	return append(said, FailClosedText)
}

func invariantsOf(numbers []int) []string {
	said := make([]string, len(numbers))
	for i, number := range numbers {
		said[i] = invariants[number-1]
	}
	return said
}

// A TriggerDefinition describes a trigger apart from any policy. The contract gives only the word;
// the meaning is this project's choice.
type TriggerDefinition struct {
	Trigger terms.Trigger
	Meaning string
	Review  terms.FactorCode // which kind of review it asks for
	Said    []string         // the contract's own sentences that bear on it
}

// triggerDefinitions is indexed by Trigger: the meaning, and the invariants that bear on it.
var triggerDefinitions = [...]struct {
	meaning    string
	invariants []int
}{
	terms.DuplicateProof:         {"The same proof is, or may be, counted more than once.", []int{1, 7}},
	terms.CoerciveBaseline:       {"The baseline against which a change is measured may have come about under pressure.", []int{1, 7}},
	terms.WrongScopeEvidence:     {"The evidence that was accepted may be about something other than the item.", []int{1, 7}},
	terms.MaterialFactualError:   {"The decision may rest on a fact that matters and is wrong.", []int{1, 7}},
	terms.PrivacyDisclosureError: {"Something may have been disclosed that had to stay private, or the reverse.", []int{1, 7, 8}},
	terms.ExternalityRemedyGap:   {"The remedy for an effect on others leaves a gap, which the appeal has to name.", []int{1, 6, 7}},
	terms.ReviewerConflict:       {"A reviewer may have had an interest in the result.", []int{1, 7, 10}},
	terms.PolicyMisapplied:       {"A policy was applied wrongly, or to something it is not for.", []int{1, 7}},
}

// DefinitionOfTrigger returns the definition of a trigger; false for an absent one.
func DefinitionOfTrigger(t terms.Trigger) (TriggerDefinition, bool) {
	if !t.Present() {
		return TriggerDefinition{}, false
	}
	one := &triggerDefinitions[t]
	return TriggerDefinition{Trigger: t, Meaning: one.meaning, Review: rules.ReviewCodeOf(t), Said: invariantsOf(one.invariants)}, true
}

// FactorMeaning says in plain words what a factor code states.
func FactorMeaning(code terms.FactorCode) string {
	if !code.Present() {
		return ""
	}
	return factorMeanings[code]
}

var factorMeanings = [...]string{
	terms.SpecificReviewedClaim:        "The appeal names one specific reviewed item.",
	terms.StandingEstablished:          "Standing is stated and accepted.",
	terms.AffectedPartyStanding:        "The appellant stands as an affected party, with a privacy-safe summary.",
	terms.EvidenceScopeNamed:           "The evidence that the appeal is about is listed.",
	terms.DuplicateProofReview:         "Proof was reviewed for being used twice.",
	terms.CoerciveBaselineReview:       "The baseline was reviewed for coercion.",
	terms.WrongScopeEvidenceReview:     "The evidence was reviewed for being of another scope.",
	terms.MaterialFactualErrorReview:   "The facts were reviewed for a material error.",
	terms.PrivacyDisclosureReview:      "A disclosure was reviewed for privacy.",
	terms.ExternalityRemedyReview:      "The remedy of an externality was reviewed.",
	terms.ReviewerConflictReview:       "A reviewer's conflict of interest was reviewed.",
	terms.PolicyFlagReview:             "The application of a policy was reviewed.",
	terms.ChallengeWindowRequired:      "A challenge window has to open.",
	terms.HumanReviewRequired:          "A human decides.",
	terms.NoUnrelatedMoralDisagreement: "Nothing but the reviewed item is argued about.",
	terms.ProvenanceActivityRequired:   "The step goes into the provenance trail.",
	terms.PrivateDetailsRedacted:       "Private details are redacted.",
}
