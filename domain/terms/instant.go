package terms

import (
	"time"
)

// An Instant is a point in time as packets write it: RFC 3339 in UTC ending in "Z", with at most
// nine decimals of a second. The zero value is an absent one: it is neither past nor future.
type Instant struct {
	at      time.Time
	present bool
}

// InstantOf wraps a time, which is taken to UTC.
func InstantOf(t time.Time) Instant { return Instant{at: t.UTC(), present: true} }

// Present reports whether there is a time.
func (i Instant) Present() bool { return i.present }

// Time returns the time in UTC; the zero time for an absent one.
func (i Instant) Time() time.Time { return i.at }

// String writes the instant as packets do; "" for an absent one.
func (i Instant) String() string {
	if !i.present {
		return ""
	}
	return i.at.Format(time.RFC3339Nano)
}

// MarshalJSON writes the instant as a string, an absent one as null.
func (i Instant) MarshalJSON() ([]byte, error) {
	if !i.present {
		return []byte("null"), nil
	}
	return []byte(`"` + i.String() + `"`), nil
}

// NotAfter reports whether both instants are present and i is now or earlier: the only way in which
// a rule may take a time to have come.
func (i Instant) NotAfter(now Instant) bool {
	return i.present && now.present && !i.at.After(now.at)
}

// Before orders instants; an absent one comes after every other.
func (i Instant) Before(other Instant) bool {
	switch {
	case !i.present:
		return false
	case !other.present:
		return true
	}
	return i.at.Before(other.at)
}

// Sub returns how long after other i is; zero if either is absent.
func (i Instant) Sub(other Instant) time.Duration {
	if !i.present || !other.present {
		return 0
	}
	return i.at.Sub(other.at)
}

// ParseInstant reads only the packets' form: upper-case T and Z, no offset, no leap second.
func ParseInstant(text string) (Instant, bool) { return ParseInstantBytes([]byte(text)) }

// ParseInstantBytes takes "2006-01-02T15:04:05Z" with an optional fraction of one to nine digits.
func ParseInstantBytes(b []byte) (Instant, bool) {
	if len(b) < len("2006-01-02T15:04:05Z") || b[len(b)-1] != 'Z' || b[4] != '-' || b[7] != '-' || b[10] != 'T' ||
		b[13] != ':' || b[16] != ':' {
		return Instant{}, false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	hour, ok4 := digits(b[11:13])
	minute, ok5 := digits(b[14:16])
	second, ok6 := digits(b[17:19])
	nanos, ok7 := fraction(b[19 : len(b)-1])
	at := time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC)
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7) || hour > 23 || minute > 59 || second > 59 ||
		at.Month() != time.Month(month) || at.Day() != day { // no such month or day
		return Instant{}, false
	}
	return Instant{at, true}, true
}

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// fraction reads ".d" to ".ddddddddd" as nanoseconds; nothing at all is none.
func fraction(b []byte) (int, bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0] != '.' || len(b) < 2 || len(b) > 10 {
		return 0, false
	}
	n, ok := digits(b[1:])
	for range 10 - len(b) {
		n *= 10
	}
	return n, ok
}
