package domain

// Select appends to into those of the places whose rows the filter lets through, in their order.
func (d *Docket) Select(places []uint32, f Filter, in *FilterContext, into []uint32) []uint32 {
	if len(f.terms) == 0 {
		return append(into, places...)
	}
	s := d.selecting(f, in)
	var chosen bitmap
	if f.asksIDs() {
		chosen = s.byID() // ids are read fastest one after the other
	}
	for _, at := range places {
		if chosen != nil && chosen.has(int(at)) || chosen == nil && s.matches(int(at), nil) {
			into = append(into, at)
		}
	}
	return into
}

// selecting is one call of Select.
type selecting struct {
	docket *Docket
	filter Filter
	in     *FilterContext
	people [][]bool // by term: whose id the term matches
}

func (d *Docket) selecting(f Filter, in *FilterContext) *selecting {
	s := &selecting{d, f, in, make([][]bool, len(f.terms))}
	for i := range f.terms {
		s.people[i] = make([]bool, len(d.people))
		for j, person := range d.people {
			s.people[i][j] = f.terms[i].matchesAssignee(person, in)
		}
	}
	return s
}

// matches tells whether the row at a place is selected. id is nil where no term asks for it.
func (s *selecting) matches(at int, id []byte) bool {
	r := s.docket.row(at)
	t := traits{area: s.docket.area, status: r.status(), subject: r.subject(), trigger: r.trigger(), flags: r.flags(), held: r.held()}
	if r.closed(t.area) {
		t.flags |= flagClosed
	}
	for i := range s.filter.terms {
		term := &s.filter.terms[i]
		if term.due.set {
			t.deadline = s.docket.due(at)
		}
		matches := s.people[i][s.docket.assigned(at)] && !term.leavesOut(t.flags) || term.matches(&t, s.in) || term.part != "" && containsFold(id, term.part)
		if matches == term.negated {
			return false
		}
	}
	return true
}

func (s *selecting) byID() bitmap {
	chosen := make(bitmap, s.docket.size/64+1)
	var ids idCursor
	for at := range s.docket.size {
		if at%blockRows == 0 {
			ids.block(&s.docket.leaves[at/leafRows], at%leafRows/blockRows)
		}
		if s.matches(at, ids.read()) {
			chosen[at/64] |= 1 << (at % 64)
		}
	}
	return chosen
}

// A bitmap holds places.
type bitmap []uint64

func (b bitmap) has(at int) bool { return b[at/64]>>(at%64)&1 != 0 }

// A Tally counts a docket.
type Tally struct {
	Open       int // neither decided nor skipped nor closed
	Pass       int // of the open ones, those whose gate is pass
	Mine       int // of the open ones, those assigned to the reviewer
	Skipped    int
	Decided    int // with those that are closed, too
	Closed     int // with those that are decided, too
	Rejected   int // of those that are not decided, those whose record the service turned away
	Unreadable int // of all, those that cannot be read
}

// Tally counts the rows.
func (d *Docket) Tally(reviewer ID) Tally {
	var t Tally
	me, known := d.byPerson[reviewer]
	mine := known && reviewer.Present()
	for i := range d.leaves {
		for j := range d.leaves[i].rows {
			t.add(d.area, &d.leaves[i].rows[j], mine && d.assigned(i*leafRows+j) == me)
		}
	}
	return t
}

func (t *Tally) add(area Area, r *docketRow, mine bool) {
	if r.has(flagUnreadable) {
		t.Unreadable++
	}
	if r.has(flagRejected) && !r.has(flagDecided) {
		t.Rejected++
	}
	decided, closed := r.has(flagDecided), r.closed(area)
	if decided {
		t.Decided++
	}
	if closed {
		t.Closed++
	}
	switch {
	case decided || closed:
		return
	case r.has(flagSkipped):
		t.Skipped++
		return
	}
	t.Open++
	if r.has(flagPass) {
		t.Pass++
	}
	if mine {
		t.Mine++
	}
}

// A BlockerTally is a rule with the workable rows that its blocker holds.
type BlockerTally struct {
	Rule
	Count  int
	Oldest Instant // the deadline that comes first; absent if none of them has one
}

// ByBlocker counts the workable rows of each blocker of the area, in the order of its rule book; a blocker that holds
// none is there, too.
func (d *Docket) ByBlocker() []BlockerTally {
	book := RuleBook(d.area)
	list := make([]BlockerTally, len(book))
	at := map[Blocker]int{}
	for i, rule := range book {
		list[i].Rule, at[rule.Code] = rule, i
	}
	for place := range d.size {
		if !d.Workable(place) {
			continue
		}
		for _, code := range d.row(place).held().Words() {
			one := &list[at[code]]
			one.Count++
			if deadline := d.due(place); deadline.Before(one.Oldest) {
				one.Oldest = deadline
			}
		}
	}
	return list
}
