package audit

import (
	"hash/maphash"

	"docket/domain"
)

// chain follows which record is in force on each revision. What it keeps is two 64-bit fingerprints for a record and
// two for a revision, under a seed of its own: nobody can prepare records whose fingerprints meet, and that two meet by
// chance is one in tens of millions for a million records.
type chain struct {
	seed    maphash.Seed
	records map[uint64]uint64 // record id -> revision
	inForce map[uint64]uint64 // revision -> record id
}

func newChain() chain {
	return chain{maphash.MakeSeed(), map[uint64]uint64{}, map[uint64]uint64{}}
}

func (c *chain) record(id domain.RecordID) uint64 { return maphash.String(c.seed, string(id)) }

func (c *chain) packet(ref Ref) uint64 { return maphash.Comparable(c.seed, ref) }

// judged tells whether a record of the log judged the packet.
func (c *chain) judged(ref Ref) bool {
	_, there := c.inForce[c.packet(ref)]
	return there
}

// add takes the next record of the log, and returns what is wrong with its place: 0 if nothing is.
func (c *chain) add(m *domain.EnforcementMembers) Kind {
	id, revision := c.record(m.RecordID), c.packet(Ref{RecordTable(m.Area), m.Key})
	if _, there := c.records[id]; there {
		return RecordDuplicate
	}
	kind := c.supersedes(m, revision)
	c.records[id], c.inForce[revision] = revision, id
	return kind
}

func (c *chain) supersedes(m *domain.EnforcementMembers, revision uint64) Kind {
	current, there := c.inForce[revision]
	if !m.Supersedes.Present() {
		if there {
			return SupersedesMissing
		}
		return 0
	}
	named := c.record(m.Supersedes)
	if there && named == current {
		return 0
	}
	of, known := c.records[named]
	switch {
	case !known:
		return SupersedesUnknown
	case of != revision:
		return SupersedesOtherRevision
	}
	return SupersedesSuperseded
}
