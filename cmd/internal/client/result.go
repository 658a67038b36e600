package client

import (
	"docket/domain"
)

// An Disposition is what became of a record that was to be handed in. The zero value claims nothing was.
type Disposition uint8

// The outcomes.
const (
	Waiting      Disposition = iota // it is not decided; the next push hands it in again
	Accepted                        // it is in the service's log now
	AlreadyThere                    // it was in the service's log before
	Rejected                        // the service turned it away for good: judge the packet again
)

var dispositionWords = [...]string{Waiting: "waiting", Accepted: "accepted", AlreadyThere: "already_there", Rejected: "rejected"}

// String returns the word for the outcome.
func (o Disposition) String() string {
	if int(o) >= len(dispositionWords) {
		return dispositionWords[Waiting]
	}
	return dispositionWords[o]
}

// MarshalText writes the word.
func (o Disposition) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Dispositions lists all outcomes.
func Dispositions() []Disposition { return []Disposition{Waiting, Accepted, AlreadyThere, Rejected} }

// A Result tells of one record.
type Result struct {
	Sequence    int64           `json:"sequence"` // in the console's log
	RecordID    domain.RecordID `json:"recordId"`
	Table       domain.Table    `json:"table"`
	ID          domain.ID       `json:"id,omitempty"` // of the case or amendment
	Revision    int64           `json:"revision,omitempty"`
	Disposition Disposition     `json:"outcome"`

	Receipt *domain.Receipt `json:"receipt,omitempty"` // Accepted and AlreadyThere: of the service's log
	Reason  string          `json:"reason,omitempty"`  // Rejected: a domain.RejectionReason; Waiting: the word of a problem, where there is one
	InForce domain.RecordID `json:"inForce,omitempty"` // Rejected: the record in force at the service
	Changes []string        `json:"changes,omitempty"` // Rejected: what had changed
	Why     string          `json:"why,omitempty"`     // Waiting: what stands in the way, and what to do
}

// A Tally counts records by their outcomes.
type Tally [len(dispositionWords)]int64

// Of is how many had the outcome.
func (t *Tally) Of(o Disposition) int64 { return t[o] }

// Whole tells whether all that was to be handed in is in the service's log.
func (t *Tally) Whole() bool { return t[Waiting] == 0 && t[Rejected] == 0 }
