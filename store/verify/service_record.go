package verify

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// A foreign is a verified record of the service's log, which a record of this log may supersede.
type foreign struct {
	on         Ref
	added      terms.BlockerSet // that people added, by it and before it
	superseded bool             // by a record of this log
}

// readServiceRecords verifies the kept records of the service's log; one that does not verify, or
// is one of this log, is a finding and has no effect.
func (c *check) readServiceRecords() error {
	var reader packets.Reader
	position := int64(0)
	err := c.log.ServiceRecords(c.ctx, func(kept signed.ServiceRecord) error {
		record, ok := openAny(c.rejections.keys, func(key signed.Key) (records.Enforcement, error) {
			return key.OpenServiceRecord(&reader, &kept)
		})
		if ok {
			c.report.AtService++
			c.chain.addForeign(record.Members())
		} else {
			c.logFound(EvidenceAltered, fmt.Sprintf("record %d of the service's log", position))
		}
		position++
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the records of the service's log: %w", err)
	}
	return nil
}

// addForeign takes a record from before or after this log's: no signature proves when it came.
func (c *chain) addForeign(m *records.Members) {
	of := foreign{on: judgedRef(m), added: terms.SetOf(m.CarriedBlockers...).Union(terms.SetOf(m.ReviewerBlockers...))}
	of.on.Key.ID = terms.ID(strings.Clone(string(of.on.Key.ID))) // not a part of the whole record
	c.foreign[NameOf(m.RecordID)] = of
	if m.StatementDigest.Present() {
		on := of.on
		on.Key.Number = 0
		c.answered[on] = max(c.answered[on], m.Key.Number)
	}
	if !of.added.Empty() {
		people := c.people[of.on]
		people.known = people.known.Union(of.added)
		c.people[of.on] = people
	}
}

// foreignOf returns the known record of the service's log that a record supersedes.
func (c *chain) foreignOf(m *records.Members) (of foreign, is bool) {
	if m.Supersedes.Present() {
		of, is = c.foreign[NameOf(m.Supersedes)]
	}
	return of, is
}

// supersedesForeign also returns the record of this log that superseded it before.
func (c *chain) supersedesForeign(m *records.Members, of foreign, revision Ref) (fault string, named int64) {
	_, replaced := c.instead[revision]
	switch {
	case of.on != revision:
		return supersedesOther, 0
	case of.superseded && !replaced:
		return supersededBefore, int64(c.inForce[revision])
	}
	of.superseded = true
	c.foreign[NameOf(m.Supersedes)] = of
	return "", 0
}

// ownAtService reports records of this log that are kept as if another console had handed them in.
func (c *check) ownAtService() {
	var own []uint32
	for name := range c.chain.foreign {
		if sequence, is := c.chain.records[name]; is {
			own = append(own, sequence)
		}
	}
	slices.Sort(own)
	for _, sequence := range own {
		c.logFound(EvidenceAltered, fmt.Sprintf("record %d of this log is among those of the service's log", sequence))
	}
}
