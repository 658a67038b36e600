package serve

import (
	"strings"

	"docket/cmd/internal/api"
	"docket/contracts"
	"docket/domain"
	"docket/domain/canonical"
)

// The reasons for which the shape of a body refuses it. Those of its JSON are canonical's, those of a record domain's.
// None holds anything of the body.
const (
	wantObject    = "must be an object"
	wantString    = "must be a string"
	wantList      = "must be an array"
	wantHash      = "must be sha256: and 64 lower-case hex digits"
	wantCount     = "must be an integer of 0 or more, below 2^53"
	tooLong       = "is too long"
	absent        = "is required and absent"
	unknownMember = "has a member that is not known; it is not shown, because it may be private"
	memberCase    = "has a member name in the wrong case; it must be "
)

// A bodyMember is a member of a body: every body has all of its members and no other.
type bodyMember[T any] struct {
	name string
	read func(into *T, v canonical.Value) (reason string) // "" if the value is good
}

// readBody reads a body as strictly as a packet: no member twice, in the wrong case, unknown or missing, nothing after it.
// known tells which names below the members may be shown. What the values refer to is good until the next use of doc.
func readBody[T any](doc *canonical.Document, text []byte, members []bodyMember[T], known func(string) bool) (T, error) {
	var into T
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		pointer := canonical.Pointer(fault.Path, func(depth int, step canonical.Step) bool {
			return step.IsIndex || hasMember(members, step.Name) && depth == 0 || depth > 0 && known(step.Name)
		})
		return into, malformed(pointer, fault.Reason)
	}
	root := doc.Root()
	if root.Kind() != canonical.Object {
		return into, malformed("", wantObject)
	}
	for m := root.First(); m.Exists(); m = m.Next() {
		if !hasMember(members, m.Name()) {
			return into, malformed("", unknownReason(members, m.Name()))
		}
	}
	for i := range members {
		value, pointer := root.Member(members[i].name), "/"+members[i].name
		if !value.Exists() {
			return into, malformed(pointer, absent)
		}
		if reason := members[i].read(&into, value); reason != "" {
			return into, malformed(pointer, reason)
		}
	}
	return into, nil
}

func hasMember[T any](members []bodyMember[T], name string) bool {
	for i := range members {
		if members[i].name == name {
			return true
		}
	}
	return false
}

// unknownReason names the member that was meant if only the case differs, and nothing of the body otherwise.
func unknownReason[T any](members []bodyMember[T], name string) string {
	for i := range members {
		if strings.EqualFold(members[i].name, name) {
			return memberCase + members[i].name
		}
	}
	return unknownMember
}

// malformed is the problem of a request that cannot be read. reason is one clause about what the pointer leads to.
func malformed(pointer, reason string) *api.Problem {
	problem := api.Malformed.New(reason)
	problem.Pointer = pointer
	return problem
}

// malformedBy is malformed with what domain found, in the part of the body that the pointer leads to.
func malformedBy(under string, fault *domain.Fault) *api.Problem {
	return malformed(under+fault.Pointer, fault.Reason)
}

// malformedByAll is malformed with all that is wrong with the body, where the reader stopped at one fault.
func malformedByAll(fault *domain.Fault, all []domain.Fault) *api.Problem {
	foremost := contracts.Foremost(fault, all)
	problem := malformed(foremost.Pointer, foremost.Reason)
	for _, fault := range all {
		if len(all) > 1 {
			problem.Faults = append(problem.Faults, api.Fault{Pointer: fault.Pointer, Reason: fault.Reason})
		}
	}
	return problem
}

// noNames shows no name below the members.
func noNames(string) bool { return false }

// stringMember reads a string of at most so many bytes.
func stringMember[T any](name string, most int, at func(*T) *string) bodyMember[T] {
	return bodyMember[T]{name, func(into *T, v canonical.Value) string {
		switch {
		case v.Kind() != canonical.String:
			return wantString
		case len(v.Bytes()) > most:
			return tooLong
		}
		*at(into) = v.Text()
		return ""
	}}
}

// countMember reads an integer of 0 or more.
func countMember[T any](name string, at func(*T) *int64) bodyMember[T] {
	return bodyMember[T]{name, func(into *T, v canonical.Value) string {
		number, ok := v.Integer()
		if !ok || number < 0 {
			return wantCount
		}
		*at(into) = number
		return ""
	}}
}

// hashesMember reads an array of at most so many hashes; null, as an absent list is often written, is an empty one.
func hashesMember[T any](name string, most int, at func(*T) *[]domain.Hash) bodyMember[T] {
	return bodyMember[T]{name, func(into *T, v canonical.Value) string {
		switch {
		case v.Kind() == canonical.Null:
			return ""
		case v.Kind() != canonical.Array:
			return wantList
		case v.Len() > most:
			return tooLong
		}
		hashes := make([]domain.Hash, 0, v.Len())
		for element := v.First(); element.Exists(); element = element.Next() {
			hash, ok := domain.ParseHash(element.Text())
			if !ok {
				return "each " + wantHash
			}
			hashes = append(hashes, hash)
		}
		*at(into) = hashes
		return ""
	}}
}

// nullable takes null for the zero value.
func nullable[T any](m bodyMember[T]) bodyMember[T] {
	return bodyMember[T]{m.name, func(into *T, v canonical.Value) string {
		if v.Kind() == canonical.Null {
			return ""
		}
		return m.read(into, v)
	}}
}

// objectMember keeps an object unread, for whoever knows what it must be.
func objectMember[T any](name string, at func(*T) *canonical.Value) bodyMember[T] {
	return bodyMember[T]{name, func(into *T, v canonical.Value) string {
		if v.Kind() != canonical.Object {
			return wantObject
		}
		*at(into) = v
		return ""
	}}
}
