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
		fmt.Println(" ", book[0].Code)
		fmt.Println(" ", book[0].Meaning)
		fmt.Println(" ", book[0].Cure)
	}
	// Output:
}

// An input is one JSON object with all that the evaluation depends on.
func ExampleEvaluate() {
	var reader packets.Reader
	input, fault := rules.ReadInput(&reader, []byte(`{
		"table": "trade_agreement_amendment_records", "at": "2026-02-01T12:00:00Z", "policy": null, "latestRevision": 2,
		"record": {"amendmentId": "amendment-1", "revision": 1, "transition": "post_lock_correction"}
	}`))
	if fault != nil {
		fmt.Println("refused:", fault)
		return
	}
	evaluation := rules.Evaluate(&input)
	fmt.Println(evaluation.Gate(), "with", len(evaluation.Blockers()), "blockers, the first:", evaluation.Blockers()[0])
	for _, action := range evaluation.BlockedTransitions() {
		fmt.Println("may not proceed:", action)
	}
	// Output:
}
