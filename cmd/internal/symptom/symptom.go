// Package symptom holds the results of the doctor: one Symptom for each check, and the checks of a PostgreSQL server.
//
// Start at Symptom, and at OfServer in server.go.
package symptom

import "fmt"

// A Symptom is the result of one check of the doctor.
type Symptom struct {
	Check  string `json:"check"`
	State  string `json:"state"` // one of the states
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

// The states of a symptom.
const (
	StateOK    = "ok"
	StateNote  = "note"
	StateWrong = "wrong"
)

// OK returns the result of a check without a problem.
func OK(format string, args ...any) Symptom {
	return Symptom{State: StateOK, Found: fmt.Sprintf(format, args...)}
}

// Note returns a remark with optional advice.
func Note(found, advice string) Symptom {
	return Symptom{State: StateNote, Found: found, Advice: advice}
}

// Wrong returns a problem with its cure.
func Wrong(found, advice string) Symptom {
	return Symptom{State: StateWrong, Found: found, Advice: advice}
}
