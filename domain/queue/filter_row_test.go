package queue

// Matches reports whether the filter selects one row, as Select of a queue does.
func (f Filter) Matches(row *Row, in *FilterContext) bool {
	t := row.traits()
	for i := range f.terms {
		term := &f.terms[i]
		matches := term.matches(&t, in) || !term.leavesOut(t.flags) && term.matchesAssignee(row.AssignedTo, in) ||
			term.part != "" && containsFold([]byte(row.ID), term.part)
		if matches == term.negated {
			return false
		}
	}
	return true
}
