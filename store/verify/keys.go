package verify

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"docket/domain/json"
	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/terms"
)

// checkKey finds a signing key that does not count, or whose first use the source states wrongly;
// received is the record's place in the service's log.
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

// addSpan takes the time of signing that the record states.
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

// unusedKeys finds listed keys that signed no record.
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

// A Use is the first use of a key: it signed the record with the sequence.
type Use struct {
	keys.Holder
	Sequence int64
}

// Authorize judges which statements about a log count: those of persons with a record before them,
// whose key counted when they were made. One whose key was revoked afterwards, from before it on,
// is Void: it had its effect. used are the keys that signed records, the first one of each reviewer
// first. In a log without records any person may state something: the log's key signs it, too, or
// the person signs records later. That somebody erased a draft allows nothing. Statements about
// keys, of a service and in its log are left to other checks.
func Authorize(origin string, list []OpenedStatement, used []Use) {
	service := records.OfService(origin)
	then, all := keys.New(service), keys.New(service)
	begins := int64(math.MaxInt64) // the position of the first record
	first, signs, stated := map[terms.ID]int64{}, map[keys.Holder]bool{}, map[terms.ID]bool{}
	for _, use := range used {
		then.First(use.Holder, use.Sequence)
		all.First(use.Holder, use.Sequence)
		if before, known := first[use.Reviewer]; !known || use.Sequence < before {
			first[use.Reviewer] = use.Sequence
		}
		signs[use.Holder] = true
		begins = min(begins, use.Sequence)
	}
	var about []int // keys
	for i := range list {
		if list[i].OK && all.State(&list[i].Statement) {
			about = append(about, i)
		}
	}
	revoked, faulty := all.Revocations(), map[int]bool{}
	for _, n := range all.Faults() {
		faulty[about[n]] = true
	}
	for i := range list {
		o, s := &list[i], &list[i].Statement
		by := keys.Holder{Reviewer: s.By, Fingerprint: s.KeyFingerprint}
		sequence, known := first[s.By]
		known = known && sequence < s.Size
		e, _ := s.Erasure()
		switch {
		case !o.OK:
			o.Counts = false
		case service || o.Foreign || s.AboutKey() || e.What == records.ErasableDraft:
			o.Counts = true
		case len(used) == 0 || s.Size <= begins:
			o.Counts = len(used) == 0 || o.LogSigned || signs[by] || s.Kind == records.LogRestored
		case !known: // another user of a machine gets an anchor so, once
			o.Counts = s.Kind == records.AnchorAccepted && o.LogSigned && !stated[s.By]
		default:
			o.Counts = then.At(by, s.Size, keys.NotReceived).State == keys.Counts
			o.Void = o.Counts && slices.ContainsFunc(revoked, func(r keys.Revocation) bool {
				return r.Holder == by && r.Received == keys.NotReceived && r.From <= s.Size
			})
		}
		if stated[s.By] = true; o.OK && !faulty[i] {
			then.State(s)
		}
	}
}

// checkAuthors finds statements about a console's log, not about keys, by a person without an
// earlier record, or with a key that did not count.
func (c *check) checkAuthors() {
	if c.head.Partial {
		return // whether a key counts rests on records that are left out
	}
	var used []Use
	for signer, sequence := range c.firstSigned {
		used = append(used, Use{keys.Holder{Reviewer: signer.ID, Fingerprint: signer.Fingerprint}, sequence})
	}
	json.Sort(used, func(a, b Use) int { return cmp.Compare(a.Sequence, b.Sequence) })
	judged := slices.Clone(c.statements)
	Authorize(c.head.Origin, judged, used)
	c.uncounted(judged)
}

// uncounted finds statements that do not count, or whose keys were revoked from before them on.
func (c *check) uncounted(judged []OpenedStatement) {
	for n := range judged {
		by := fmt.Sprintf("statement %d, by %s", n, judged[n].Statement.By)
		if judged[n].OK && !judged[n].Counts {
			c.logFound(StatementNotAuthorized, by)
		}
		if judged[n].Void {
			c.logFound(SignedAfterRevocation, by)
		}
	}
}

// checkSigners is checkKey for the listed keys, in the order of first use, without the records.
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

// checkRing finds statements about keys by a key that did not count, and keys that sign in the name
// of the log's reviewer without a statement by that reviewer.
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
