package domain

import (
	"errors"
	"strings"
)

// FilterNone stands in a filter for a word or an id that is absent. Of what cannot be read nothing is known to be absent.
const FilterNone = "none"

// nothing tells whether a row has the member of a key and it is absent; nil is a row that has no such member.
func nothing(words []string) bool {
	for _, word := range words {
		if word != "" {
			return false
		}
	}
	return words != nil
}

// assignedKey selects by the whole id of the reviewer a case is assigned to, whatever its case.
var assignedKey = FilterKey{"assigned", "the reviewer it is assigned to, or none", nil,
	func(value string) (func(*QueueRow, *FilterContext) bool, error) {
		if value == "" {
			return nil, errors.New("assigned: takes the id of a reviewer, or none")
		}
		return func(r *QueueRow, _ *FilterContext) bool {
			if !r.AssignedTo.Present() {
				return value == FilterNone && r.Unreadable == ""
			}
			return strings.EqualFold(string(r.AssignedTo), value)
		}, nil
	}}
