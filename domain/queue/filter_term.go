package queue

import (
	"strings"
	"time"

	"docket/domain/terms"
)

// A filterTerm matches a row if any part of it does.
type filterTerm struct {
	negated  bool
	gates    uint8 // bit of each Gate
	held     terms.BlockerSet
	words    [terms.Amendments + 1]areaMask // by area
	is       rowFlags
	mine     bool
	whose    string    // whole id of an assignee in lower case, or FilterNone
	bare     bool      // no blocker holds
	readable bool      // matches nothing that cannot be read
	part     string    // of an id or of the assignee's id, in lower case
	due      timeLimit // time left to the deadline
	waiting  timeLimit // time since the record was made that the row waits on
	sought   Sought    // what an Index is asked; the zero Sought: nothing
}

// An areaMask has a bit for each word of the vocabularies that a row's words are from.
type areaMask struct{ statuses, subjects, triggers uint64 }

// A timeLimit matches durations that are less, or more, than so long. The zero limit matches none.
type timeLimit struct {
	set, less bool
	limit     time.Duration
}

func (l timeLimit) matches(d time.Duration) bool {
	return l.set && (l.less && d < l.limit || !l.less && d > l.limit)
}

// rowFlags are the states of a row.
type rowFlags uint16

const (
	flagDecided rowFlags = 1 << iota
	flagSkipped
	flagUnreadable
	flagPass
	flagAwake // time changes nothing
	flagRejected
	flagClosed
	flagReassigned
	flagWaiting
	flagReliable  // relianceGate is pass
	flagRuledPass // the record in force has gate pass
)

// traits are what filters look at in a row.
type traits struct {
	area                     terms.Area
	status, subject, trigger uint8 // their place in their vocabulary, from 1; 0: absent
	flags                    rowFlags
	held                     terms.BlockerSet
	deadline, waitsSince     terms.Instant
}

// matches leaves out what depends on the ids.
func (t *filterTerm) matches(row *traits, in *FilterContext) bool {
	if t.leavesOut(row.flags) {
		return false
	}
	words := &t.words[row.area]
	if t.bare && row.held.Empty() || t.is&row.flags != 0 || t.held&row.held != 0 || t.gates>>row.gate()&1 != 0 || words.statuses>>row.status&1 != 0 ||
		words.subjects>>row.subject&1 != 0 || words.triggers>>row.trigger&1 != 0 {
		return true
	}
	return row.deadline.Present() && t.due.matches(row.deadline.Sub(in.Now)) ||
		row.waitsSince.Present() && t.waiting.matches(in.Now.Sub(row.waitsSince))
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

// leavesOut reports whether the term says nothing about the row, because the row cannot be read.
func (t *filterTerm) leavesOut(flags rowFlags) bool { return t.readable && flags&flagUnreadable != 0 }

// matchesAssignee reports whether the term is about whom a row is assigned to.
func (t *filterTerm) matchesAssignee(assigned terms.ID, in *FilterContext) bool {
	switch {
	case t.mine && in.isMine(assigned), t.part != "" && containsFold([]byte(assigned), t.part):
		return true
	case assigned.Present():
		return strings.EqualFold(string(assigned), t.whose)
	}
	return t.whose == FilterNone
}

func (t *traits) gate() terms.Gate {
	if t.flags&flagPass != 0 {
		return terms.Pass
	}
	return terms.Blocked
}

// containsFold reports whether an id holds the part, which is in lower case, ignoring the case of the id.
func containsFold(id []byte, part string) bool {
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
