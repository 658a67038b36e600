package domain

import (
	"strconv"

	"docket/domain/canonical"
)

// A Fault is why a packet was refused: where, and what is wrong. It never holds a value, nor a member name that is not
// one of the known ones, because either might be private.
type Fault struct {
	Pointer string // RFC 6901, from the packet (or whatever was read) down; "" for the whole
	Reason  string // one clause, lower case
	Offset  int    // of the byte in the text that was read
}

// Error returns the pointer and the reason.
func (f *Fault) Error() string {
	if f.Pointer == "" {
		return f.Reason
	}
	return f.Pointer + ": " + f.Reason
}

// The reasons for which the shape of a packet refuses it. Those of its JSON are canonical's.
const (
	reasonWantObject    = "must be an object"
	reasonWantList      = "must be an array"
	reasonWantString    = "must be a string"
	reasonWantID        = "must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"
	reasonWantTime      = "must be a time in UTC such as 2026-01-31T09:00:00Z"
	reasonWantHash      = "must be sha256: and 64 lower-case hex digits"
	reasonWantVersion   = "must be an integer of 1 or more, below 2^53"
	reasonWantCount     = "must be an integer of 0 or more, below 2^53"
	reasonWantFlag      = "must be true or false"
	reasonWantWord      = "is not in the vocabulary: "
	reasonWantMask      = "is not the mask of a text"
	reasonPrivateText   = "holds private details that have to be taken out first: "
	reasonTextLength    = "must have 1 to 2,000 characters"
	reasonAbsent        = "is required and absent"
	reasonNull          = "may not be null; leave it out if there is none"
	reasonUnknownMember = "has a member that is not known; it is not shown, because it may be private"
	reasonMemberCase    = "has a member name in the wrong case; it must be "
	reasonRecordSize    = "is over 1 MiB"
	reasonPacketTable   = "must be one of the four packet tables"
	reasonQuestionTable = "must be the table of appeal cases or of amendment records"
)

func faultAt(v canonical.Value, reason string) *Fault {
	return &Fault{Reason: reason, Offset: v.Offset()}
}

// faultUnless is nil if the condition holds.
func faultUnless(holds bool, v canonical.Value, reason string) *Fault {
	if holds {
		return nil
	}
	return faultAt(v, reason)
}

// under says that the fault lies in the member of that name, which must be a known one.
func (f *Fault) under(name string) *Fault {
	f.Pointer = "/" + name + f.Pointer
	return f
}

func (f *Fault) underIndex(index int) *Fault { return f.under(strconv.Itoa(index)) }

// fromCanonical takes over a fault of the JSON itself. Of its path only the names that known accepts are kept, from
// the top down to the first one it does not; what lies under the private member is never pointed into.
func fromCanonical(fault *canonical.Fault, known func(name string) bool) *Fault {
	private := false
	pointer := canonical.Pointer(fault.Path, func(_ int, step canonical.Step) bool {
		shown := !private && (step.IsIndex || known(step.Name))
		private = private || !step.IsIndex && step.Name == privateMember
		return shown
	})
	return &Fault{Pointer: pointer, Reason: fault.Reason, Offset: fault.Offset}
}
