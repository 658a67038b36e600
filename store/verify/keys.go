package verify

import (
	"fmt"
	"slices"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/terms"
)

// checkKey finds a key that signs in the name of a reviewer and does not count, and one whose first use the source
// states wrongly. received is the record's place in the service's log. It returns the state of the key.
func (c *check) checkKey(e *entryResult, m *records.Members, received int64) keys.Standing {
	holder := keys.Holder{Reviewer: m.Reviewer.ID, Fingerprint: m.Reviewer.KeyFingerprint}
	key := Reviewer{ID: holder.Reviewer, Fingerprint: holder.Fingerprint}
	since := c.since[key]
	delete(c.since, key)
	c.addSpan(key, m.RecordedAt, c.ring.At(holder, e.entry.Sequence, received))
	for _, finding := range e.findings {
		if finding.Code.info().of == ofSignature {
			return keys.Standing{} // it is not known to be signed by the key that it names
		}
	}
	if since.Present() && since != m.RecordedAt {
		c.logFound(DerivedDiffers, "the time since which a key of "+string(holder.Reviewer)+" signs")
	}
	c.ring.First(holder, e.entry.Sequence)
	standing := c.ring.At(holder, e.entry.Sequence, received)
	switch {
	case standing.State == keys.Revoked:
		e.found(SignedAfterRevocation, holder.Fingerprint)
		c.report.NotInForce = append(c.report.NotInForce, e.entry.Sequence)
	case standing.State == keys.Unknown && !c.strangers[holder] && !c.head.Partial:
		c.strangers[holder] = true
		e.found(KeyNotEndorsed, holder.Fingerprint)
	}
	return standing
}

// addSpan takes the time at which a key signed a record, according to the record.
func (c *check) addSpan(key Reviewer, at terms.Instant, standing keys.Standing) {
	span := c.spans[key]
	if !span.First.Present() || at.Before(span.First) {
		span.First = at
	}
	if standing.State != keys.Revoked && (!span.Last.Present() || span.Last.Before(at)) {
		span.Last = at
	}
	span.Revoked = c.ring.Now(keys.Holder{Reviewer: key.ID, Fingerprint: key.Fingerprint}).State == keys.Revoked
	c.spans[key] = span
}

// unusedKeys finds keys that signed no record although the source lists them.
func (c *check) unusedKeys() {
	var unused []string
	for key, since := range c.since {
		if since.Present() {
			unused = append(unused, string(key.ID))
		}
	}
	slices.Sort(unused)
	for _, reviewer := range unused {
		c.logFound(DerivedDiffers, fmt.Sprintf("a key of %s that signed no record", reviewer))
	}
}

// checkAuthors finds statements about a console's log, other than those about keys, by a person who had signed no record before, or with a key
// that did not count. In a log without records any person may make them. That somebody erased a draft allows nothing.
func (c *check) checkAuthors() {
	if c.head.Partial || records.OfService(c.head.Origin) {
		return
	}
	first := map[terms.ID]int64{}
	for signer, sequence := range c.firstSigned {
		if before, known := first[signer.ID]; !known || sequence < before {
			first[signer.ID] = sequence
		}
	}
	for n := range c.statements {
		s := &c.statements[n].Statement
		e, _ := s.Erasure()
		if !c.statements[n].OK || c.statements[n].Foreign || s.AboutKey() || s.Size == 0 || e.What == records.ErasableDraft {
			continue
		}
		if c.acceptedFirst(n, first) {
			continue
		}
		if sequence, known := first[s.By]; !known || sequence >= s.Size || !c.counted(n) {
			c.logFound(StatementNotAuthorized, fmt.Sprintf("statement %d, by %s", n, s.By))
		}
	}
}

// acceptedFirst reports whether a statement is the first one of a person without a record before it, who accepts the log, for whom the log's key
// vouches: another user of a machine gets an anchor so.
func (c *check) acceptedFirst(n int, first map[terms.ID]int64) bool {
	s := &c.statements[n].Statement
	sequence, known := first[s.By]
	return s.Kind == records.AnchorAccepted && len(c.head.Statements[n].LogSignature) > 0 && (!known || sequence >= s.Size) &&
		!slices.ContainsFunc(c.statements[:n], func(o OpenedStatement) bool { return o.Statement.By == s.By })
}

// counted reports whether the key that signed a statement counted then. The person may have revoked it afterwards, before another record came.
func (c *check) counted(n int) bool {
	s := &c.statements[n].Statement
	by := keys.Holder{Reviewer: s.By, Fingerprint: s.KeyFingerprint}
	if c.ring.At(by, s.Size, keys.NotReceived).State == keys.Counts {
		return true
	}
	later := slices.ContainsFunc(c.statements[n+1:], func(o OpenedStatement) bool {
		return o.OK && o.Statement.Kind == records.KeyRevoked && o.Statement.By == s.By
	})
	return later && c.ring.At(by, s.Size-1, keys.NotReceived).State == keys.Counts
}

// checkSigners is checkKey for a check that reads no records: it checks the keys that the source lists, in the order of
// their first use.
func (c *check) checkSigners() {
	var used []keys.Holder
	for i := range c.head.Signers {
		holder := keys.Holder{Reviewer: c.head.Signers[i].ID, Fingerprint: c.head.Signers[i].fingerprint()}
		c.ring.First(holder, 0)
		used = append(used, holder)
	}
	for _, holder := range used {
		if c.ring.Now(holder).State == keys.Unknown {
			c.logFound(KeyNotEndorsed, string(holder.Reviewer))
		}
	}
	c.checkRing(used)
}

// checkRing finds statements about keys that a key signed which did not count, and keys that sign in the name of the
// reviewer whose log this is without a statement by that reviewer.
func (c *check) checkRing(used []keys.Holder) {
	if c.head.Partial {
		return // whether a key counts rests on records that are left out
	}
	for _, n := range c.ring.Faults() {
		c.logFound(LogStatementAltered, c.stated[n])
	}
	if me := c.head.Reviewer; me.ID.Present() && me.KeyFingerprint != "" {
		if strange := c.ring.Strange(keys.Holder{Reviewer: me.ID, Fingerprint: me.KeyFingerprint}, used); len(strange) > 0 {
			c.logFound(KeyNotEndorsed, string(me.ID))
		}
	}
}
