package queue

import (
	"strings"

	"docket/domain/terms"
)

// A filterTerm is true of a row if one of any is.
type filterTerm struct {
	negated  bool
	readable bool // matches nothing that cannot be read
	any      []rowTest
	blockers terms.BlockerSet // that it looks for
	part     string           // of an id, in lower case, that it looks for
	keyed    bool             // behind the key of ids, so that it looks at no code
	phrase   string           // of texts, that it looks for
}

type rowTest func(*heldRow, *FilterContext) bool

func (t *filterTerm) matches(row *heldRow, in *FilterContext) bool {
	if t.readable && row.Unreadable != "" {
		return false
	}
	for _, is := range t.any {
		if is(row, in) {
			return true
		}
	}
	return false
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
