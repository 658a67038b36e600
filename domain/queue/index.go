package queue

import (
	"slices"
	"strconv"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// An Index answers which rows of an area have a phrase in their texts, or part of an id, by looking
// through all of them. It is made from redacted packets and is kept only in memory. The zero Index
// is empty. It is not for use by several goroutines at once.
type Index struct{ entries []Entry } // in the order of their ids

// An Entry is what an [Index] holds of a row: the latest revision of a case or an amendment.
type Entry struct {
	id    terms.ID
	ids   string // on a line each, in lower case
	texts string // folded, on a line each
}

// ID is that of the row.
func (e *Entry) ID() terms.ID { return e.id }

// UnreadableEntry is of a packet that cannot be read. It is found by its ids alone.
func UnreadableEntry(key packets.Key, recorded []records.RecordID) Entry {
	ids := string(key.ID) + "/" + strconv.FormatInt(key.Number, 10)
	for _, id := range recorded {
		ids += "\n" + string(id)
	}
	return Entry{id: key.ID, ids: strings.ToLower(ids)}
}

// NewEntry takes a packet's texts, but for masked or erased ones, the labels of its words, and its
// ids: with its revision, as in case-1/2, of its subject or agreement, and of the records on it.
func NewEntry(p packets.Packet, recorded []records.RecordID) Entry {
	e := UnreadableEntry(p.Key(), recorded)
	if by := RelatedBy(p); by.Present() {
		e.ids += "\n" + strings.ToLower(string(by))
	}
	var texts []string
	if c := p.AppealCase().Pointer(); c != nil {
		for _, text := range []packets.Text{c.EvidenceScope.Statement, c.Standing.PrivacySafeSummary, c.RemedyGap} {
			if !text.Masked() && !text.Erased() {
				texts = append(texts, text.String())
			}
		}
		texts = append(texts, c.Status.Label(), c.Subject.Label(), c.Trigger.Label(), c.Standing.Category.Label(), c.RequestedOutcome.Label())
		for _, effect := range c.RequestedEffects.Set.Terms() {
			texts = append(texts, effect.Label())
		}
	}
	if a := p.Amendment().Pointer(); a != nil {
		texts = append(texts, a.State.Label(), a.SubjectType.Label(), a.Transition.Label(), a.AmendmentType.Label())
		for _, changed := range a.ChangedTerms.Set.Terms() {
			texts = append(texts, changed.Label())
		}
	}
	for i := range texts {
		texts[i] = folded(texts[i])
	}
	e.texts = strings.Join(texts, "\n")
	return e
}

// Put takes an entry, in place of the one of the same id.
func (x *Index) Put(e Entry) {
	at := len(x.entries)
	if at > 0 && e.id <= x.entries[at-1].id {
		var found bool
		at, found = slices.BinarySearchFunc(x.entries, e.id, func(e Entry, id terms.ID) int { return strings.Compare(string(e.id), string(id)) })
		if found {
			x.entries[at] = e
			return
		}
	}
	x.entries = slices.Insert(x.entries, at, e)
}

// A Found holds, for each Sought, the ids of matching rows in order; the zero one answers nothing.
type Found struct {
	IDs map[Sought][]terms.ID
	// More says that rows are still to be looked through: until then a filter shows of them what a
	// term finds, and nothing for a term that it negates.
	More bool
	// Of is how many rows were looked through.
	Of int
}

// Find looks up each Sought.
func (x *Index) Find(sought []Sought) Found {
	found := Found{IDs: make(map[Sought][]terms.ID, len(sought)), Of: len(x.entries)}
	for _, s := range sought {
		phrase := " " + s.phrase
		if !s.begun {
			phrase += " "
		}
		var ids []terms.ID
		for i := range x.entries {
			e := &x.entries[i]
			if s.phrase != "" && strings.Contains(e.texts, phrase) || s.part != "" && strings.Contains(e.ids, s.part) {
				ids = append(ids, e.id)
			}
		}
		found.IDs[s] = ids
	}
	return found
}
