package sample

import (
	"testing"
	"time"

	"docket/domain"
)

// start is the moment at which the tests open the docket.
var start = time.Date(2031, 3, 14, 9, 26, 53, 589_793_238, time.UTC)

// policyKey and recordID tell packets of different tables apart.
type (
	policyKey struct {
		table domain.Table
		key   domain.Key
	}
	recordID struct {
		table domain.Table
		id    domain.ID
	}
)

// held is what a store would hold once it has taken all packets in.
type held struct {
	policies map[policyKey]domain.Packet
	records  []domain.Packet // in import order
	latest   map[recordID]int64
}

// hold takes packets in. A refused one, one that stands twice, or a revision that comes late fails the test.
func hold(t testing.TB, texts [][]byte) held {
	t.Helper()
	h := held{policies: map[policyKey]domain.Packet{}, latest: map[recordID]int64{}}
	var reader domain.Reader
	for i, text := range texts {
		unredacted, fault := reader.Read(text)
		if fault != nil {
			t.Fatalf("packet %d is refused: %v\n%s", i+1, fault, text)
		}
		packet := unredacted.Redact()
		table, key := packet.Table(), packet.Key()
		if h.latest[recordID{table, key.ID}] >= key.Number {
			t.Errorf("%s %d comes late or twice", key.ID, key.Number)
		}
		h.latest[recordID{table, key.ID}] = key.Number
		if table == domain.AppealPolicies || table == domain.AmendmentPolicies {
			h.policies[policyKey{table, key}] = packet
			continue
		}
		h.records = append(h.records, packet)
	}
	return h
}

// open returns the sample docket as held at start.
func open(t testing.TB) held {
	t.Helper()
	texts, err := Packets(start)
	if err != nil {
		t.Fatal(err)
	}
	return hold(t, texts)
}

// policyOf returns the policy that a record names, or the zero Packet, and its id.
func (h *held) policyOf(record domain.Packet) (domain.Packet, recordID) {
	table, key := domain.AppealPolicies, domain.Key{}
	if c := record.AppealCase(); c.Held() {
		key = domain.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}
	} else {
		table = domain.AmendmentPolicies
		a := record.Amendment().Record()
		key = domain.Key{ID: a.PolicyID, Number: a.PolicyVersion}
	}
	return h.policies[policyKey{table, key}], recordID{table, key.ID}
}

func (h *held) look(record domain.Packet, at time.Time) domain.View {
	policy, policyID := h.policyOf(record)
	latest := domain.Latest{
		PolicyVersion: h.latest[policyID],
		Revision:      h.latest[recordID{record.Table(), record.Key().ID}],
	}
	return domain.Look(policy, record, latest, domain.InstantOf(at))
}

// queue returns the latest revisions only, as the queue lists them.
func (h *held) queue() []domain.Packet {
	var latest []domain.Packet
	for _, record := range h.records {
		if h.latest[recordID{record.Table(), record.Key().ID}] == record.Key().Number {
			latest = append(latest, record)
		}
	}
	return latest
}

// passing counts the records whose gate is pass.
func (h *held) passing(at time.Time) int {
	passing := 0
	for _, record := range h.records {
		view := h.look(record, at)
		if view.Judgment().Gate() == domain.Pass {
			passing++
		}
	}
	return passing
}

// find returns the latest revision of a case or amendment.
func (h *held) find(t *testing.T, id domain.ID) domain.Packet {
	t.Helper()
	for _, record := range h.queue() {
		if record.Key().ID == id {
			return record
		}
	}
	t.Fatalf("there is no %s", id)
	return domain.Packet{}
}
