package domain

import (
	"encoding/hex"
	"time"
)

// NewRecordID makes the id of a record that is recorded at a time: a UUIDv7 (RFC 9562) of the time's millisecond. The time
// must be one after 1970 and before 10000; random is what makes the id unlike every other.
func NewRecordID(at Instant, random [10]byte) RecordID {
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
func (id RecordID) At() Instant {
	if !id.Valid() {
		return Instant{}
	}
	var ms int64
	for _, c := range []byte(id[:8] + id[9:13]) {
		digit, _ := nibble(c)
		ms = ms<<4 | int64(digit)
	}
	return InstantOf(time.UnixMilli(ms))
}

// OrderLeeway is how far before the newest record of a console's log a record may have been recorded.
const OrderLeeway = 5 * time.Minute

// timeFault says what is wrong with the times of a record: "" if it was opened no later than evaluated, evaluated no later
// than recorded, and its id is of the millisecond in which it was recorded.
func timeFault(opened, evaluated, recorded Instant, id RecordID) string {
	switch {
	case !opened.NotAfter(recorded):
		return "openedAt is after recordedAt"
	case !evaluated.NotAfter(recorded):
		return "evaluatedAt is after recordedAt"
	case !opened.NotAfter(evaluated):
		return "openedAt is after evaluatedAt"
	case id.At().Time().UnixMilli() != recorded.Time().UnixMilli():
		return "recordId is not of the millisecond of recordedAt"
	}
	return ""
}
