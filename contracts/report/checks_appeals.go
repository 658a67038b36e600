package report

import (
	"strconv"
	"strings"

	"docket/domain"
	"docket/domain/canonical"
)

// appealChecks are those of seed 2.6 for appeals, in their order.
var appealChecks = []check{
	{id: "subject-coverage", label: "Appeals target the contract's subjects and no others",
		watches: []string{"/subjects"}},
	{id: "standing-coverage", label: "Every standing category is named, and standing is explicit for each",
		watches: []string{"/standingCategories", "/invariants/2"}},
	{id: "trigger-and-outcome-coverage", label: "Triggers and outcomes are the contract's, and outcomes are advisory",
		watches: []string{"/appealTriggers", "/allowedOutcomes", "/invariants/6"}},
	{id: "first-class-record-coverage", label: "Policies and cases are records of their own",
		watches: []string{"/firstClassRecordTables", "/policySnapshotSubjects", "/invariants/3"}},
	{id: "enforcement-record-coverage", label: "One authenticated route appends enforcement records and does nothing else",
		watches: []string{"/enforcementRecordTables", "/enforcementRoute", "/enforcementRule"}},
	{id: "appeal-case-state-coverage", label: "Case statuses and notice states are the contract's",
		watches: []string{"/appealCaseStatuses", "/noticeStates"}},
	{id: "appeal-case-fail-closed-coverage",
		label:   "Every fail-closed status is listed, in the order in which it is reported",
		watches: []string{"/failClosedStatuses"}},
	{id: "sample-decision-validation", label: "The sample decision is what the evaluator concludes, in approved words",
		watches: []string{"/sampleDecision", "/approvedFactorCodes"}, moreover: sampleDecisionHolds,
		evidence: sampleDecisionEvidence},
	{id: "sample-appeal-case-evaluations", label: "A complete sample case passes and an incomplete one is blocked",
		watches: []string{"/appealCaseSampleEvaluationStatuses"}, moreover: sampleCasesHold,
		evidence: func(b *body) []string { return pairs(b, "appealCaseSampleEvaluationStatuses") }},
	{id: "narrow-appeal-scope", label: "An appeal targets one reviewed item and reopens nothing else",
		watches: []string{"/invariants/0", "/invariants/1", "/invariants/-"}, moreover: distinct("invariants")},
	{id: "remedy-and-human-control", label: "A remedy gap is named first, and what humans control stays with humans",
		watches: []string{"/invariants/5", "/invariants/9"}},
	{id: "no-silent-reopen-or-safety-waiver", label: "No case silently reopens, waives, changes or shows anything",
		watches: []string{"/invariants/4"}},
	{id: "privacy-and-provenance", label: "Private details are redacted, and every packet says where it comes from",
		watches: []string{"/invariants/7", "/invariants/8"}},
	{id: "nonmutating-decision-mode", label: "Deciding changes no state", watches: []string{"/decisioningMode", "/stateMutation"}},
	{id: "contract-tests", label: "Every contract test is named", watches: []string{"/contractTests"}},
}

// sampleDecisionHolds asks that the decision uses the body's own words, and that a decision without blockers is ready.
func sampleDecisionHolds(b *body) []Problem {
	const at = "/sampleDecision"
	decision := b.Member("sampleDecision")
	problems := among(at+"/outcome", []canonical.Value{decision.Member("outcome")}, b.Member("allowedOutcomes"))
	for _, words := range [...]struct{ name, from string }{
		{"factorCodes", "approvedFactorCodes"}, {"reviewScope", "subjects"}, {"blockers", "failClosedStatuses"},
	} {
		problems = append(problems, among(at+"/"+words.name, entries(decision.Member(words.name)), b.Member(words.from))...)
	}
	if decision.Member("humanReviewRequired").Kind() != canonical.True {
		problems = append(problems, Problem{at + "/humanReviewRequired", "a human has to review every decision"})
	}
	if decision.Member("stateMutation").Kind() != canonical.False {
		problems = append(problems, Problem{at + "/stateMutation", "a decision may not change state"})
	}
	ready := decision.Member("status").Text() == domain.ReadyForHumanReview.String()
	if ready != (decision.Member("blockers").Len() == 0) {
		problems = append(problems, Problem{at + "/status", "a decision is ready exactly when it has no blockers"})
	}
	return problems
}

// among objects if a value is not one of the texts of a list.
func among(at string, values []canonical.Value, list canonical.Value) []Problem {
	allowed := textSet(list)
	for _, v := range values {
		if v.Kind() != canonical.String || !allowed[v.Text()] {
			return []Problem{{at, "holds what the body itself does not list"}}
		}
	}
	return nil
}

// textSet is the set of the texts of an array.
func textSet(list canonical.Value) map[string]bool {
	set := map[string]bool{}
	for _, text := range listTexts(list) {
		set[text] = true
	}
	return set
}

// listTexts are the texts of an array.
func listTexts(list canonical.Value) []string {
	var all []string
	for entry := list.First(); list.Kind() == canonical.Array && entry.Exists(); entry = entry.Next() {
		all = append(all, entry.Text())
	}
	return all
}

// sampleDecisionEvidence states the decision in its words, without its sentences.
func sampleDecisionEvidence(b *body) []string {
	stated := []string{"status", "outcome", "provenanceActivity", "traceabilityBusinessStep", "reviewScope", "factorCodes"}
	var parts []string
	for _, name := range stated {
		parts = append(parts, b.texts("/sampleDecision/"+name)...)
	}
	return append(parts, count(b.Member("sampleDecision").Member("blockers").Len(), "blocker"))
}

// sampleCasesHold asks that every sample case comes to what its key says: <subject>:<trigger>:<status>.
func sampleCasesHold(b *body) []Problem {
	const at = "/appealCaseSampleEvaluationStatuses"
	statuses := b.Member(at[1:])
	subjects, triggers := textSet(b.Member("subjects")), textSet(b.Member("appealTriggers"))
	seen := map[string]bool{}
	var problems []Problem
	for number, entry := range entries(statuses) {
		key := strings.Split(entry.Name(), ":")
		nth := "entry " + strconv.Itoa(number+1) + " "
		if len(key) != 3 || !subjects[key[0]] || !triggers[key[1]] {
			problems = append(problems, Problem{at, nth + "is not called <subject>:<trigger>:<pass or blocked>"})
			continue
		}
		if key[2] != entry.Text() {
			problems = append(problems, Problem{at, nth + "does not come to what its name says"})
		}
		seen[entry.Text()] = true
	}
	for _, gate := range domain.Gates() {
		if !seen[gate] {
			problems = append(problems, Problem{at, "no sample comes to " + gate})
		}
	}
	return problems
}

// pairs states a map of words as "name: word", in the order of the built-in body.
func pairs(b *body, name string) []string {
	var parts []string
	for _, entry := range entries(b.builtin.Member(name)) {
		parts = append(parts, entry.Name()+": "+b.words.plainText(b.Member(name).Member(entry.Name()).Text()))
	}
	return parts
}
