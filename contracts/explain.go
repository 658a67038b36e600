package contracts

import (
	"cmp"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
)

const (
	// maxExplained is the most values of a text that is read again for more than its first fault.
	maxExplained = 1 << 14
	// maxFaults is how many faults of one text are told.
	maxFaults = 100
)

// ExplainPacket finds the faults of a packet that was refused for one: at most 100, in the order of
// the text, with pointers from the packet down; of a list of ids or words, the first. The given
// fault is always among them, and no fault holds a value or an unknown member name.
func ExplainPacket(text []byte, fault *json.Fault) []json.Fault {
	return explain(text, fault, packets.CheckPacket)
}

// ExplainInput is ExplainPacket for the input of `docket evaluate`; see rules.ReadInput.
func ExplainInput(text []byte, fault *json.Fault) []json.Fault {
	return explain(text, fault, rules.CheckInput)
}

// Foremost is the fault to name first: the one at which the reader stopped, or the only one.
func Foremost(fault *json.Fault, all []json.Fault) json.Fault {
	if len(all) == 1 {
		return all[0]
	}
	return *fault
}

func explain(text []byte, fault *json.Fault, check func(json.Value, json.Tell)) []json.Fault {
	var doc json.Document
	if doc.Parse(text, json.Limits{Depth: packets.MaxDepth, Values: maxExplained}) != nil {
		return []json.Fault{*fault}
	}
	var found []json.Fault
	check(doc.Root(), func(f json.Finding) bool {
		if f.Form != nil && len(f.Form.Words) > 0 && strings.HasPrefix(f.Reason, json.WantWord) {
			f.Reason = json.WantWord + strings.Join(f.Form.Words, ", ")
		}
		found = append(found, f.Fault)
		return len(found) < maxFaults
	})
	if !slices.ContainsFunc(found, func(f json.Fault) bool { return f.Pointer == fault.Pointer }) {
		found = append(found, *fault)
	}
	json.Sort(found, func(a, b json.Fault) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), strings.Compare(a.Pointer, b.Pointer))
	})
	return slices.Compact(found)
}
