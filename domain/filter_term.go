package domain

import (
	"strings"
	"time"
)

// A filterTerm matches a row if any part of it does.
type filterTerm struct {
	negated bool
	gates   uint8 // bit of each Gate
	held    BlockerSet
	words   [Amendments + 1]areaMask // by area
	is      rowFlags
	mine    bool
	part    string // of an id or of the assignee's id, in lower case
	due     dueLimit
}

// An areaMask has a bit for each word of the vocabularies that a row's words are from.
type areaMask struct{ statuses, subjects, triggers uint64 }

// A dueLimit matches deadlines that are sooner, or later, than so long from now. The zero limit matches none.
type dueLimit struct {
	set, sooner bool
	limit       time.Duration
}

// rowFlags say what has become of a row.
type rowFlags uint8

const (
	flagDecided rowFlags = 1 << iota
	flagSkipped
	flagUnreadable
	flagPass
	flagAwake // time changes nothing
)

// traits are what filters look at in a row.
type traits struct {
	area                     Area
	status, subject, trigger uint8 // their place in their vocabulary, from 1; 0: absent
	flags                    rowFlags
	held                     BlockerSet
	deadline                 Instant
}

// matches leaves out what depends on the ids.
func (t *filterTerm) matches(row *traits, in *FilterContext) bool {
	words := &t.words[row.area]
	if t.is&row.flags != 0 || t.held&row.held != 0 || t.gates>>row.gate()&1 != 0 || words.statuses>>row.status&1 != 0 ||
		words.subjects>>row.subject&1 != 0 || words.triggers>>row.trigger&1 != 0 {
		return true
	}
	if !t.due.set || !row.deadline.Present() {
		return false
	}
	left := row.deadline.Sub(in.Now)
	return t.due.sooner && left < t.due.limit || !t.due.sooner && left > t.due.limit
}

// wordsWith is the set of the words that contain the part, as bits by their place from 1.
func wordsWith(list *wordList, part string) (bits uint64) {
	for i, word := range list.words {
		if strings.Contains(word, part) {
			bits |= 1 << (i + 1)
		}
	}
	return bits
}

func (t *filterTerm) matchGates(part string) {
	for gate, word := range gateWords {
		if strings.Contains(word, part) {
			t.gates |= 1 << gate
		}
	}
}

func (t *filterTerm) matchBlockers(part string) { t.held |= BlockerSet(wordsWith(&blockerWords, part)) }

func (t *filterTerm) matchStatuses(part string) {
	t.words[Appeals].statuses |= wordsWith(wordsOf(Appeals).status, part)
	t.words[Amendments].statuses |= wordsWith(wordsOf(Amendments).status, part)
}

func (t *filterTerm) matchSubjects(part string) {
	t.words[Appeals].subjects |= wordsWith(wordsOf(Appeals).subject, part)
	t.words[Amendments].subjects |= wordsWith(wordsOf(Amendments).subject, part)
}

func (t *traits) gate() Gate {
	if t.flags&flagPass != 0 {
		return Pass
	}
	return Blocked
}

// containsFold tells whether an id holds the part, which is in lower case, whatever the case of the id.
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
