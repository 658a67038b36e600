package terms

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// An ID names a policy, case, amendment, person or item. It is opaque: compared and shown. Its form
// is a letter or digit and up to 127 more of letters, digits and "._:-"; "" is an absent one.
type ID string

// maxIDLength is in bytes, which are all ASCII.
const maxIDLength = 128

// Present reports whether there is an id.
func (id ID) Present() bool { return id != "" }

// MarshalJSON writes the id as a string, an absent one as null.
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(id))
}

// ParseID reads an id in its form and nothing else.
func ParseID(text string) (ID, bool) {
	if !IsID([]byte(text)) {
		return "", false
	}
	return ID(text), true
}

// IsID reports whether the text has the form of an id.
func IsID(text []byte) bool {
	if len(text) == 0 || len(text) > maxIDLength {
		return false
	}
	for i, c := range text {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i > 0 && (c == '.' || c == '_' || c == ':' || c == '-'):
		default:
			return false
		}
	}
	return true
}

const hashPrefix = "sha256:"

// A Hash is a SHA-256 digest written as "sha256:" and 64 lower-case hex digits. The zero value is
// an absent one, which matches nothing, itself included.
type Hash struct {
	sum     [sha256.Size]byte
	present bool
}

// HashOf digests the bytes; for packets and records they are an RFC 8785 canonical form.
func HashOf(canonicalForm []byte) Hash { return Hash{sha256.Sum256(canonicalForm), true} }

// Present reports whether there is a hash.
func (h Hash) Present() bool { return h.present }

// Matches reports whether both hashes are present and the same.
func (h Hash) Matches(other Hash) bool { return h.present && other.present && h.sum == other.sum }

// String writes the hash; "" for an absent one.
func (h Hash) String() string {
	if !h.present {
		return ""
	}
	var text [len(hashPrefix) + 2*len(h.sum)]byte
	copy(text[:], hashPrefix)
	hex.Encode(text[len(hashPrefix):], h.sum[:])
	return string(text[:])
}

// MarshalJSON writes the hash as a string, an absent one as null.
func (h Hash) MarshalJSON() ([]byte, error) {
	if !h.present {
		return []byte("null"), nil
	}
	return []byte(`"` + h.String() + `"`), nil
}

// ParseHash reads a written hash and nothing else.
func ParseHash(text string) (Hash, bool) { return ParseHashBytes([]byte(text)) }

// ParseHashBytes is ParseHash for a reader that holds bytes.
func ParseHashBytes(text []byte) (Hash, bool) {
	if len(text) != len(hashPrefix)+2*sha256.Size || string(text[:len(hashPrefix)]) != hashPrefix {
		return Hash{}, false
	}
	h := Hash{present: true}
	for i := range h.sum {
		high, ok1 := HexDigit(text[len(hashPrefix)+2*i])
		low, ok2 := HexDigit(text[len(hashPrefix)+2*i+1])
		if !ok1 || !ok2 {
			return Hash{}, false
		}
		h.sum[i] = high<<4 | low
	}
	return h, true
}

// HexDigit returns the value of a lower-case hex digit; false for any other character.
func HexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}
