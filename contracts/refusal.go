package contracts

import (
	"fmt"
	"strconv"

	"docket/domain/private"
)

// A Refusal names a text of a file that was refused, its place and the reason. It holds no value
// and no unknown member name of the file. File is the name as the caller gave it, so a caller that
// prints a Refusal escapes it as any other text.
type Refusal struct {
	File string `json:"file"`
	// Line is the faulty byte's where known, else the start's; from 1, and 0 for a file not read.
	Line int `json:"line"`
	// Pointer is RFC 6901 from the packet or, within one, from the array down; "" for the whole.
	Pointer string `json:"pointer"`
	Reason  string `json:"reason"` // one clause, lower case

	// Others are the further faults of the text, in order, each with File and without Others.
	Others []Refusal `json:"-"`
}

// All lists the refusal and the others of the same text.
func (r Refusal) All() []Refusal {
	first := r
	first.Others = nil
	return append([]Refusal{first}, r.Others...)
}

// Error returns file, line, pointer and reason on one line.
func (r Refusal) Error() string {
	place := r.File + ": "
	if r.Line > 0 {
		place = r.File + ", line " + strconv.Itoa(r.Line) + ": "
	}
	if r.Pointer != "" {
		place += r.Pointer + ": "
	}
	return place + r.Reason
}

// A Masked says that a text is not kept, why, and names its place. It does not hold the text.
type Masked struct {
	File    string `json:"file"`
	Line    int    `json:"line"`    // of the text, from 1
	Pointer string `json:"pointer"` // as in a Refusal
	Kind    string `json:"kind"`    // in the words of package private, or that the text is withheld
}

// String returns file, line, pointer and kind on one line, and what to do.
func (m Masked) String() string {
	if m.Kind == private.Unredacted.String() {
		return fmt.Sprintf("%s, line %d: %s: %s: the case does not say that it is redacted; send a new revision that does",
			m.File, m.Line, m.Pointer, m.Kind)
	}
	return fmt.Sprintf("%s, line %d: %s: masked, because the text holds this kind of private detail: %s"+
		"; reword it and send a new revision", m.File, m.Line, m.Pointer, m.Kind)
}

// The reasons that framing adds to those of package domain.
const (
	reasonFileMark   = "the file starts with a byte order mark; save it as UTF-8 without one"
	reasonNoPackets  = "this is no packet file: a packet is a JSON object on a line of its own, or one of an array"
	reasonTextSize   = "is over 16 MiB"
	reasonNoElement  = "an element is missing between the commas"
	reasonNoComma    = "a comma is missing between two elements of the array"
	reasonNoBracket  = "the array is not closed before the file ends"
	reasonAfterArray = "bytes after the array"
	reasonUnbalanced = "its strings or brackets do not match, so its end cannot be told; nothing after it is read, " +
		"save from a line on that starts with {"
)
