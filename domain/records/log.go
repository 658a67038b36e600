package records

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"docket/domain/terms"
)

// A RecordID names an enforcement record: a UUIDv7 in lower case. "" is an absent one.
type RecordID string

// Present reports whether there is an id.
func (id RecordID) Present() bool { return id != "" }

// Valid reports whether the id has the form of a UUIDv7.
func (id RecordID) Valid() bool {
	if len(id) != 36 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if _, ok := terms.HexDigit(c); !ok {
				return false
			}
		}
	}
	return id[14] == '7' && (id[19] == '8' || id[19] == '9' || id[19] == 'a' || id[19] == 'b')
}

// NewRecordID makes the id of a record: a UUIDv7 (RFC 9562) of the millisecond at which it is
// recorded, after 1970 and before 10000. random makes the id unlike every other.
func NewRecordID(at terms.Instant, random [10]byte) RecordID {
	var id [16]byte
	ms := at.Time().UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	copy(id[6:], random[:])
	id[6], id[8] = id[6]&0x0f|0x70, id[8]&0x3f|0x80
	text := hex.EncodeToString(id[:])
	return RecordID(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:])
}

// At is the time that the id is of, to the millisecond; absent for an id that is not Valid.
func (id RecordID) At() terms.Instant {
	if !id.Valid() {
		return terms.Instant{}
	}
	ms, _ := strconv.ParseInt(string(id[:8]+id[9:13]), 16, 64)
	return terms.InstantOf(time.UnixMilli(ms))
}

// OrderLeeway is how far before the newest record of a console's log a record may be recorded.
const OrderLeeway = 5 * time.Minute

// mostStale is how long before it is recorded a decision may have been evaluated.
const mostStale = 10 * time.Minute

// timeFault says what is wrong with the times and the id of a record, "" for nothing.
func timeFault(opened, evaluated, recorded terms.Instant, id RecordID) string {
	switch {
	case !opened.NotAfter(recorded):
		return "openedAt is after recordedAt"
	case !evaluated.NotAfter(recorded):
		return "evaluatedAt is after recordedAt"
	case !opened.NotAfter(evaluated):
		return "openedAt is after evaluatedAt"
	case recorded.Sub(evaluated) > mostStale:
		return "evaluatedAt is more than 10 minutes before recordedAt"
	case id.At().Time().UnixMilli() != recorded.Time().UnixMilli():
		return "recordId is not of the millisecond of recordedAt"
	}
	return ""
}

// A LogHead is the log as the reviewer last saw it: each record vouches for the history before it.
type LogHead struct {
	Origin string     // name of the log in its checkpoints
	Size   int64      // entries in the log
	Root   terms.Hash // RFC 6962 root of the log at that size
}

// The prefixes of the origins of a console's and a service's log; 32 hex digits follow. Every
// checkpoint signs the origin, so that neither log can pass for the other.
const (
	OriginPrefix        = "docket/"
	ServiceOriginPrefix = OriginPrefix + "service/"
)

// OfService reports whether the origin is that of a service's log. Its records were handed in:
// their LogHead is of a console's log, and private notes stayed with the consoles.
func OfService(origin string) bool { return strings.HasPrefix(origin, ServiceOriginPrefix) }

// ofConsole reports whether the origin is the console prefix and 8 to 64 lower-case hex digits.
func ofConsole(origin string) bool {
	digits, found := strings.CutPrefix(origin, OriginPrefix)
	return found && len(digits) >= 8 && len(digits) <= 64 && strings.Trim(digits, "0123456789abcdef") == ""
}
