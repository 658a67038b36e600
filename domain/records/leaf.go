package records

import (
	"fmt"

	"docket/domain/terms"
)

// An EntryKind is what an entry of the log is (this project's choice). The zero value is none.
type EntryKind = terms.Term[entryKindList]

type entryKindList struct{}

// WordList returns the kinds.
func (entryKindList) WordList() *terms.WordList { return entryKindWords }

var entryKindWords = terms.NewWordList("kind of entry", "packet", "record")

// The kinds.
const (
	PacketEntry EntryKind = iota + 1 // a packet came in
	RecordEntry                      // a reviewer decided: the body is the enforcement record
)

// MaxLeafSize is the length of the longest leaf in bytes, which tiles of entries bound.
const MaxLeafSize = 65535

// LeafData is what the RFC 6962 leaf hash of an entry is over: the kind, a line feed, the time of
// the append by the log's clock as LogTime writes it, a line feed, and the body.
func LeafData(kind EntryKind, at string, body []byte) []byte {
	return append(fmt.Appendf(nil, "%s\n%s\n", kind, at), body...)
}

const logTime = "2006-01-02T15:04:05.000Z"

// LogTime writes the time of an entry: with exactly three digits of a second.
func LogTime(at terms.Instant) string { return at.Time().Format(logTime) }

// ParseLogTime reads what LogTime writes, and nothing else.
func ParseLogTime(text string) (terms.Instant, bool) {
	at, ok := terms.ParseInstant(text)
	if !ok || LogTime(at) != text {
		return terms.Instant{}, false
	}
	return at, true
}
