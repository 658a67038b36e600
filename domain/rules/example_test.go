package rules_test

import (
	"fmt"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A rule book is data: what shows or checks a blocker reads it from there.
func ExampleBook() {
	for _, area := range []terms.Area{terms.Appeals, terms.Amendments} {
		book := rules.Book(area)
		fmt.Printf("%s, %d rules, the first:\n", rules.Version(area), len(book))
		fmt.Println(book[0].Code)
		fmt.Println(book[0].Meaning)
		fmt.Println(book[0].Cure)
	}
	// Output:
	// trade-challenge-appeal-validator-v0.1+docket.2, 18 rules, the first:
	// appeal_policy_missing
	// The appeal policy that the case names is not here, or it has no usable outcome rule for the trigger.
	// Import the policy with the id and version that the case names, with a rule for this trigger whose advisory outcome is among its compatible ones.
	// trade-agreement-amendments-validator-v0.1+docket.2, 33 rules, the first:
	// policy_missing
	// The amendment policy that the record names is not here, or it does not cover the transition.
	// Import the policy with the id and version that the record names; it must list the transition.
}

// An input is one JSON object with all that the evaluation depends on.
func ExampleEvaluate() {
	var reader packets.Reader
	input, fault := rules.ReadInput(&reader, []byte(`{
		"table": "trade_agreement_amendment_records", "at": "2026-02-01T12:00:00Z", "policy": null, "latestRevision": 2,
		"record": {"amendmentId": "amendment-1", "ownerId": "owner-1", "revision": 1, "contractVersion": "trade-agreement-amendments-v0.1-2026-06", "state": "applied",
			"transition": "post_lock_correction"}
	}`))
	if fault != nil {
		fmt.Println("refused:", fault)
		return
	}
	evaluation := rules.Evaluate(&input)
	fmt.Printf("%s, %d blockers, the first: %s\n", evaluation.Gate(), len(evaluation.Blockers()), evaluation.Blockers()[0])
	for _, action := range evaluation.BlockedTransitions() {
		fmt.Println("may not proceed:", action)
	}
	// Output:
	// blocked, 22 blockers, the first: policy_missing
	// may not proceed: terms_snapshot_update
	// may not proceed: evidence_acceptance
	// may not proceed: cleared_agreement_update
}
