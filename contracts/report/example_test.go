package report_test

import (
	"fmt"
	"strings"
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
	text := string(own.JSON())
	for _, text := range []string{text, strings.ReplaceAll(text, "baseline_concern", "baseline_worry"), `{}`} {
		examination, err := report.Examine([]byte(text), now)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("examined:", examination.OK())
		for _, failure := range examination.Fail {
			fmt.Println("-", failure.ID, failure.Problems[0].Pointer)
		}
	}
	// Output:
	// examined: true
	// examined: false
	// - subject-coverage /publicContract/subjects
	// is not a contract report: an object with contractVersion, validation, publicContract is
}
