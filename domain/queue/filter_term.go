package queue

import (
	"slices"
	"strings"

	"docket/domain/terms"
)

// A filterTerm is true of a row if one of any is, or an Index found the row.
type filterTerm struct {
	negated  bool
	readable bool // matches nothing that cannot be read
	any      []rowTest
	blockers terms.BlockerSet // that it looks for
	part     string           // of an id, in lower case, that it looks for
	sought   Sought           // what an Index is asked; the zero Sought: nothing
}

type rowTest func(*heldRow, *FilterContext) bool

func (t *filterTerm) matches(row *heldRow, in *FilterContext) bool {
	if t.readable && row.Unreadable != "" {
		return false
	}
	if t.sought != (Sought{}) {
		if _, found := slices.BinarySearch(in.Found.IDs[t.sought], row.ID); found {
			return true
		}
	}
	for _, is := range t.any {
		if is(row, in) {
			return true
		}
	}
	return false
}

// unanswered reports whether it is not known if a row matches: the phrase was not looked up, or is
// negated and was not looked for everywhere.
func (t *filterTerm) unanswered(in *FilterContext) bool {
	_, answered := in.Found.IDs[t.sought]
	return t.sought.phrase != "" && !answered || t.sought != (Sought{}) && t.negated && in.Found.More
}

// A wordMatch says which words of a vocabulary a value stands for: those that contain it, itself
// alone where it is a whole word, or none, which is the word that is absent.
type wordMatch struct {
	part        string
	whole, none bool
}

func (m wordMatch) is(word string) bool {
	switch {
	case m.none:
		return word == ""
	case m.whole:
		return word == m.part
	}
	return strings.Contains(word, m.part)
}

func (m wordMatch) blockers() (set terms.BlockerSet) {
	for _, code := range terms.Blockers.All() {
		if m.is(code.String()) {
			set = set.With(code)
		}
	}
	return set
}

func (r *heldRow) isMine(in *FilterContext) bool {
	return in.Reviewer.Present() && r.AssignedTo == in.Reviewer
}

// hasID reports whether the id of the row or of its reviewer holds the part, in lower case.
func (r *heldRow) hasID(part string) bool {
	return strings.Contains(strings.ToLower(string(r.ID)), part) ||
		strings.Contains(strings.ToLower(string(r.AssignedTo)), part)
}
