package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
)

// A Rejection is the statement by which a service rejected a record, as a source holds it.
type Rejection struct {
	RecordID records.RecordID // under which the source files it
	Signed   []byte           // records.Rejection.Text, signed as a note with the key of the service's log
}

// maxRejection is the largest size of a signed rejection, in bytes; a real one is far smaller.
const maxRejection = 4 << 10

// rejections holds those that the service signed, until their records come. Each takes about a hundred bytes.
type rejections struct {
	keys  []signed.Key // of the service, the newest first; none if they cannot be used
	known map[records.RecordID]rejected
}

// rejected holds the effect of a rejection that verified.
type rejected struct {
	leaf    terms.Hash
	inForce records.RecordID // "" for none
	carried terms.BlockerSet
}

// readRejections verifies all rejections of the log with the keys of the service. One that does not verify is a
// finding, and has no effect.
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

// serviceKeys returns the keys with which answers are verified, the newest first; or none, with the reason.
func (c *check) serviceKeys() (keys []signed.Key, fault string) {
	if c.head.ServiceKey == "" {
		return nil, "no key of a service is at hand"
	}
	fault = c.readService()
	for _, named := range c.head.ServiceKeys() {
		key, err := signed.ParseKey(named)
		if err != nil {
			fault = "it cannot be read"
		}
		keys = append(keys, key)
	}
	if fault != "" {
		c.logFound(ServiceKeyUnusable, fault)
		return nil, "the key of the service cannot be used"
	}
	return keys, ""
}

// readService compares the keys of the service with its statements, and with those that the caller trusts: the first
// key, and each later one to which no restore leads that the earlier log or its operator signed.
func (c *check) readService() (fault string) {
	origin, _, _ := strings.Cut(c.head.ServiceKey, "+")
	lineage, opened := ReadLineage(origin, c.head.ServiceKey, nil, c.head.ServiceStatements)
	for i := range opened {
		if !opened[i].OK {
			return "a statement of the service is not one that it signed"
		}
	}
	if len(lineage) != len(c.head.EarlierServiceKeys)+1 {
		return "the restores of the service do not lead to it"
	}
	c.report.Service, c.report.ServiceStated = lineage, len(opened)
	trusted, from := c.options.ServiceKeys, 0
	for place := range lineage {
		if place < len(lineage)-1 && lineage[place].Key != c.head.EarlierServiceKeys[place] {
			return "the restores of the service do not lead to it"
		}
		if len(trusted) == 0 || place > 0 && lineage.Vouched(place-1, from) {
			continue
		}
		if from = place; !slices.Contains(trusted, lineage[place].Key) {
			return "it is not one that you gave"
		}
	}
	return ""
}

// openSetbacks verifies the setbacks of the service's log that the source keeps. One that has not been settled is a
// finding.
func (c *check) openSetbacks() {
	for n := range c.head.Setbacks {
		kept := &c.head.Setbacks[n]
		setback, err := kept.Open()
		switch {
		case err != nil || !OfService(kept, c.head.ServiceKeys()):
			c.logFound(AnswerAltered, fmt.Sprintf("setback %d of the service", n))
			continue
		case !setback.Settled && n == len(c.head.Setbacks)-1:
			c.logFound(ServiceSetBack, setback.Sentence())
		}
		c.report.Setbacks = append(c.report.Setbacks, setback)
	}
}

// OfService reports whether a setback is one of a service with the keys: the known and the settling checkpoint are
// signed with them, and the shown one, too, unless another key signed it.
func OfService(s *signed.Setback, keys []string) bool {
	shown := slices.Contains(keys, s.ShownKey)
	return slices.Contains(keys, s.KnownKey) && (s.Settled == "" || slices.Contains(keys, s.SettledKey)) && (shown || s.Kind == records.LogOtherKey.String())
}

func (c *check) readRejection(keys []signed.Key, fault string, filed Rejection) {
	name := visible.String(string(filed.RecordID))
	if fault == "" && len(filed.Signed) > maxRejection {
		fault = "it is too long"
	}
	if fault != "" {
		c.logFound(RejectionUnsigned, name+": "+fault)
		return
	}
	r, err := records.Rejection{}, records.ErrRejection
	for _, key := range keys {
		if r, err = key.OpenRejection(string(filed.Signed)); err == nil {
			break
		}
	}
	if err != nil {
		c.logFound(RejectionUnsigned, name)
		return
	}
	if _, twice := c.rejections.known[r.RecordID]; twice || r.RecordID != filed.RecordID || r.InForce == r.RecordID {
		c.logFound(RejectionStray, fmt.Sprintf("it is of %s and filed under %s", r.RecordID, name))
		return
	}
	c.rejections.known[r.RecordID] = rejected{r.LeafHash, r.InForce, r.Carried}
}

// rejectionOf takes the rejection of a record, if there is one of exactly its bytes.
func (c *check) rejectionOf(e *entryResult, m *records.Members) *rejected {
	r, there := c.rejections.known[m.RecordID]
	if !there || !r.leaf.Matches(domainHash(e.leaf)) {
		return nil
	}
	delete(c.rejections.known, m.RecordID)
	c.report.Rejected++
	return &r
}

// checkAcceptance compares the service's receipt of a record with the record, and with the checkpoint that came with
// it. A rejected record has none. It returns the record's place in the service's log, or keys.NotReceived.
func (c *check) checkAcceptance(e *entryResult, m *records.Members, rejection *rejected) int64 {
	if e.entry.Acceptance == nil {
		return keys.NotReceived
	}
	c.report.Receipts++
	err := signed.ErrAcceptance
	var receipt records.Receipt
	for i := 0; i < len(c.rejections.keys) && err != nil; i++ {
		receipt, err = c.rejections.keys[i].OpenAcceptance(*e.entry.Acceptance, m.RecordID, domainHash(e.leaf))
	}
	if origin, _, _ := strings.Cut(e.entry.Acceptance.Checkpoint, "\n"); err == nil && receipt.TreeSize > c.report.Service.Holds(c.report.Service.Find(origin)) {
		err = signed.ErrAcceptance // a restore lost it
	}
	if err != nil || rejection != nil {
		e.found(AnswerAltered, "the receipt")
		return keys.NotReceived
	}
	return receipt.Sequence
}

// checkLost compares the receipts that restores of the service lost with the record, and with the logs of the service:
// each is of a log that ended with fewer records.
func (c *check) checkLost(e *entryResult, m *records.Members) {
	place := -1
	for i := range e.entry.Lost {
		c.report.Lost++
		origin, _, _ := strings.Cut(e.entry.Lost[i].Checkpoint, "\n")
		before := place
		place = c.report.Service.Find(origin)
		if place <= before || place >= len(c.report.Service)-1 {
			e.found(AnswerAltered, "a receipt that was lost")
			return
		}
		key, err := signed.ParseKey(c.report.Service[place].Key)
		var receipt records.Receipt
		if err == nil {
			receipt, err = key.OpenAcceptance(e.entry.Lost[i], m.RecordID, domainHash(e.leaf))
		}
		if err != nil || receipt.TreeSize <= c.report.Service.Holds(place) {
			e.found(AnswerAltered, "a receipt that was lost")
		}
	}
}

// strayRejections reports the rejections without a record.
func (c *check) strayRejections() {
	var strays []records.RecordID
	for id := range c.rejections.known {
		strays = append(strays, id)
	}
	slices.SortFunc(strays, cmp.Compare[records.RecordID])
	for _, id := range strays {
		c.logFound(RejectionStray, fmt.Sprintf("it is of %s", string(id)))
	}
}
