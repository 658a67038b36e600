package wording

import (
	"fmt"

	"docket/domain/queue"
)

// Texts of both consoles about the queue, skips, decisions begun together on marked cases, and writes with an unknown result.
const (
	NothingMarked    = "no case is marked"
	RowUnreadable    = "it cannot be read"
	SkipReason       = "Why do you skip it? The reason stays on this machine; the case comes back with its next revision."
	SomeNotBegun     = "not all drafts could be begun"
	AllRecorded      = "all cases that were begun together are recorded"
	StatementMissing = "a statement of reasons is required"
	NotSearched      = "the texts cannot be searched"
)

// GivenAway says that the service has reassigned a case, and how it can come back: a clause without a full stop.
func GivenAway(d *queue.CaseFile) string {
	return fmt.Sprintf("revision %s at the service is not assigned to you; if it is given back to you, `docket pull` brings it",
		Thousands(int(d.Reassigned)))
}

// ClosedTitle is the heading of the cases that are closed or, if there are any, reassigned.
func ClosedTitle(given int) string {
	if given > 0 {
		return fmt.Sprintf("Closed or %s", queue.GivenAway)
	}
	return "Closed"
}

// HaveDrafts says how many cases were given a draft.
func HaveDrafts(n int) string { return Plural(n, "case has its draft", "cases have their drafts") }

// LeftToSign says how many of the cases that were begun together are not recorded yet.
func LeftToSign(n int) string {
	return fmt.Sprintf("%s left to review and sign, this one included", Plural(n, "marked case is", "marked cases are"))
}
