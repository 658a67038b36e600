package verify

import (
	"cmp"
	"fmt"
	"slices"

	"docket/domain/json"
	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Rejection is the statement by which a service rejected a record, as a source holds it.
type Rejection struct {
	RecordID records.RecordID // under which the source files it
	Signed   []byte           // records.Rejection.Text as a note by the key of the service's log
}

// maxRejection is the largest size of a signed rejection, in bytes.
const maxRejection = 4 << 10

// rejections holds the signed ones, about a hundred bytes each, until their records come.
type rejections struct {
	keys  []signed.Key // of the service, the newest first; none if they cannot be used
	known map[records.RecordID]rejected
}

type rejected struct {
	digest  terms.Hash       // of the record's bytes
	inForce records.RecordID // "" for none
	carried terms.BlockerSet
}

// readRejections verifies all rejections; one that does not verify is a finding and has no effect.
func (c *check) readRejections() error {
	keys, fault := c.serviceKeys()
	if len(keys) > 0 {
		c.report.ServiceKey = keys[0].String()
	}
	c.rejections.keys, c.rejections.known = keys, map[records.RecordID]rejected{}
	err := c.log.Rejections(c.ctx, func(r Rejection) error {
		c.readRejection(keys, fault, r)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the rejections: %w", err)
	}
	return nil
}

// serviceKeys returns the keys that verify answers, the newest first; or none, with the reason.
func (c *check) serviceKeys() (keys []signed.Key, fault string) {
	fault = c.readService()
	for _, named := range c.head.ServiceKeys() {
		key, err := signed.ParseKey(named)
		if err != nil {
			fault = "it cannot be read"
		}
		keys = append(keys, key)
	}
	switch {
	case fault != "":
		c.logFound(EvidenceAltered, "the key of the service: "+fault)
		return nil, "the key of the service cannot be used"
	case len(keys) == 0:
		return nil, "no key of a service is at hand"
	}
	return keys, ""
}

// readService compares the service's keys with those that persons accepted and the caller trusts.
func (c *check) readService() (fault string) {
	var keys []string // oldest first
	if c.head.ServiceKey != "" {
		keys = append(slices.Clone(c.head.EarlierServiceKeys), c.head.ServiceKey)
	}
	if fault = UnnamedService(c.statements, keys); fault != "" {
		return fault
	}
	if trusted := c.options.ServiceKeys; len(keys) > 0 && len(trusted) > 0 && !slices.Contains(trusted, c.head.ServiceKey) {
		return "it is not one that you gave"
	}
	return ""
}

// UnnamedService says why the answers of a service with these keys, the oldest first, do not count:
// no person who may named the first, or accepted each in place of the one before; "": they count.
func UnnamedService(statements []OpenedStatement, keys []string) string {
	place, before := 0, ""
	for i := range statements {
		s := &statements[i].Statement
		change, is := s.ServiceChange()
		known, shown := change.KnownKey, change.ShownKey
		if s.Kind == records.ServiceNamed {
			known, shown, is = "", s.Found[0], true
		}
		if !is || !statements[i].Counts {
			continue
		}
		if place >= len(keys) || known != before || shown != keys[place] {
			return "it is not the one that a person named or accepted"
		}
		place, before = place+1, shown
	}
	switch {
	case place == 0 && len(keys) > 0:
		return "nobody who may named it; take nothing from it that you have not from its operator, and use another store"
	case place != len(keys):
		return "nobody accepted it in the place of the one before"
	}
	return ""
}

func (c *check) readRejection(keys []signed.Key, fault string, filed Rejection) {
	name := visible.String(string(filed.RecordID))
	if fault == "" && len(filed.Signed) > maxRejection {
		fault = "it is too long"
	}
	if fault != "" {
		c.logFound(EvidenceAltered, "the rejection of "+name+": "+fault)
		return
	}
	r, ok := openAny(keys, func(key signed.Key) (records.Rejection, error) { return key.OpenRejection(string(filed.Signed)) })
	if !ok {
		c.logFound(EvidenceAltered, "the rejection of "+name+": the service did not sign it")
		return
	}
	if _, twice := c.rejections.known[r.RecordID]; twice || r.RecordID != filed.RecordID || r.InForce == r.RecordID {
		c.logFound(EvidenceAltered, fmt.Sprintf("the rejection of %s is filed under %s", r.RecordID, name))
		return
	}
	c.rejections.known[r.RecordID] = rejected{r.Digest, r.InForce, r.Carried}
}

// openAny returns what the first key opens that can.
func openAny[T any](keys []signed.Key, open func(signed.Key) (T, error)) (opened T, ok bool) {
	for _, key := range keys {
		if opened, err := open(key); err == nil {
			return opened, true
		}
	}
	return opened, false
}

// rejectionOf takes the rejection of exactly the record's bytes.
func (c *check) rejectionOf(e *entryResult, m *records.Members) *rejected {
	r, there := c.rejections.known[m.RecordID]
	if !there || !r.digest.Matches(terms.HashOf(e.entry.Document)) {
		return nil
	}
	delete(c.rejections.known, m.RecordID)
	c.report.Rejected++
	return &r
}

// checkAcceptance compares the service's receipt, which a rejected record lacks, with the record
// and the receipt's checkpoint, and returns the place in the service's log or keys.NotReceived.
func (c *check) checkAcceptance(e *entryResult, m *records.Members, rejection *rejected) int64 {
	if e.entry.Acceptance == nil {
		return keys.NotReceived
	}
	c.report.Receipts++
	receipt, ok := openAny(c.rejections.keys, func(key signed.Key) (records.Receipt, error) {
		return key.OpenAcceptance(*e.entry.Acceptance, m.RecordID, e.entry.Document)
	})
	if !ok || rejection != nil {
		e.found(EvidenceAltered, "the receipt")
		return keys.NotReceived
	}
	return receipt.Sequence
}

func (c *check) strayRejections() {
	var strays []records.RecordID
	for id := range c.rejections.known {
		strays = append(strays, id)
	}
	json.Sort(strays, cmp.Compare[records.RecordID])
	for _, id := range strays {
		c.logFound(EvidenceAltered, fmt.Sprintf("the rejection of %s belongs to no record of the log", string(id)))
	}
}
