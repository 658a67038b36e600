package verify

import (
	"crypto/sha256"
	"fmt"

	"docket/domain/records"
	"docket/domain/terms"
)

// numbers hold, of each id of packets, how the highest version or revision that had come in rose
// along the log: 32 bytes an id, and as many for each further one.
type numbers struct {
	first map[numberedID]rise
	later map[numberedID][]rise
}

// A numberedID stands for the table and the id of packets.
type numberedID [16]byte

// A rise is the entry from which on a number was the highest.
type rise struct {
	position int64
	number   int64
}

func newNumbers() numbers {
	return numbers{first: map[numberedID]rise{}, later: map[numberedID][]rise{}}
}

func numbered(table terms.Table, id terms.ID) numberedID {
	sum := sha256.Sum256([]byte(table.String() + " " + string(id)))
	return numberedID(sum[:16])
}

// add takes the next packet of the log.
func (n *numbers) add(e *Entry) {
	id, risen := numbered(e.Table, e.Key.ID), rise{e.Sequence, e.Key.Number}
	first, there := n.first[id]
	later := n.later[id]
	switch {
	case !there:
		n.first[id] = risen
	case len(later) == 0 && first.number < risen.number, len(later) > 0 && later[len(later)-1].number < risen.number:
		n.later[id] = append(later, risen)
	}
}

// before is the highest number of an id in a log of a size; 0 for none.
func (n *numbers) before(table terms.Table, id terms.ID, size int64) (highest int64) {
	name := numbered(table, id)
	if first, there := n.first[name]; there && first.position < size {
		highest = first.number
	}
	for _, risen := range n.later[name] {
		if risen.position < size {
			highest = risen.number
		}
	}
	return highest
}

// checkLatest finds a record that names a lower latest number than the log had that its reviewer
// saw. What a console's log had is not known at a service.
func (c *check) checkLatest(e *entryResult, m *records.Members) {
	if c.lineage.Find(m.LogHead.Origin) < 0 || records.OfService(c.head.Origin) {
		return
	}
	size := min(m.LogHead.Size, e.entry.Sequence)
	for _, of := range [...]struct {
		table terms.Table
		id    terms.ID
		given int64
		name  string
	}{
		{terms.RecordTable(m.Area), m.Key.ID, m.Latest.Revision, "latestRevision"},
		{terms.PolicyTable(m.Area), m.Policy.ID, m.Latest.PolicyVersion, "latestPolicyVersion"},
	} {
		if had := c.numbers.before(of.table, of.id, size); of.given < had && of.id.Present() {
			e.found(JudgmentDiffers, fmt.Sprintf("its %s is %d, and the log had %d", of.name, of.given, had))
		}
	}
}
