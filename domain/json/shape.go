package json

import "cmp"

// A FormKind is the kind of value a member takes.
type FormKind uint8

// The kinds of values. FormWord and FormWords carry words, FormList and FormObject their shape.
const (
	FormID        FormKind = iota + 1 // an opaque id
	FormTime                          // RFC 3339, UTC, ending in Z
	FormHash                          // sha256: and 64 hex digits
	FormText                          // free text, 1 to 2,000 characters, scanned for private details
	FormString                        // any string
	FormVersion                       // an integer of 1 or more, below 2^53
	FormFlag                          // true or false
	FormWord                          // one word of a vocabulary
	FormWords                         // a list of words of a vocabulary
	FormIDs                           // a list of ids
	FormObject                        // a nested object
	FormList                          // a list of nested objects
	FormCount                         // an integer of 0 or more, below 2^53
	FormSentence                      // a string of at least one character
	FormSentences                     // a list of at least one such string
	FormPositive                      // a number greater than 0
)

// A Form describes the values that a member may hold. JSON Schemas are written from it.
type Form struct {
	Kind     FormKind
	Words    []string // of FormWord and FormWords
	Shape    *Shape   // of FormObject and FormList; nil if the object is kept unread
	NotEmpty bool     // of FormList: it has at least one element
	Unique   bool     // of FormWords and FormIDs: it holds none twice
}

// Want is the reason for which a value that is not of the form is refused.
func (f *Form) Want() string { return cmp.Or(wants[f.Kind], WantString) }

var wants = map[FormKind]string{
	FormID: WantID, FormTime: WantTime, FormHash: WantHash, FormVersion: WantVersion, FormCount: WantCount,
	FormPositive: WantNumber, FormFlag: WantFlag, FormObject: WantObject,
	FormWords: WantList, FormIDs: WantList, FormList: WantList, FormSentences: WantList,
}

// A MemberShape describes one member of an object.
type MemberShape struct {
	Name     string
	Required bool // its absence refuses the object; other absences are for the rules to judge
	Nullable bool // null counts as absent; elsewhere null refuses the object
	Form     Form
}

// A Shape describes an object: its only members, in the order in which they are documented.
type Shape struct{ Members []MemberShape }

// Member returns the member of that name; nil if there is none. A nil Shape has none.
func (s *Shape) Member(name string) *MemberShape { return s.member([]byte(name)) }

func (s *Shape) member(name []byte) *MemberShape {
	if s == nil {
		return nil
	}
	for i := range s.Members {
		if s.Members[i].Name == string(name) {
			return &s.Members[i]
		}
	}
	return nil
}

// Names adds the names of the members, and of those within them, to names.
func (s *Shape) Names(names map[string]bool) {
	for i := range s.Members {
		names[s.Members[i].Name] = true
		if nested := s.Members[i].Form.Shape; nested != nil {
			nested.Names(names)
		}
	}
}
