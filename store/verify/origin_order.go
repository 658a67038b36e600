package verify

import (
	"cmp"
	"slices"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
)

// An originOrder follows when the records of one console's log were recorded that a service took in: for each size of that log
// the newest record made on the log of that size or a shorter one, if that is newer than on any shorter one. Sizes and times rise.
type originOrder []originStep

type originStep struct {
	size   int64
	newest int64 // in milliseconds
}

// before returns when the newest record was recorded that was made on a shorter log; false if there is none.
func (o originOrder) before(size int64) (newest int64, some bool) {
	at, _ := o.find(size)
	if at == 0 {
		return 0, false
	}
	return o[at-1].newest, true
}

func (o originOrder) find(size int64) (int, bool) {
	return slices.BinarySearchFunc(o, size, func(s originStep, size int64) int { return cmp.Compare(s.size, size) })
}

// add takes a record that was made on a log of that size.
func (o originOrder) add(size, recorded int64) originOrder {
	at, there := o.find(size)
	if at > 0 && o[at-1].newest >= recorded || there && o[at].newest >= recorded {
		return o
	}
	end := at
	for end < len(o) && o[end].newest <= recorded {
		end++
	}
	return slices.Replace(o, at, end, originStep{size, recorded})
}

// checkOriginOrder finds a record of a service's log that was recorded too long before one that its console's log has before it. The
// sizes of that log say what is before it, and not the order in which records were handed in.
func (c *check) checkOriginOrder(e *entryResult, m *records.Members) {
	if !records.OfService(c.head.Origin) {
		return
	}
	order, recorded := c.origins[m.LogHead.Origin], m.RecordID.At().Time().UnixMilli()
	newest, some := order.before(m.LogHead.Size)
	if some && newest-recorded > records.OrderLeeway.Milliseconds() {
		e.found(TimeBackwards, "it is of "+m.RecordedAt.String()+", and a record before it in the log of its console of "+
			terms.InstantOf(time.UnixMilli(newest)).String())
	}
	c.origins[m.LogHead.Origin] = order.add(m.LogHead.Size, recorded)
}
