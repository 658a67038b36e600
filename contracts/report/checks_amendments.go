package report

import (
	"slices"
	"strconv"

	"docket/domain"
	"docket/domain/canonical"
)

// definitionCheck is the check of which source 2.6 says what its evidence states.
const definitionCheck = "transition-definition-coverage"

// amendmentChecks are those of seed 2.6 for amendments, in their order.
var amendmentChecks = []check{
	{id: "record-table-coverage", label: "Policies and amendments are records of their own, and their private part is never told",
		watches: []string{"/firstClassRecordTables", "/privacyRule"}},
	{id: "enforcement-record-table-coverage", label: "Enforcement records only prove a gate",
		watches: []string{"/enforcementRecordTables", "/enforcementRule"}},
	{id: "enforcement-route-coverage", label: "One authenticated route appends enforcement records",
		watches: []string{"/enforcementRoute"}},
	{id: "policy-subject-coverage", label: "Policy snapshots are taken for agreement amendments",
		watches: []string{"/policySnapshotSubjects"}},
	{id: "transition-coverage", label: "Every transition is named", watches: []string{"/transitions"}},
	{id: "subject-type-coverage", label: "Every kind of locked agreement is named", watches: []string{"/subjectTypes"}},
	{id: "amendment-type-coverage", label: "Every kind of change is named", watches: []string{"/amendmentTypes"}},
	{id: "amendment-state-coverage", label: "Amendment states and confirmation states are the contract's",
		watches: []string{"/amendmentStates", "/confirmationStates"}},
	{id: "fail-closed-coverage", label: "Every fail-closed status is listed, in the order in which it is reported",
		watches: []string{"/failClosedStatuses", "/failClosedRule"}},
	{id: definitionCheck, label: "Every transition says what it protects, needs and blocks",
		watches: []string{"/transitionDefinitions"}, moreover: definitionsHold, evidence: definitionEvidence},
	{id: "sample-evaluation-coverage", label: "A correction passes and a burden-shifting change is blocked",
		watches: []string{"/agreementAmendmentSampleEvaluationStatuses"}, moreover: sampleAmendmentsHold,
		evidence: func(b *body) []string { return pairs(b, "agreementAmendmentSampleEvaluationStatuses") }},
	{id: "contract-test-coverage", label: "Every contract test is named", watches: []string{"/contractTests"}},
}

// definitionsHold asks that every transition has one definition, which needs every first-class record and blocks
// something.
func definitionsHold(b *body) []Problem {
	const at = "/transitionDefinitions"
	var problems []Problem
	objection := func(index int, reason string) {
		problems = append(problems, Problem{at + "/" + strconv.Itoa(index), reason})
	}
	needed, transitions := listTexts(b.Member("firstClassRecordTables")), listTexts(b.Member("transitions"))
	var defined []string
	for i, definition := range entries(b.Member(at[1:])) {
		defined = append(defined, definition.Member("key").Text())
		if !slices.Equal(listTexts(definition.Member("requiredRecords")), needed) {
			objection(i, "does not require the first-class records")
		}
		if definition.Member("blocksTransitions").Len() == 0 {
			objection(i, "blocks nothing")
		}
	}
	if !slices.Equal(defined, transitions) {
		problems = append(problems, Problem{at, "does not define each transition once, in their order"})
	}
	return problems
}

// definitionEvidence counts the records that each transition requires.
func definitionEvidence(b *body) []string {
	var parts []string
	for _, definition := range entries(b.Member("transitionDefinitions")) {
		parts = append(parts, b.words.plainText(definition.Member("key").Text())+": "+
			count(definition.Member("requiredRecords").Len(), "required record"))
	}
	return parts
}

// sampleAmendmentsHold asks that each sample is of one of the body's transitions, and that one passes and one does not.
func sampleAmendmentsHold(b *body) []Problem {
	const at = "/agreementAmendmentSampleEvaluationStatuses"
	transitions := textSet(b.Member("transitions"))
	found := map[string]bool{}
	var problems []Problem
	for i, entry := range entries(b.Member(at[1:])) {
		if entry.Kind() != canonical.String || !transitions[entry.Name()] {
			problems = append(problems, Problem{at, "entry " + strconv.Itoa(i+1) + " is not of a transition that the body lists"})
		}
		found[entry.Text()] = true
	}
	for _, gate := range domain.Gates() {
		if !found[gate] {
			problems = append(problems, Problem{at, "no sample comes to " + gate})
		}
	}
	return problems
}
