// Package symptom is what the doctor finds: one Symptom a check, and those of a server of PostgreSQL.
//
// Start at Symptom, and at OfServer in server.go.
package symptom

import "fmt"

// A Symptom is what one check of the doctor found.
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

// OK says that all is well.
func OK(format string, args ...any) Symptom {
	return Symptom{State: StateOK, Found: fmt.Sprintf(format, args...)}
}

// Note says what a person should know, and may want to do.
func Note(found, advice string) Symptom {
	return Symptom{State: StateNote, Found: found, Advice: advice}
}

// Wrong says what is wrong, and what to do.
func Wrong(found, advice string) Symptom {
	return Symptom{State: StateWrong, Found: found, Advice: advice}
}
