package records

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/terms"
)

// An EntryKind is what an entry of the log is (this project's choice). The zero value is none.
type EntryKind = terms.Term[entryKindList]

type entryKindList struct{}

// WordList returns the kinds.
func (entryKindList) WordList() *terms.WordList { return entryKindWords }

var entryKindWords = terms.NewWordList("kind of entry", "packet", "record", "statement")

// The kinds.
const (
	PacketEntry    EntryKind = iota + 1 // a packet came in
	RecordEntry                         // a reviewer decided: the body is the enforcement record
	StatementEntry                      // a person or a service stated something: the body is its text
)

// EntryKinds is the vocabulary, for parsing and listing.
var EntryKinds terms.Terms[entryKindList]

// MaxLeafSize is the length of the longest leaf in bytes, which tiles of entries bound.
const MaxLeafSize = 65535

// LeafData is what the RFC 6962 leaf hash of an entry is over: the kind, a line feed, the time of
// the append by the log's clock as LogTime writes it, a line feed, and the body.
func LeafData(kind EntryKind, at string, body []byte) []byte {
	return append(fmt.Appendf(nil, "%s\n%s\n", kind, at), body...)
}

// PacketBody is the body of the entry of a packet, in canonical form:
//
//	{"digest", "id", "number", "table"}
//
// The digest is H of the document as packets.Packet.Stored returns it: its texts stand in that as
// salted digests, so that their erasure changes no entry.
func PacketBody(table terms.Table, key packets.Key, document []byte) []byte {
	w := json.Writer{}
	return w.Open().Name("digest").String(terms.HashOf(document).String()).Name("id").String(string(key.ID)).
		Name("number").Int(key.Number).Name("table").String(table.String()).Close().Text()
}

// PacketSubject is the subject of the entry of a packet within its table: the id and the number.
func PacketSubject(key packets.Key) string { return fmt.Sprintf("%s %d", key.ID, key.Number) }

// ParsePacketSubject reads what PacketSubject writes, and nothing else.
func ParsePacketSubject(text string) (key packets.Key, ok bool) {
	id, number, _ := strings.Cut(text, " ")
	key.ID, ok = terms.ParseID(id)
	n, err := strconv.ParseInt(number, 10, 64)
	if key.Number = n; !ok || err != nil || PacketSubject(key) != text {
		return packets.Key{}, false
	}
	return key, true
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
