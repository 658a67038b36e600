package client

import (
	"docket/domain"
)

// An Outcome is what became of a record that was to be handed in. The zero value claims nothing was.
type Outcome uint8

// The outcomes.
const (
	Waiting      Outcome = iota // it is not decided; the next push hands it in again
	Accepted                    // it is in the service's log now
	AlreadyThere                // it was in the service's log before
	Rejected                    // the service turned it away for good: judge the packet again
)

var outcomeWords = [...]string{Waiting: "waiting", Accepted: "accepted", AlreadyThere: "already_there", Rejected: "rejected"}

// String returns the word for the outcome.
func (o Outcome) String() string {
	if int(o) >= len(outcomeWords) {
		return outcomeWords[Waiting]
	}
	return outcomeWords[o]
}

// MarshalText writes the word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return []Outcome{Waiting, Accepted, AlreadyThere, Rejected} }

// A Result tells of one record.
type Result struct {
	Sequence int64           `json:"sequence"` // in the console's log
	RecordID domain.RecordID `json:"recordId"`
	Table    domain.Table    `json:"table"`
	ID       domain.ID       `json:"id,omitempty"` // of the case or amendment
	Revision int64           `json:"revision,omitempty"`
	Outcome  Outcome         `json:"outcome"`

	Receipt *domain.Receipt `json:"receipt,omitempty"` // Accepted and AlreadyThere: of the service's log
	Reason  string          `json:"reason,omitempty"`  // Rejected: a domain.RejectionReason; Waiting: the word of a problem, where there is one
	InForce domain.RecordID `json:"inForce,omitempty"` // Rejected: the record in force at the service
	Changes []string        `json:"changes,omitempty"` // Rejected: what had changed
	Why     string          `json:"why,omitempty"`     // Waiting: what stands in the way, and what to do
}

// A Tally counts records by their outcomes.
type Tally [len(outcomeWords)]int64

// Of is how many had the outcome.
func (t *Tally) Of(o Outcome) int64 { return t[o] }

// Whole tells whether all that was to be handed in is in the service's log.
func (t *Tally) Whole() bool { return t[Waiting] == 0 && t[Rejected] == 0 }
