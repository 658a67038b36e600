package verify

import (
	"encoding/hex"
	"strings"

	"docket/domain/records"
	"docket/domain/terms"
)

// chain follows which record is in force on each revision: the last one or, where the service turned that away, the one that
// it named, which the log may not have. Records are told apart by their ids and revisions by their names, exactly.
type chain struct {
	records map[recordName]uint32 // record -> its sequence
	inForce map[Ref]uint32        // case or amendment and revision -> sequence of the last record on it
	// instead says of revisions of which the service turned the last record away what it holds in its place: "" for none.
	// There are as many at most as rejections.
	instead map[Ref]records.RecordID
	// people says of revisions to which people added blockers which they are. There are few.
	people map[Ref]added
}

// A recordName is the 16 bytes of a record's id.
type recordName [16]byte

// nameOf is the name of a record with a valid id.
func nameOf(id records.RecordID) (name recordName) {
	_, _ = hex.Decode(name[:], []byte(strings.ReplaceAll(string(id), "-", "")))
	return name
}

// added are the blockers that people added to a revision.
type added struct {
	last    terms.BlockerSet // those of the last record on it, carried over and its own
	service terms.BlockerSet // where the service turned that record away, those that the rejection names
	known   terms.BlockerSet // all that a record or a rejection ever named
}

func newChain() chain {
	return chain{records: map[recordName]uint32{}, inForce: map[Ref]uint32{}, instead: map[Ref]records.RecordID{}, people: map[Ref]added{}}
}

// judged tells whether a record of the log judged the packet.
func (c *chain) judged(ref Ref) bool {
	_, there := c.inForce[ref]
	return there
}

// add takes the next record of the log, and returns what is wrong with its place: 0 if nothing is. Where it supersedes
// an earlier record that is not in force on its revision, the kind is SupersedesSuperseded, and named is that record's
// sequence: only the record itself says whether it is of this revision at all. rejection is the rejection of the record, nil
// if there is none.
func (c *chain) add(m *records.Members, sequence int64, rejection *rejected) (kind Code, named int64) {
	id, revision := nameOf(m.RecordID), judgedRef(m)
	if _, there := c.records[id]; there {
		return RecordDuplicate, 0
	}
	kind, named = c.supersedes(m, revision)
	revision.Key.ID = terms.ID(strings.Clone(string(revision.Key.ID))) // not a part of the whole record
	delete(c.instead, revision)
	if rejection != nil {
		c.instead[revision] = rejection.inForce
	}
	c.addPeople(revision, m, rejection)
	c.records[id], c.inForce[revision] = uint32(sequence), uint32(sequence)
	return kind, named
}

// carries tells what is wrong with the blockers that a record carries over, before the record is added: 0 if nothing is. It has
// to carry those of the record that it supersedes, or, where the service turned that away, those that the rejection names;
// and none that nobody added. A reviewer may not have known yet what the service answered.
func (c *chain) carries(m *records.Members) Code {
	revision := judgedRef(m)
	before, carried := c.people[revision], terms.SetOf(m.CarriedBlockers...)
	stands := before.last
	if instead, rejection := c.instead[revision]; rejection && instead == m.Supersedes {
		stands = before.service
	}
	switch {
	case !stands.Minus(carried).Empty():
		return CarriedMissing
	case !carried.Minus(before.known).Empty():
		return CarriedUnknown
	}
	return 0
}

// addPeople takes what a record, and the rejection of it, says of blockers that people added.
func (c *chain) addPeople(revision Ref, m *records.Members, rejection *rejected) {
	before := c.people[revision]
	after := added{last: terms.SetOf(m.CarriedBlockers...).Union(terms.SetOf(m.ReviewerBlockers...))}
	if rejection != nil {
		after.service = rejection.carried
	}
	after.known = before.known.Union(after.last).Union(after.service)
	if after != (added{}) {
		c.people[revision] = after
	}
}

func (c *chain) supersedes(m *records.Members, revision Ref) (Code, int64) {
	current, there := c.inForce[revision]
	if instead, rejection := c.instead[revision]; rejection && instead == m.Supersedes {
		return 0, 0
	}
	if !m.Supersedes.Present() {
		if there {
			return SupersedesMissing, 0
		}
		return 0, 0
	}
	named, known := c.records[nameOf(m.Supersedes)]
	switch {
	case !known:
		return SupersedesUnknown, 0
	case there && named == current:
		return 0, 0
	}
	return SupersedesSuperseded, int64(named)
}

// judgedRef names what a record judged.
func judgedRef(m *records.Members) Ref { return Ref{terms.RecordTable(m.Area), m.Key} }
