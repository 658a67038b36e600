package domain

import (
	"slices"
	"strings"

	"docket/domain/canonical"
)

// A FormKind is the kind of value a member takes.
type FormKind uint8

// The kinds of values. FormWord, FormWords and FormMap also carry their words, FormList and FormObject their shape.
const (
	FormID      FormKind = iota + 1 // an opaque id
	FormTime                        // RFC 3339, UTC, ending in Z
	FormHash                        // sha256: and 64 hex digits
	FormText                        // free text, 1 to 2,000 characters, scanned for private details
	FormString                      // any string
	FormVersion                     // an integer of 1 or more, below 2^53
	FormFlag                        // true or false
	FormWord                        // one word of a vocabulary
	FormWords                       // a list of words of a vocabulary
	FormIDs                         // a list of ids
	FormObject                      // a nested object
	FormList                        // a list of nested objects
	FormCount                       // an integer of 0 or more, below 2^53
)

// A Form describes what a member may hold. The schemas under contracts are written from it.
type Form struct {
	Kind  FormKind
	Words []string // of FormWord and FormWords
	Shape *Shape   // of FormObject and FormList
}

// A MemberShape describes one member of an object.
type MemberShape struct {
	Name     string
	Required bool // its absence refuses the packet; every other absence is for the rules to judge
	Nullable bool // null counts as absent; elsewhere null refuses the packet
	Form     Form
}

// A Shape describes an object: its members, in the order in which they are documented. No other member may stand in it.
type Shape struct{ Members []MemberShape }

// member is a MemberShape and the function that reads it into an R.
type member[R any] struct {
	MemberShape
	read func(into *R, value canonical.Value, in *reading) *Fault
}

// shapeOf reads objects into an R. members is sorted by name, which is the order in which canonical yields them.
type shapeOf[R any] struct {
	described Shape
	members   []member[R]
}

// reading is what the reading of one record carries along.
type reading struct {
	stored bool // masks in place of texts are allowed: the record comes from a store, not from a file
	masked bool // a text held private details
}

func newShape[R any](members ...member[R]) *shapeOf[R] {
	s := &shapeOf[R]{members: members}
	for _, m := range members {
		s.described.Members = append(s.described.Members, m.MemberShape)
	}
	s.members = slices.Clone(members)
	slices.SortFunc(s.members, func(a, b member[R]) int { return strings.Compare(a.Name, b.Name) })
	return s
}

// read takes the object's members into the record. Both lists are in the same order, so one walk along both finds
// members that are unknown and members that are missing.
func (s *shapeOf[R]) read(into *R, object canonical.Value, in *reading) *Fault {
	if object.Kind() != canonical.Object {
		return faultAt(object, reasonWantObject)
	}
	next := 0
	for value := object.First(); value.Exists(); value = value.Next() {
		name := value.NameBytes()
		for next < len(s.members) && s.members[next].Name < string(name) {
			if s.members[next].Required {
				return faultAt(object, reasonAbsent).under(s.members[next].Name)
			}
			next++
		}
		if next == len(s.members) || s.members[next].Name != string(name) {
			return s.unknown(object, value)
		}
		m := &s.members[next]
		next++
		if value.Kind() == canonical.Null {
			if m.Nullable {
				continue
			}
			return faultAt(value, reasonNull).under(m.Name)
		}
		if fault := m.read(into, value, in); fault != nil {
			return fault.under(m.Name)
		}
	}
	for ; next < len(s.members); next++ {
		if s.members[next].Required {
			return faultAt(object, reasonAbsent).under(s.members[next].Name)
		}
	}
	return nil
}

// unknown refuses a member that the shape does not have. Its name may be private, so the fault points at the object;
// a name that only differs in case from a known one is named as it should be.
func (s *shapeOf[R]) unknown(object, value canonical.Value) *Fault {
	fault := faultAt(object, reasonUnknownMember)
	fault.Offset = value.Offset()
	for i := range s.members {
		if strings.EqualFold(s.members[i].Name, value.Name()) {
			fault.Reason = reasonMemberCase + s.members[i].Name
		}
	}
	return fault
}

// The constructors of members follow. Each takes the member's name and where in the record its value goes.

// required marks a member whose absence refuses the packet.
func required[R any](m member[R]) member[R] { m.Required = true; return m }

// nullable marks a member in which null counts as absent.
func nullable[R any](m member[R]) member[R] { m.Nullable = true; return m }

func newMember[R any](name string, form Form, read func(*R, canonical.Value, *reading) *Fault) member[R] {
	return member[R]{MemberShape{Name: name, Form: form}, read}
}

