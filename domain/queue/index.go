package queue

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// An Index answers which rows of an area have a phrase in their texts, or part of an id. It is made from redacted packets and is
// kept only in memory. It holds the words of the texts by number, some hundred bytes a row. The zero Index is empty.
//
// It is not for use by several goroutines at once.
type Index struct {
	numbers map[string]uint64 // of words, from 1
	words   []string          // by their numbers less one
	rows    []indexedRow      // in the order of their ids
}

// An indexedRow is what an Index holds of a row.
type indexedRow struct {
	id    terms.ID
	ids   string // on a line each, in lower case
	words string // their numbers, as varints; 0 ends a text
}

// An Entry is what an [Index] takes of a row: the latest revision of a case or an amendment.
type Entry struct {
	id    terms.ID
	ids   []string
	texts []string
}

// ID is that of the row.
func (e *Entry) ID() terms.ID { return e.id }

// UnreadableEntry is of a packet that cannot be read. It is found by its ids alone.
func UnreadableEntry(key packets.Key, recorded []records.RecordID) Entry {
	e := Entry{id: key.ID, ids: []string{string(key.ID) + "/" + strconv.FormatInt(key.Number, 10)}}
	for _, id := range recorded {
		e.ids = append(e.ids, string(id))
	}
	return e
}

// NewEntry takes from a packet its texts, but for those that are masked or erased, the labels of its words, and its ids: with its
// revision, as in case-1/2, that of its subject or agreement, and those of the records on it.
func NewEntry(p packets.Packet, recorded []records.RecordID) Entry {
	e := UnreadableEntry(p.Key(), recorded)
	if by := RelatedBy(p); by.Present() {
		e.ids = append(e.ids, string(by))
	}
	if c := p.AppealCase().Pointer(); c != nil {
		for _, text := range []packets.Text{c.EvidenceScope.Statement, c.Standing.PrivacySafeSummary, c.RemedyGap} {
			if !text.Masked() && !text.Erased() {
				e.texts = append(e.texts, text.String())
			}
		}
		e.label(c.Status.Label(), c.Subject.Label(), c.Trigger.Label(), c.Standing.Category.Label(), c.RequestedOutcome.Label())
		for _, effect := range c.RequestedEffects.Set.Terms() {
			e.label(effect.Label())
		}
	}
	if a := p.Amendment().Pointer(); a != nil {
		e.label(a.State.Label(), a.SubjectType.Label(), a.Transition.Label(), a.AmendmentType.Label())
		for _, changed := range a.ChangedTerms.Set.Terms() {
			e.label(changed.Label())
		}
	}
	return e
}

func (e *Entry) label(labels ...string) { e.texts = append(e.texts, labels...) }

// Put takes an entry, in place of the one of the same id.
func (x *Index) Put(e Entry) {
	row := indexedRow{id: e.id, ids: strings.ToLower(strings.Join(e.ids, "\n")), words: x.numbered(e.texts)}
	at := len(x.rows)
	if at > 0 && e.id <= x.rows[at-1].id {
		var found bool
		if at, found = x.place(e.id); found {
			x.rows[at] = row
			return
		}
	}
	x.rows = slices.Insert(x.rows, at, row)
}

func (x *Index) place(id terms.ID) (at int, found bool) {
	return slices.BinarySearchFunc(x.rows, id, func(row indexedRow, id terms.ID) int { return strings.Compare(string(row.id), string(id)) })
}

// numbered writes the words of texts by their numbers. Words that are new get the next ones: those that many texts have come early
// and take a byte.
func (x *Index) numbered(texts []string) string {
	if x.numbers == nil {
		x.numbers = map[string]uint64{}
	}
	var out []byte
	for _, text := range texts {
		before := len(out)
		eachWord(text, func(word []byte) {
			number, known := x.numbers[string(word)]
			if !known {
				x.words = append(x.words, string(word))
				number = uint64(len(x.words))
				x.numbers[string(word)] = number
			}
			out = binary.AppendUvarint(out, number)
		})
		if len(out) > before {
			out = append(out, 0)
		}
	}
	return string(out)
}

// A Found holds, for each Sought, the ids of the rows that match it, in their order.
type Found map[Sought][]terms.ID

// Find looks up each Sought.
func (x *Index) Find(sought []Sought) Found {
	found := make(Found, len(sought))
	for _, s := range sought {
		match := func(row *indexedRow) bool { return strings.Contains(row.ids, s.part) }
		if s.phrase != "" {
			match = x.phrase(s)
		}
		var ids []terms.ID
		for i := range x.rows {
			if match(&x.rows[i]) {
				ids = append(ids, x.rows[i].id)
			}
		}
		found[s] = ids
	}
	return found
}

// phrase returns a function that reports whether a row has a phrase.
func (x *Index) phrase(s Sought) func(*indexedRow) bool {
	words := strings.Fields(s.phrase)
	whole, last := make([]uint64, len(words)-1), words[len(words)-1]
	for i := range whole {
		if whole[i] = x.numbers[words[i]]; whole[i] == 0 {
			return func(*indexedRow) bool { return false }
		}
	}
	ends := make([]bool, len(x.words)+1) // by number, the words that the phrase may end in
	for i, word := range x.words {
		ends[i+1] = word == last || s.begun && strings.HasPrefix(word, last)
	}
	return func(row *indexedRow) bool {
		var before [maxPhrase]uint64 // the words before, the latest last
		width := len(whole)
		for rest := row.words; rest != ""; {
			number, size := uvarint(rest)
			rest = rest[size:]
			if ends[number] && slices.Equal(before[maxPhrase-width:], whole) {
				return true
			}
			if width > 0 {
				copy(before[:], before[1:])
				before[maxPhrase-1] = number
			}
		}
		return false
	}
}

// uvarint reads a number that the index wrote.
func uvarint(s string) (number uint64, size int) {
	for shift := 0; ; shift += 7 {
		c := s[size]
		size++
		number |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return number, size
		}
	}
}
