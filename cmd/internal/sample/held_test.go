package sample

import (
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// start is the moment at which the tests open the docket.
var start = time.Date(2031, 3, 14, 9, 26, 53, 589_793_238, time.UTC)

// policyKey and recordID tell packets of different tables apart.
type (
	policyKey struct {
		table terms.Table
		key   packets.Key
	}
	recordID struct {
		table terms.Table
		id    terms.ID
	}
)

// held is what a store would hold once it has taken all packets in.
type held struct {
	policies map[policyKey]packets.Packet
	records  []packets.Packet // in import order
	latest   map[recordID]int64
}

// hold takes packets in. A refused one, one that stands twice, or a revision that comes late fails the test.
func hold(t testing.TB, texts [][]byte) held {
	t.Helper()
	h := held{policies: map[policyKey]packets.Packet{}, latest: map[recordID]int64{}}
	var reader packets.Reader
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
		if table == terms.AppealPolicies || table == terms.AmendmentPolicies {
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
func (h *held) policyOf(record packets.Packet) (packets.Packet, recordID) {
	table, key := terms.AppealPolicies, packets.Key{}
	if c := record.AppealCase(); c.Held() {
		key = packets.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}
	} else {
		table = terms.AmendmentPolicies
		a := record.Amendment().Record()
		key = packets.Key{ID: a.PolicyID, Number: a.PolicyVersion}
	}
	return h.policies[policyKey{table, key}], recordID{table, key.ID}
}

func (h *held) look(record packets.Packet, at time.Time) views.View {
	policy, policyID := h.policyOf(record)
	latest := rules.Latest{
		PolicyVersion: h.latest[policyID],
		Revision:      h.latest[recordID{record.Table(), record.Key().ID}],
	}
	return views.New(policy, record, latest, terms.InstantOf(at))
}

// queue returns the latest revisions only, as the queue lists them.
func (h *held) queue() []packets.Packet {
	var latest []packets.Packet
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
		if view.Evaluation().Gate() == terms.Pass {
			passing++
		}
	}
	return passing
}

// find returns the latest revision of a case or amendment.
func (h *held) find(t *testing.T, id terms.ID) packets.Packet {
	t.Helper()
	for _, record := range h.queue() {
		if record.Key().ID == id {
			return record
		}
	}
	t.Fatalf("there is no %s", id)
	return packets.Packet{}
}
