package domain

import "errors"

// FilterNone stands in a filter for a word or an id that is absent. Of what cannot be read nothing is known to be absent.
const FilterNone = "none"

// assignedKey selects by the whole id of the reviewer a case is assigned to, whatever its case.
var assignedKey = FilterKey{"assigned", "the reviewer it is assigned to, or none", nil,
	func(value string) (filterTerm, error) {
		if value == "" {
			return filterTerm{}, errors.New("assigned: takes the id of a reviewer, or none")
		}
		return filterTerm{whose: value, readable: value == FilterNone}, nil
	}}

// idKey selects by part of an id: that of the row or of the reviewer it is assigned to.
var idKey = FilterKey{"id", "part of an id", nil,
	func(value string) (filterTerm, error) {
		if value == "" {
			return filterTerm{}, errors.New("id: takes part of an id")
		}
		return filterTerm{part: value}, nil
	}}
