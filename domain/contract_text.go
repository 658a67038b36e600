package domain

// The contract's own sentences about what blocks a case and why a case is appealed (seed 2.3.6 and 7).

// FailClosedText is what the contract says of every blocker.
const FailClosedText = "Each status below is a fail-closed condition: when it holds, the gate is blocked and the action it " +
	"guards does not proceed."

// ParentRecordText is what it says besides of one of them.
const ParentRecordText = "A parent-record edit is not an amendment and is itself a blocking condition."

// invariants is seed 2.3.6, each of which must hold for appeals.
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

// Invariants lists the ten of seed 2.3.6, in their order; each must hold.
func Invariants() []string { return append([]string(nil), invariants[:]...) }

// blockerInvariants says which of the invariants, counted from 1, an appeal blocker guards (this project's choice).
var blockerInvariants = map[Blocker][]int{
	StandingMissing: {3}, NoticeMissing: {4}, DeadlineMissing: {4}, DeadlineExpired: {4}, NeutralReviewMissing: {4},
	ScopeMissing: {1, 4, 5, 6}, PrivateDetailsUnredacted: {5, 8}, SafetyBlockerWaiverAttempted: {5},
	SettledObligationReopenAttempted: {5}, NonRetaliationMissing: {4}, EvidenceScopeMissing: {4},
	AppealPolicyMissing: {7},
}

// ContractText returns what the contract itself says that bears on a blocker of the area, what it says of all blockers
// last; none for a code that the area does not have.
func ContractText(area Area, code Blocker) []string {
	if _, known := RuleFor(area, code); !known {
		return nil
	}
	var said []string
	switch {
	case area == Appeals:
		said = invariantsOf(blockerInvariants[code])
	case code == ParentRecordEditDetected:
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

// A TriggerDefinition is what is to be known of a trigger, whatever a policy says about it. The contract gives the word
// alone, so that the meaning is this project's choice.
type TriggerDefinition struct {
	Trigger Trigger
	Meaning string
	Review  FactorCode // which kind of review it asks for
	Said    []string   // the contract's own sentences that bear on it
}

// triggerDefinitions is indexed by Trigger: the meaning, and the invariants that bear on it.
var triggerDefinitions = [...]struct {
	meaning    string
	invariants []int
}{
	DuplicateProof:         {"The same proof is, or may be, counted more than once.", []int{1, 7}},
	CoerciveBaseline:       {"The baseline against which a change is measured may have come about under pressure.", []int{1, 7}},
	WrongScopeEvidence:     {"The evidence that was accepted may be about something other than the item.", []int{1, 7}},
	MaterialFactualError:   {"The decision may rest on a fact that matters and is wrong.", []int{1, 7}},
	PrivacyDisclosureError: {"Something may have been disclosed that had to stay private, or the reverse.", []int{1, 7, 8}},
	ExternalityRemedyGap:   {"The remedy for an effect on others leaves a gap, which the appeal has to name.", []int{1, 6, 7}},
	ReviewerConflict:       {"Somebody who reviewed may have had an interest in the result.", []int{1, 7, 10}},
	PolicyMisapplied:       {"A policy was applied wrongly, or to something it is not for.", []int{1, 7}},
}

// DefinitionOfTrigger returns the definition of a trigger; false for an absent one.
func DefinitionOfTrigger(t Trigger) (TriggerDefinition, bool) {
	if !t.Present() {
		return TriggerDefinition{}, false
	}
	one := &triggerDefinitions[t]
	return TriggerDefinition{Trigger: t, Meaning: one.meaning, Review: ReviewCodeOf(t), Said: invariantsOf(one.invariants)}, true
}
