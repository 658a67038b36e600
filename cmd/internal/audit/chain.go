package audit

import (
	"hash/maphash"

	"docket/domain"
)

// chain follows which record is in force on each revision. Of each record it keeps two 64-bit fingerprints, under a
// seed of its own: nobody can prepare records whose fingerprints meet, and that two meet by chance is one in tens of
// millions for a million records.
type chain struct {
	seed    maphash.Seed
	records table // record id -> its sequence
	inForce table // case or amendment and revision -> sequence of the record in force
}

func newChain() chain { return chain{seed: maphash.MakeSeed()} }

func (c *chain) record(id domain.RecordID) uint64 { return maphash.String(c.seed, string(id)) }

func (c *chain) packet(ref Ref) uint64 { return maphash.Comparable(c.seed, ref) }

// judged tells whether a record of the log judged the packet.
func (c *chain) judged(ref Ref) bool {
	_, there := c.inForce.get(c.packet(ref))
	return there
}

// add takes the next record of the log, and returns what is wrong with its place: 0 if nothing is. Where it supersedes
// an earlier record that is not in force on its revision, the kind is SupersedesSuperseded, and named is that record's
// sequence: only the record itself says whether it is of this revision at all.
func (c *chain) add(m *domain.EnforcementMembers, sequence int64) (kind Kind, named int64) {
	id, revision := c.record(m.RecordID), c.packet(judgedRef(m))
	if _, there := c.records.get(id); there {
		return RecordDuplicate, 0
	}
	kind, named = c.supersedes(m, revision)
	c.records.set(id, uint32(sequence))
	c.inForce.set(revision, uint32(sequence))
	return kind, named
}

func (c *chain) supersedes(m *domain.EnforcementMembers, revision uint64) (Kind, int64) {
	current, there := c.inForce.get(revision)
	if !m.Supersedes.Present() {
		if there {
			return SupersedesMissing, 0
		}
		return 0, 0
	}
	named, known := c.records.get(c.record(m.Supersedes))
	switch {
	case !known:
		return SupersedesUnknown, 0
	case there && named == current:
		return 0, 0
	}
	return SupersedesSuperseded, int64(named)
}

// judgedRef names what a record judged.
func judgedRef(m *domain.EnforcementMembers) Ref { return Ref{domain.RecordTable(m.Area), m.Key} }
