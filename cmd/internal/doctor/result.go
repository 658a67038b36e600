// Package doctor holds the results of the doctor: one Result for each check, and the checks of a
// store, of its backups and of a PostgreSQL server.
//
// Start at Result, at Store in store.go, and at OfServer in server.go.
package doctor

import "fmt"

// A Result is the result of one check of the doctor.
type Result struct {
	Check  string `json:"check"`
	State  string `json:"state"` // one of the states
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"`
}

// The states of a result.
const (
	StateOK    = "ok"
	StateNote  = "note"
	StateWrong = "wrong"
)

// OK returns the result of a check without a problem.
func OK(format string, args ...any) Result {
	return Result{State: StateOK, Found: fmt.Sprintf(format, args...)}
}

// Note returns a remark with optional advice.
func Note(found, advice string) Result {
	return Result{State: StateNote, Found: found, Advice: advice}
}

// Wrong returns a problem with its cure.
func Wrong(found, advice string) Result {
	return Result{State: StateWrong, Found: found, Advice: advice}
}
