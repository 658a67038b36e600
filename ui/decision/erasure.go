package decision

import (
	"errors"

	"docket/domain/records"
	"docket/ui/wording"
)

const (
	EraseTitle     = "Erase for good"
	EraseQuestion  = "Type " + records.EraseWord + " to erase it for good"
	NothingErased  = "Nothing is erased"
	NothingToErase = "There is nothing here that can be erased."
	Erased         = "erased; a signed statement of the erasure is kept"
)

// WhyNotErase says why this reviewer cannot erase; "" if they can. See WhyNot for locked and
// keyless.
func WhyNotErase(reviewer records.Reviewer, locked, keyless string) string {
	return whyNotSign(reviewer, locked, keyless)
}

// ToldBefore says before an erasure what is erased, why, and what stays, a sentence each.
func ToldBefore(plan *records.ErasurePlan) []string {
	head := wording.Capital(plan.Clause())
	if plan.Erasure.Reason.Present() {
		head += " (" + plan.Erasure.Reason.Label() + ")"
	}
	return append([]string{head + "."}, plan.Erasure.Stays()...)
}

// ErasureAnswer explains the error of Workbench.Erase.
func ErasureAnswer(err error) Answer {
	answer := AnswerOf(err)
	switch {
	case errors.Is(err, records.ErrErased):
		answer.Result, answer.Title, answer.Text = Recorded, "Erased, but not all is done", err.Error()
	case answer.Result == Refused:
		answer.Title = NothingErased
	case answer.Result != Recorded:
		answer.Result, answer.Title, answer.Text = Failed, "It could not be erased", err.Error()
	}
	return answer
}
