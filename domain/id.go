package domain

import "encoding/json"

// An ID names a policy, case, amendment, person or item. It is opaque: it is compared and shown, never interpreted.
// Its form is a letter or digit and up to 127 more of letters, digits and "._:-". "" is an absent one.
type ID string

// maxIDLength is in bytes, which are all ASCII.
const maxIDLength = 128

// Present tells whether there is an id.
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
	if !isID([]byte(text)) {
		return "", false
	}
	return ID(text), true
}

func isID(text []byte) bool {
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
