package records

import (
	"errors"
	"fmt"
	"strings"

	"docket/domain/terms"
)

// A RejectionReason is why a service rejects a record for good (this project's choice): the packet
// has to be judged again.
type RejectionReason = terms.Term[rejectionReasonList]

type rejectionReasonList struct{}

// WordList returns the reasons.
func (rejectionReasonList) WordList() *terms.WordList { return rejectionReasonWords }

var rejectionReasonWords = terms.NewWordList("reason for a rejection",
	"packet_stale", "record_superseded", "record_conflict", "evaluation_differs", "record_refused", "key_revoked",
)

// The reasons.
const (
	PacketStale       RejectionReason = iota + 1 // what was judged has changed
	RecordSuperseded                             // the record in force is not the one it supersedes
	RecordConflict                               // another record is held under its id
	EvaluationDiffers                            // it does not follow from the packets that it names
	RecordRefused                                // it may not be recorded
	SignerRevoked                                // its key was revoked before it came in
)

// RejectionReasons is the vocabulary, for parsing and listing.
var RejectionReasons terms.Terms[rejectionReasonList]

// A Rejection is a service's statement that it rejects a record, a note signed by its log's key.
// With it a console can always show why a record never came into force, and which one is instead.
type Rejection struct {
	Origin   string     // of the service's log, which is the name of the key
	RecordID RecordID   // that is rejected
	Digest   terms.Hash // of its canonical bytes
	Reason   RejectionReason
	InForce  RecordID // the record in force at the service on the same revision; "" for none
	// Carried are the blockers that people added on the revision in the service's log: they stand.
	Carried terms.BlockerSet
	At      terms.Instant
}

// ErrRejection says that a text is not the statement of a rejection.
var ErrRejection = errors.New("it is not a rejection of a record")

// rejectionHead is the first line, with which no checkpoint begins.
const rejectionHead = "docket-rejection/v1"

const noRecord = "-"

// Text is the statement that is signed, eight lines:
//
//	docket-rejection/v1
//	<origin of the service's log>
//	<id of the record>
//	<hash of the record's canonical bytes>
//	<reason>
//	<id of the record in force at the service, or ->
//	<codes of the blockers that people added there, in vocabulary order, spaces between, or ->
//	<time>
func (r *Rejection) Text() string {
	inForce := noRecord
	if r.InForce.Present() {
		inForce = string(r.InForce)
	}
	carried := noRecord
	if !r.Carried.Empty() {
		codes := make([]string, 0, r.Carried.Len())
		for _, code := range r.Carried.Terms() {
			codes = append(codes, code.String())
		}
		carried = strings.Join(codes, " ")
	}
	return strings.Join([]string{rejectionHead, r.Origin, string(r.RecordID), r.Digest.String(), r.Reason.String(), inForce,
		carried, r.At.String(), ""}, "\n")
}

// ReadRejection reads exactly what Text wrote, unverified. The error wraps ErrRejection.
func ReadRejection(text string) (Rejection, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 9 || lines[0] != rejectionHead {
		return Rejection{}, ErrRejection
	}
	r := Rejection{Origin: lines[1], RecordID: RecordID(lines[2])}
	if lines[5] != noRecord {
		r.InForce = RecordID(lines[5])
	}
	if lines[6] != noRecord {
		for code := range strings.SplitSeq(lines[6], " ") {
			blocker, err := terms.Blockers.Parse(code)
			if err != nil {
				return Rejection{}, fmt.Errorf("%w: %w", ErrRejection, err)
			}
			r.Carried = r.Carried.With(blocker)
		}
	}
	var hash, time bool
	r.Digest, hash = terms.ParseHash(lines[3])
	r.At, time = terms.ParseInstant(lines[7])
	reason, err := RejectionReasons.Parse(lines[4])
	if err != nil {
		return Rejection{}, fmt.Errorf("%w: %w", ErrRejection, err)
	}
	r.Reason = reason
	if !hash || !time || r.Origin == "" || !r.RecordID.Valid() || r.InForce.Present() && !r.InForce.Valid() || r.Text() != text {
		return Rejection{}, ErrRejection
	}
	return r, nil
}

// A DiffersError says that a record does not follow from the packets that it names: at the moment
// of its own evaluation the rules find something else. It unwraps to ErrRefused.
type DiffersError struct {
	Stated []terms.Blocker // the record's computedBlockers
	Found  []terms.Blocker // what the rules find
	Faults []string        // what else differs, in names and codes
}

// Error lists what differs.
func (e *DiffersError) Error() string {
	return fmt.Sprintf("%v: it does not follow from the packets that it names: %s", ErrRefused, strings.Join(e.Faults, "; "))
}

// Unwrap returns ErrRefused.
func (e *DiffersError) Unwrap() error { return ErrRefused }
