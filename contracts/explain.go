package contracts

import (
	"cmp"
	"slices"
	"strings"

	"docket/domain/canonical"
	"docket/domain/ordered"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/shape"
)

const (
	// maxExplained is the largest number of values of a text for which all faults are looked for. A larger
	// text is refused for the first fault.
	maxExplained = 1 << 14
	// maxFaults is how many faults of one text are told.
	maxFaults = 100
)

// ExplainPacket finds the faults of a packet that was refused for one: at most 100, in the order of the text,
// with pointers from the packet down; of a list of ids or words, the first. The given fault is always among
// them, and no fault holds a value or an unknown member name.
func ExplainPacket(text []byte, fault *shape.Fault) []shape.Fault {
	return explain(text, fault, packets.CheckPacket)
}

// ExplainInput is ExplainPacket for the input of `docket evaluate`; see rules.ReadInput.
func ExplainInput(text []byte, fault *shape.Fault) []shape.Fault {
	return explain(text, fault, rules.CheckInput)
}

// Foremost is the fault to name first: the one at which the reader stopped, or the only one.
func Foremost(fault *shape.Fault, all []shape.Fault) shape.Fault {
	if len(all) == 1 {
		return all[0]
	}
	return *fault
}

func explain(text []byte, fault *shape.Fault, check func(canonical.Value, shape.Tell)) []shape.Fault {
	var doc canonical.Document
	if doc.Parse(text, canonical.Limits{Depth: packets.MaxDepth, Values: maxExplained}) != nil {
		return []shape.Fault{*fault}
	}
	var found []shape.Fault
	check(doc.Root(), func(f shape.Finding) bool {
		if f.Form != nil && len(f.Form.Words) > 0 && strings.HasPrefix(f.Reason, shape.WantWord) {
			f.Reason = shape.WantWord + strings.Join(f.Form.Words, ", ")
		}
		found = append(found, f.Fault)
		return len(found) < maxFaults
	})
	if !slices.ContainsFunc(found, func(f shape.Fault) bool { return f.Pointer == fault.Pointer }) {
		found = append(found, *fault)
	}
	ordered.Sort(found, func(a, b shape.Fault) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), strings.Compare(a.Pointer, b.Pointer))
	})
	return slices.Compact(found)
}
