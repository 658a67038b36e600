package report_test

import (
	"fmt"
	"time"

	"docket/contracts/report"
	"docket/domain/terms"
)

// A report that somebody else published is examined: each difference from the contract is named with its place.
func ExampleExamine() {
	now := terms.InstantOf(time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC))
	own, err := report.Of(report.Appeals, now)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("published:", own.Passes())
	for _, text := range []string{string(own.JSON()), `{"validatorVersion": "mine"}`} {
		examination, err := report.Examine([]byte(text), now)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("examined:", examination.OK())
	}
	// Output:
}
