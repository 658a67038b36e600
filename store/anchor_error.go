package store

import (
	"fmt"
)

// An AnchorError says that the newest checkpoint of the log could not be kept outside the store. The log itself is
// not touched by that: what was appended is in it, and durable.
type AnchorError struct{ cause error }

// Error says that nothing is lost, and what to do.
func (e *AnchorError) Error() string {
	return fmt.Sprintf("what was recorded is in the log, but its checkpoint could not be kept outside the store: %v; "+
		"see to it that it can be written, and the next record brings it up to date", e.cause)
}

// Unwrap returns what the system said.
func (e *AnchorError) Unwrap() error { return e.cause }
