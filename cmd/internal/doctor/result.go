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

// Note returns a remark.
func Note(format string, args ...any) Result {
	return Result{State: StateNote, Found: fmt.Sprintf(format, args...)}
}

// Wrong returns a problem.
func Wrong(format string, args ...any) Result {
	return Result{State: StateWrong, Found: fmt.Sprintf(format, args...)}
}

// Do returns the result with advice: what cures it, or leads further.
func (r Result) Do(format string, args ...any) Result {
	r.Advice = fmt.Sprintf(format, args...)
	return r
}
