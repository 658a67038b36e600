package queue

import (
	"slices"
	"strings"
	"time"

	"docket/domain/terms"
)

// A filterTerm matches a row if any part of it does.
type filterTerm struct {
	negated  bool
	gates    uint8 // bit of each Gate
	held     terms.BlockerSet
	only     terms.BlockerSet               // one of these blockers holds, and no other
	earlier  terms.BlockerSet               // that people added on earlier revisions
	words    [terms.Amendments + 1]areaMask // by area
	is       rowFlags
	mine     bool
	whose    string // whole id of an assignee in lower case, or FilterNone
	bare     bool   // no blocker holds
	readable bool   // matches nothing that cannot be read
	part     string // of an id or of the assignee's id, in lower case
	when     timeLimit
	overdue  bool   // the row is open, and its deadline is past
	isNew    bool   // it came in since the reviewer last left the queue
	sought   Sought // what an Index is asked; the zero Sought: nothing
}

// An areaMask has a bit for each word of the vocabularies that a row's words are from.
type areaMask struct{ statuses, subjects, triggers uint64 }

// A timeLimit matches rows of which a moment is less, or more, than so long from now, or on the day of now. A day is one of this
// machine's time zone. The zero limit matches none, and no limit a row without the moment.
type timeLimit struct {
	of          moment
	less, today bool
	limit       time.Duration
}

// A moment is one of a row that filters ask for.
type moment uint8

const (
	momentDue   moment = iota + 1 // that of the deadline, and how long until then
	momentFiled                   // how long since then, as for those that follow
	momentCame
	momentWaits
)

func (l timeLimit) matches(row *heldRow, now terms.Instant) bool {
	at := [...]terms.Instant{momentDue: row.is.deadline, momentFiled: row.FiledAt, momentCame: row.ImportedAt, momentWaits: row.is.waitsSince}[l.of]
	if !at.Present() {
		return false
	}
	if l.today {
		return localDay(at) == localDay(now)
	}
	span := now.Sub(at)
	if l.of == momentDue {
		span = -span
	}
	return l.less && span < l.limit || !l.less && span > l.limit
}

func localDay(at terms.Instant) string { return at.Time().Local().Format(time.DateOnly) }

// rowFlags are the states of a row.
type rowFlags uint16

const (
	flagDecided rowFlags = 1 << iota
	flagSkipped
	flagUnreadable
	flagRejected
	flagClosed
	flagReassigned
	flagWaiting
	flagOpen
	flagDraft
)

// traits are what filters look at in a row.
type traits struct {
	area                     terms.Area
	status, subject, trigger uint8 // their place in their vocabulary, from 1; 0: absent
	flags                    rowFlags
	held, earlier            terms.BlockerSet
	deadline, waitsSince     terms.Instant
}

// matches reports whether the term is true of a row.
func (t *filterTerm) matches(row *heldRow, in *FilterContext) bool {
	is := &row.is
	if t.readable && is.flags&flagUnreadable != 0 {
		return false
	}
	words := &t.words[is.area]
	return t.bare && is.held.Empty() || t.is&is.flags != 0 || (t.held&is.held|t.earlier&is.earlier) != 0 || t.gates>>row.Gate&1 != 0 ||
		words.statuses>>is.status&1 != 0 || words.subjects>>is.subject&1 != 0 || words.triggers>>is.trigger&1 != 0 ||
		t.only&is.held != 0 && is.held.Len() == 1 || t.when.matches(row, in.Now) || t.isNew && row.CameAfter(in.Left) ||
		t.overdue && is.flags&flagOpen != 0 && is.deadline.Present() && is.deadline.Before(in.Now) ||
		t.matchesAssignee(row.AssignedTo, in) || t.part != "" && containsFold(row.ID, t.part) || t.found(row.ID, in)
}

// unanswered reports whether the term asks for a phrase that was not looked up, or negates what was not looked for everywhere:
// whether a row has it is not known.
func (t *filterTerm) unanswered(in *FilterContext) bool {
	_, answered := in.Found.IDs[t.sought]
	return t.sought.phrase != "" && !answered || t.sought != (Sought{}) && t.negated && in.Found.More
}

// found reports whether an Index found the row with the id.
func (t *filterTerm) found(id terms.ID, in *FilterContext) bool {
	if t.sought == (Sought{}) {
		return false
	}
	_, found := slices.BinarySearch(in.Found.IDs[t.sought], id)
	return found
}

// A wordMatch says which words of a vocabulary a value stands for: those that contain it, itself alone where it is a whole
// word, or none, which is the word that is absent.
type wordMatch struct {
	part        string
	whole, none bool
}

// in is the set of the words, as bits by their place from 1; bit 0 stands for an absent word.
func (m wordMatch) in(list *terms.WordList) (bits uint64) {
	if m.none {
		return 1
	}
	for i, word := range list.Texts() {
		if word == m.part || !m.whole && strings.Contains(word, m.part) {
			bits |= 1 << (i + 1)
		}
	}
	return bits
}

func (t *filterTerm) matchGates(match wordMatch) {
	for _, gate := range [...]terms.Gate{terms.Blocked, terms.Pass} {
		if !match.none && strings.Contains(gate.String(), match.part) {
			t.gates |= 1 << gate
		}
	}
}

func (t *filterTerm) matchBlockers(match wordMatch) {
	t.bare = match.none
	if !match.none {
		t.held |= terms.BlockerSet(match.in(terms.Blockers.List()))
	}
}

func (t *filterTerm) matchStatuses(match wordMatch) {
	t.words[terms.Appeals].statuses |= match.in(vocabulariesOf(terms.Appeals).status)
	t.words[terms.Amendments].statuses |= match.in(vocabulariesOf(terms.Amendments).status)
}

func (t *filterTerm) matchSubjects(match wordMatch) {
	t.words[terms.Appeals].subjects |= match.in(vocabulariesOf(terms.Appeals).subject)
	t.words[terms.Amendments].subjects |= match.in(vocabulariesOf(terms.Amendments).subject)
}

// matchesAssignee reports whether the term is about whom a row is assigned to.
func (t *filterTerm) matchesAssignee(assigned terms.ID, in *FilterContext) bool {
	switch {
	case t.mine && in.isMine(assigned), t.part != "" && containsFold(assigned, t.part):
		return true
	case assigned.Present():
		return strings.EqualFold(string(assigned), t.whose)
	}
	return t.whose == FilterNone
}

// ended reports whether the row is closed, or given to somebody else.
func (t *traits) ended() bool { return t.flags&(flagClosed|flagReassigned) != 0 }

// workable reports whether the row is open and can be read.
func (t *traits) workable() bool {
	return t.flags&(flagDecided|flagSkipped|flagUnreadable) == 0 && !t.ended()
}

// containsFold reports whether an id holds the part, which is in lower case, ignoring the case of the id.
func containsFold(id terms.ID, part string) bool {
	for from := 0; from+len(part) <= len(id); from++ {
		at := 0
		for at < len(part) && lowered(id[from+at]) == part[at] {
			at++
		}
		if at == len(part) {
			return true
		}
	}
	return false
}

func lowered(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
