package contracts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/shape"
)

// maxFaults is how many faults of one record are worded.
const maxFaults = 100

// faults words the findings of the library, whose own texts repeat values and unknown names.
func (s *Schema) faults(leaves []*jsonschema.ValidationError, root canonical.Value) []shape.Fault {
	var faults []shape.Fault
	for _, leaf := range leaves[:min(len(leaves), maxFaults)] {
		faults = append(faults, s.worded(leaf, root)...)
	}
	ordered.Sort(faults, func(a, b shape.Fault) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Reason, b.Reason))
	})
	return slices.Compact(faults)
}

// worded returns one finding of the library as faults. Every name on the path is a known one, because the library descends into
// no others.
func (s *Schema) worded(e *jsonschema.ValidationError, root canonical.Value) []shape.Fault {
	kind, described, value := shape.FormObject, s.shape, root
	var words []string
	for _, step := range dialect.Steps(e.InstanceLocation) {
		kind, described, words = below(kind, described, words, step)
		value = dialect.Child(value, step)
	}
	fault := shape.Fault{Pointer: e.InstanceLocation, Offset: value.Offset()}
	switch keyword := path.Base(e.KeywordLocation); {
	case keyword == "required":
		return absent(described, value, fault)
	case keyword == "additionalProperties":
		return unknown(described, value, fault)
	case value.Kind() == canonical.Null && e.InstanceLocation != "":
		fault.Reason = shape.Null
	case keyword == "enum" && value.Kind() == canonical.String:
		fault.Reason = shape.WantWord + strings.Join(words, ", ")
	case keyword == "uniqueItems":
		fault.Reason = shape.Repeated
	case keyword == "minLength" || keyword == "maxLength":
		fault.Reason = shape.TextLength
	default:
		fault.Reason = (&shape.Form{Kind: kind}).Want()
	}
	return []shape.Fault{fault}
}

// below returns the kind of the values one step below a value of that kind, with their shape or vocabulary.
func below(kind shape.FormKind, described *shape.Shape, words []string, step string) (shape.FormKind, *shape.Shape, []string) {
	switch kind {
	case shape.FormList:
		return shape.FormObject, described, nil
	case shape.FormWords:
		return shape.FormWord, nil, words
	case shape.FormIDs:
		return shape.FormID, nil, nil
	}
	for i := range described.Members {
		if member := &described.Members[i]; member.Name == step {
			return member.Form.Kind, member.Form.Shape, member.Form.Words
		}
	}
	return kind, described, words
}

// unknown gives a fault for the members of an object that its shape does not have, and one for each that only differs in
// case from one that it has. Their names may be private, so that the faults point to the object and name what it has.
func unknown(described *shape.Shape, object canonical.Value, at shape.Fault) []shape.Fault {
	var faults []shape.Fault
	reported := false
	for value := object.First(); value.Exists() && len(faults) < maxFaults; value = value.Next() {
		reason, known := memberReason(described, value.Name())
		if known || reason == shape.Unknown && reported {
			continue
		}
		reported = reported || reason == shape.Unknown
		faults = append(faults, shape.Fault{Pointer: at.Pointer, Reason: reason, Offset: value.Offset()})
	}
	return faults
}

// memberReason is the reason against a member of that name; "" if the shape has it.
func memberReason(described *shape.Shape, name string) (reason string, known bool) {
	reason = shape.Unknown
	for i := range described.Members {
		if described.Members[i].Name == name {
			return "", true
		}
		if strings.EqualFold(described.Members[i].Name, name) {
			reason = shape.MemberCase + described.Members[i].Name
		}
	}
	return reason, false
}

// absent gives one fault for each required member that is not there.
func absent(described *shape.Shape, object canonical.Value, at shape.Fault) []shape.Fault {
	var faults []shape.Fault
	for i := range described.Members {
		if member := &described.Members[i]; member.Required && !object.Member(member.Name).Exists() {
			faults = append(faults, shape.Fault{Pointer: at.Pointer + "/" + member.Name, Reason: shape.Absent,
				Offset: at.Offset})
		}
	}
	return faults
}
