package audit

import (
	"errors"
	"hash/maphash"

	"docket/domain"
)

// chain follows which record is in force on each revision: the last one or, where the service turned that away, the one that
// it named, which the log may not have. Of each record it keeps two 64-bit fingerprints, under a
// seed of its own: nobody can prepare records whose fingerprints meet, and that two meet by chance is one in tens of
// millions for a million records.
type chain struct {
	seed    maphash.Seed
	records *table // record id -> its sequence
	inForce *table // case or amendment and revision -> sequence of the last record on it
	// instead says of revisions of which the service turned the last record away what it holds in its place: 0 for none.
	// There are as many at most as rejections.
	instead map[uint64]uint64
	// people says of revisions to which people added blockers which they are. There are few.
	people map[uint64]added
}

// added are the blockers that people added to a revision.
type added struct {
	last    domain.BlockerSet // those of the last record on it, carried over and its own
	service domain.BlockerSet // where the service turned that record away, those that the rejection names
	known   domain.BlockerSet // all that a record or a rejection ever named
}

// newChain makes the chain of a log of so many records. It has to be closed.
func newChain(records int64) (c chain, err error) {
	c.seed, c.instead, c.people = maphash.MakeSeed(), map[uint64]uint64{}, map[uint64]added{}
	if c.records, err = newTable(records); err != nil {
		return chain{}, err
	}
	if c.inForce, err = newTable(records); err != nil {
		return chain{}, errors.Join(err, c.records.close())
	}
	return c, nil
}

func (c *chain) close() error { return errors.Join(c.records.close(), c.inForce.close()) }

func (c *chain) record(id domain.RecordID) uint64 { return maphash.String(c.seed, string(id)) }

// named is the fingerprint of a record that may be none: 0.
func (c *chain) named(id domain.RecordID) uint64 {
	if !id.Present() {
		return 0
	}
	return fingerprint(c.record(id))
}

func (c *chain) packet(ref Ref) uint64 { return maphash.Comparable(c.seed, ref) }

// judged tells whether a record of the log judged the packet.
func (c *chain) judged(ref Ref) (bool, error) {
	_, there, err := c.inForce.get(c.packet(ref))
	return there, err
}

// add takes the next record of the log, and returns what is wrong with its place: 0 if nothing is. Where it supersedes
// an earlier record that is not in force on its revision, the kind is SupersedesSuperseded, and named is that record's
// sequence: only the record itself says whether it is of this revision at all. turnedAway is the rejection of the record, nil
// if there is none.
func (c *chain) add(m *domain.EnforcementMembers, sequence int64, turnedAway *rejected) (kind Kind, named int64, err error) {
	id, revision := c.record(m.RecordID), c.packet(judgedRef(m))
	if _, there, err := c.records.get(id); there || err != nil {
		return RecordDuplicate, 0, err
	}
	if kind, named, err = c.supersedes(m, revision); err != nil {
		return 0, 0, err
	}
	delete(c.instead, revision)
	if turnedAway != nil {
		c.instead[revision] = c.named(turnedAway.inForce)
	}
	c.addPeople(revision, m, turnedAway)
	err = errors.Join(c.records.set(id, uint32(sequence)), c.inForce.set(revision, uint32(sequence)))
	return kind, named, err
}

// carries tells what is wrong with the blockers that a record carries over, before the record is added: 0 if nothing is. It has
// to carry those of the record that it supersedes, or, where the service turned that away, those that the rejection names;
// and none that nobody added. A reviewer may not have known yet what the service answered.
func (c *chain) carries(m *domain.EnforcementMembers) Kind {
	revision := c.packet(judgedRef(m))
	before, carried := c.people[revision], domain.SetOf(m.CarriedBlockers...)
	stands := before.last
	if instead, turnedAway := c.instead[revision]; turnedAway && instead == c.named(m.Supersedes) {
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
func (c *chain) addPeople(revision uint64, m *domain.EnforcementMembers, turnedAway *rejected) {
	before := c.people[revision]
	after := added{last: domain.SetOf(m.CarriedBlockers...).Union(domain.SetOf(m.ReviewerBlockers...))}
	if turnedAway != nil {
		after.service = turnedAway.carried
	}
	after.known = before.known.Union(after.last).Union(after.service)
	if after != (added{}) {
		c.people[revision] = after
	}
}

func (c *chain) supersedes(m *domain.EnforcementMembers, revision uint64) (Kind, int64, error) {
	current, there, err := c.inForce.get(revision)
	if err != nil {
		return 0, 0, err
	}
	if instead, turnedAway := c.instead[revision]; turnedAway && instead == c.named(m.Supersedes) {
		return 0, 0, nil
	}
	if !m.Supersedes.Present() {
		if there {
			return SupersedesMissing, 0, nil
		}
		return 0, 0, nil
	}
	named, known, err := c.records.get(c.record(m.Supersedes))
	switch {
	case err != nil:
		return 0, 0, err
	case !known:
		return SupersedesUnknown, 0, nil
	case there && named == current:
		return 0, 0, nil
	}
	return SupersedesSuperseded, int64(named), nil
}

// judgedRef names what a record judged.
func judgedRef(m *domain.EnforcementMembers) Ref { return Ref{domain.RecordTable(m.Area), m.Key} }
