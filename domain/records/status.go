package records

import (
	"encoding/json"
	"fmt"
	"slices"

	"docket/domain/terms"
)

// An Entry is a record on a case or an amendment with all that was said of it: a record of a log
// or, Elsewhere, one of the service's log that another console handed in.
type Entry struct {
	Addition
	KeyFingerprint string           // with Addition.Reviewer: whose key signed it
	Carried        terms.BlockerSet // that the record carries over
	Supersedes     RecordID
	// Sequence is its place in the log; Elsewhere, how many records the log had when it came.
	Sequence  int64
	Elsewhere bool
	Accepted  bool       // the service's log has it
	Rejection *Rejection // by the service; nil for none
	// Answer is the place among the rejections; Elsewhere, their number when the record came.
	Answer  int64
	Revoked bool // a revoked key signed it, so that it is not in force
	Never   bool // the key was revoked before the record was made, so that it never was in force
}

// ReadEntry reads a stored record on a revision, and no more than an Entry holds, so that a record
// that is damaged in another place still blocks. The error wraps ErrEnforcement.
func ReadEntry(document []byte, revision int64) (e Entry, err error) {
	var held struct {
		RecordID   RecordID
		RecordedAt string
		Reviewer   struct {
			ID             terms.ID
			KeyFingerprint string
		}
		ReviewerBlockers []terms.Blocker
		CarriedBlockers  []terms.Blocker
		Supersedes       RecordID
		StatementDigest  *string
	}
	err = json.Unmarshal(document, &held)
	at, timed := terms.ParseInstant(held.RecordedAt)
	if err != nil || !timed {
		return Entry{}, fmt.Errorf("%w: what it says of its revision cannot be read", ErrEnforcement)
	}
	return Entry{Addition: Addition{held.RecordID, held.Reviewer.ID, revision, at,
		terms.SetOf(held.ReviewerBlockers...), held.StatementDigest != nil},
		KeyFingerprint: held.Reviewer.KeyFingerprint, Carried: terms.SetOf(held.CarriedBlockers...), Supersedes: held.Supersedes}, nil
}

func (e *Entry) void() bool { return e.Revoked || e.Rejection != nil }

// A Status is what came of a record of a log.
type Status struct {
	SupersededBy RecordID // that took its place; "" for none, and if rejected or of a revoked key
	Rejection    *Rejection
	Revoked      bool
	// JudgedAgain, if void, is the sequence of the last since on the revision or a later one, or 0.
	JudgedAgain int64
}

// Statuses are the entries on a case or an amendment in the order of the log, which say which
// record is in force on each revision, what came of every record and which blockers people added.
// Those Elsewhere come before the record at their Sequence, in the order in which they came.
type Statuses []Entry

// Add takes an entry. Those of one Sequence are taken in their order.
func (s *Statuses) Add(e Entry) {
	at := len(*s)
	for at > 0 && ((*s)[at-1].Sequence > e.Sequence || e.Elsewhere && (*s)[at-1].Sequence == e.Sequence && !(*s)[at-1].Elsewhere) {
		at--
	}
	*s = slices.Insert(*s, at, e)
}

// last returns the last entry of this log, or of those elsewhere, that is wanted; nil for none.
func (s Statuses) last(elsewhere bool, wanted func(*Entry) bool) *Entry {
	for i := len(s) - 1; i >= 0; i-- {
		if e := &s[i]; e.Elsewhere == elsewhere && wanted(e) {
			return e
		}
	}
	return nil
}

// InForce returns the record in force on a revision, "" for none: what came last of the last record
// here whose key counts, the record that its rejection names, and the last record elsewhere.
func (s Statuses) InForce(revision int64) RecordID {
	here := s.last(false, func(e *Entry) bool { return e.Revision == revision && !e.Revoked })
	there := s.last(true, func(e *Entry) bool { return e.Revision == revision })
	switch {
	case there != nil && (here == nil || here.Sequence < there.Sequence && (here.Rejection == nil || here.Answer < there.Answer)):
		return there.Record
	case here == nil:
		return ""
	case here.Rejection != nil:
		return here.Rejection.InForce
	}
	return here.Record
}

// Again returns the record for which a revision has to be judged again, nil for none: the last one
// on it or, without any, here or elsewhere, on an earlier revision, if it is void.
func (s Statuses) Again(revision int64) *Entry {
	last := s.last(false, func(e *Entry) bool { return e.Revision == revision })
	if last == nil && s.last(true, func(e *Entry) bool { return e.Revision == revision }) == nil {
		last = s.last(false, func(e *Entry) bool { return e.Revision < revision })
	}
	if last == nil || !last.void() {
		return nil
	}
	return last
}

// Of returns the status of the record of this log with an id, at its place.
func (s Statuses) Of(id RecordID, revision, sequence int64) (status Status) {
	for i := range s {
		e := &s[i]
		if e.Record == id && !e.Elsewhere {
			status.Rejection, status.Revoked = e.Rejection, e.Revoked
		}
		if !e.void() && e.Supersedes == id {
			status.SupersededBy = max(status.SupersededBy, e.Record)
		}
		if !e.Elsewhere && e.Revision >= revision && e.Sequence > sequence {
			status.JudgedAgain = e.Sequence
		}
	}
	if status.Rejection != nil || status.Revoked {
		status.SupersededBy = "" // it has no place that another could take
		return status
	}
	status.JudgedAgain = 0
	for i := range s {
		if e := &s[i]; e.Rejection != nil && !status.SupersededBy.Present() && e.Revision == revision &&
			e.Sequence > sequence && e.Rejection.InForce != id {
			status.SupersededBy = e.Rejection.InForce
		}
	}
	return status
}

// Added returns the blockers that people added on a revision, in records that are or were in force
// and in rejections, and earlier additions that no record in force has answered. A record without
// the service's answer stops counting once one elsewhere came after it, as it will be rejected.
func (s Statuses) Added(revision int64) (carried terms.BlockerSet, unanswered []Addition) {
	var all []Addition
	for i := range s {
		e := &s[i]
		overtaken := func(there *Entry) bool { return there.Revision == e.Revision && there.Sequence > e.Sequence }
		if e.Revision > revision || e.Never || e.Rejection == nil && !e.Elsewhere && !e.Accepted && s.last(true, overtaken) != nil {
			continue
		}
		one, carries := e.Addition, e.Carried
		if r := e.Rejection; r != nil {
			one, carries = Addition{Revision: e.Revision, At: r.At, Codes: r.Carried}, 0
		}
		if one.Revision == revision {
			carried = carried.Union(one.Codes).Union(carries)
		}
		all = append(all, one)
	}
	return carried, Unanswered(all, revision, func(a *Addition) bool { return s.InForce(a.Revision) == a.Record })
}
