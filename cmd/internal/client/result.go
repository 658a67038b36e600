package client

import (
	"docket/domain/records"
	"docket/domain/terms"
)

// A Disposition is the result of handing in a record. The zero value is Waiting.
type Disposition uint8

// The dispositions.
const (
	Waiting      Disposition = iota // there is no final response; the next push hands it in again
	Accepted                        // it was appended to the service's log
	AlreadyThere                    // it was in the service's log before
	Rejected                        // the service rejected it for good: decide the packet again
)

var dispositionWords = [...]string{Waiting: "waiting", Accepted: "accepted", AlreadyThere: "already_there", Rejected: "rejected"}

// String returns the word for the disposition.
func (o Disposition) String() string {
	if int(o) >= len(dispositionWords) {
		return dispositionWords[Waiting]
	}
	return dispositionWords[o]
}

// MarshalText writes the word.
func (o Disposition) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Result is the result for one record.
type Result struct {
	Sequence    int64            `json:"sequence"` // in the console's log
	RecordID    records.RecordID `json:"recordId"`
	Table       terms.Table      `json:"table"`
	ID          terms.ID         `json:"id,omitempty"` // of the case or amendment
	Revision    int64            `json:"revision,omitempty"`
	Disposition Disposition      `json:"outcome"`

	Receipt *records.Receipt `json:"receipt,omitempty"` // Accepted and AlreadyThere: of the service's log
	// ReceivedAt, for Accepted and AlreadyThere, is when the record came in according to the service, which does not
	// sign it.
	ReceivedAt terms.Instant    `json:"receivedAt,omitzero"`
	Reason     string           `json:"reason,omitempty"`  // Rejected: a records.RejectionReason; Waiting: the word of a problem, if there is one
	InForce    records.RecordID `json:"inForce,omitempty"` // Rejected: the record in force at the service
	Changes    []string         `json:"changes,omitempty"` // Rejected: the differences
	// ServiceRecord, for Rejected, is the record in force at the service if another console made it: it is kept with the proof
	// that the service's log has it.
	ServiceRecord *records.Members `json:"-"`
	Why           string           `json:"why,omitempty"` // Waiting: the reason, and what to do
}

// A Tally counts records by disposition.
type Tally [len(dispositionWords)]int64

// Of returns the number of records with the disposition.
func (t *Tally) Of(o Disposition) int64 { return t[o] }

// Whole reports whether all records are in the service's log.
func (t *Tally) Whole() bool { return t[Waiting] == 0 && t[Rejected] == 0 }
