package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"docket/contracts/internal/dialect"
	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/shape"
)

// maxFaults is how many faults against a schema are worded.
const maxFaults = 100

// faults lists the faults of a report by the schema of its kind, in the order of the text. No fault holds a value or a member
// name that the schema does not know.
func (x *examined) faults(root canonical.Value) []shape.Fault {
	var faults []shape.Fault
	for _, leaf := range dialect.Validate(x.compiled, root) {
		if len(faults) < maxFaults {
			faults = append(faults, worded(leaf, x.schema, root)...)
		}
	}
	ordered.Sort(faults, func(a, b shape.Fault) int { return cmp.Compare(a.Offset, b.Offset) })
	return slices.Compact(faults)
}

// worded words a fault that the library found; the library's own texts repeat values and unknown names. Every name on the path is
// a known one, because the library descends into no others.
func worded(e *jsonschema.ValidationError, schema, root canonical.Value) []shape.Fault {
	value := pointed(root, e.InstanceLocation)
	fault := shape.Fault{Pointer: e.InstanceLocation, Offset: value.Offset()}
	_, location, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	keyword := pointed(schema, location)
	switch path.Base(location) {
	case "required":
		var faults []shape.Fault
		for _, name := range listTexts(keyword) {
			if !value.Member(name).Exists() {
				faults = append(faults, shape.Fault{Pointer: fault.Pointer + "/" + name, Reason: "is required and absent",
					Offset: fault.Offset})
			}
		}
		return faults
	case "additionalProperties":
		fault.Reason = "has a member that is not known; it is not shown, because it may be private"
	case "const":
		fault.Reason = fmt.Sprintf("must be %s", string(keyword.AppendCanonical(nil, "")))
	case "enum":
		fault.Reason = fmt.Sprintf("must be one of %s", strings.Join(listTexts(keyword), ", "))
	case "type":
		fault.Reason = fmt.Sprintf("must be %s", article(keyword.Text()))
	case "minItems", "maxItems":
		n, _ := keyword.Integer()
		fault.Reason = map[string]string{"minItems": "must have at least ", "maxItems": "must have at most "}[path.Base(location)] +
			entryCount(int(n))
	case "minLength":
		fault.Reason = "may not be empty"
	case "pattern":
		fault.Reason = patternReason(fault.Pointer)
	default:
		fault.Reason = "does not fit the schema"
	}
	return []shape.Fault{fault}
}

// patternReason is the meaning of a pattern of the schema.
func patternReason(pointer string) string {
	if free := libertyAt(pointer); free != nil {
		return fmt.Sprintf("must be %s", free.asks)
	}
	return "must be an ISO 8601 time in UTC such as 2026-01-31T09:00:00Z"
}

// article puts an article before the name of a type.
func article(kind string) string {
	if kind == "array" || kind == "object" {
		return fmt.Sprintf("an %s", kind)
	}
	return fmt.Sprintf("a %s", kind)
}

// pointed gives the value to which a pointer leads.
func pointed(v canonical.Value, pointer string) canonical.Value {
	for _, step := range dialect.Steps(pointer) {
		v = dialect.Child(v, step)
	}
	return v
}