func idMember[R any](name string, at func(*R) *ID) member[R] {
	return newMember(name, Form{Kind: FormID}, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readID(v)
		return fault
	})
}

func timeMember[R any](name string, at func(*R) *Instant) member[R] {
	return newMember(name, Form{Kind: FormTime}, func(r *R, v canonical.Value, _ *reading) *Fault {
		instant, ok := parseInstant(v.Bytes())
		*at(r) = instant
		return faultUnless(ok && v.Kind() == canonical.String, v, reasonWantTime)
	})
}

func hashMember[R any](name string, at func(*R) *Hash) member[R] {
	return newMember(name, Form{Kind: FormHash}, func(r *R, v canonical.Value, _ *reading) *Fault {
		hash, ok := parseHash(v.Bytes())
		*at(r) = hash
		return faultUnless(ok && v.Kind() == canonical.String, v, reasonWantHash)
	})
}

func stringMember[R any](name string, at func(*R) *string) member[R] {
	return newMember(name, Form{Kind: FormString}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readString(v, in)
		return fault
	})
}

// looseMember is a string member of a record whose rules ask whether it holds private details.
func looseMember[R any](name string, at func(*R) *Text) member[R] {
	return newMember(name, Form{Kind: FormString}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readLoose(v, in)
		return fault
	})
}

func versionMember[R any](name string, at func(*R) *int64) member[R] {
	return newMember(name, Form{Kind: FormVersion}, func(r *R, v canonical.Value, _ *reading) *Fault {
		number, ok := v.Integer()
		*at(r) = number
		return faultUnless(ok && number >= 1, v, reasonWantVersion)
	})
}

func flagMember[R any](name string, at func(*R) *Flag) member[R] {
	return newMember(name, Form{Kind: FormFlag}, func(r *R, v canonical.Value, _ *reading) *Fault {
		switch v.Kind() {
		case canonical.True:
			*at(r) = FlagYes
		case canonical.False:
			*at(r) = FlagNo
		default:
			return faultAt(v, reasonWantFlag)
		}
		return nil
	})
}

func textMember[R any](name string, at func(*R) *Text) member[R] {
	return newMember(name, Form{Kind: FormText}, func(r *R, v canonical.Value, in *reading) (fault *Fault) {
		*at(r), fault = readText(v, in)
		return fault
	})
}

func wordMember[R any, K kind](name string, at func(*R) *Word[K]) member[R] {
	form := Form{Kind: FormWord, Words: Vocabulary[K]{}.Texts()}
	return newMember(name, form, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readWord[K](v)
		return fault
	})
}

func wordsMember[R any, K kind](name string, at func(*R) *Set[K]) member[R] {
	form := Form{Kind: FormWords, Words: Vocabulary[K]{}.Texts()}
	return newMember(name, form, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readWords[K](v)
		return fault
	})
}

func declaredMember[R any, K kind](name string, at func(*R) *Declared[K]) member[R] {
	form := Form{Kind: FormWords, Words: Vocabulary[K]{}.Texts()}
	return newMember(name, form, func(r *R, v canonical.Value, _ *reading) *Fault {
		words, fault := readWords[K](v)
		*at(r) = Declared[K]{words, fault == nil}
		return fault
	})
}

func idsMember[R any](name string, at func(*R) *[]ID) member[R] {
	return newMember(name, Form{Kind: FormIDs}, func(r *R, v canonical.Value, _ *reading) (fault *Fault) {
		*at(r), fault = readIDs(v)
		return fault
	})
}

func objectMember[R, O any](name string, shape *shapeOf[O], at func(*R) *O) member[R] {
	form := Form{Kind: FormObject, Shape: &shape.described}
	return newMember(name, form, func(r *R, v canonical.Value, in *reading) *Fault {
		return shape.read(at(r), v, in)
	})
}

func listMember[R, O any](name string, shape *shapeOf[O], at func(*R) *[]O) member[R] {
	form := Form{Kind: FormList, Shape: &shape.described}
	return newMember(name, form, func(r *R, v canonical.Value, in *reading) *Fault {
		if v.Kind() != canonical.Array {
			return faultAt(v, reasonWantList)
		}
		list := make([]O, v.Len())
		index := 0
		for element := v.First(); element.Exists(); element = element.Next() {
			if fault := shape.read(&list[index], element, in); fault != nil {
				return fault.underIndex(index)
			}
			index++
		}
		*at(r) = list
		return nil
	})
}
