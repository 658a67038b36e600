package sample_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"docket/cmd/internal/sample"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// start is the moment at which the tests open the docket.
var start = time.Date(2031, 3, 14, 9, 26, 53, 589_793_238, time.UTC)

// A name tells packets of different tables apart; it has no number where it names all revisions or versions.
type name struct {
	table terms.Table
	packets.Key
}

// held is what a store would hold once it has taken all packets in.
type held struct {
	policies map[name]packets.Packet
	records  []packets.Packet // in import order
	latest   map[name]int64
	texts    map[name][]byte // of all packets
}

// hold takes packets in. A refused one, one that stands twice, or a revision that comes late fails the test.
func hold(t testing.TB, texts [][]byte) held {
	t.Helper()
	h := held{policies: map[name]packets.Packet{}, latest: map[name]int64{}, texts: map[name][]byte{}}
	var reader packets.Reader
	for i, text := range texts {
		unredacted, fault := reader.Read(text)
		if fault != nil {
			t.Fatalf("packet %d is refused: %v\n%s", i+1, fault, text)
		}
		packet := unredacted.Redact()
		own := name{packet.Table(), packet.Key()}
		if h.latest[all(own)] >= own.Number {
			t.Errorf("%s %d comes late or twice", own.ID, own.Number)
		}
		h.latest[all(own)], h.texts[own] = own.Number, text
		switch {
		case own.table != terms.AppealPolicies && own.table != terms.AmendmentPolicies:
			h.records = append(h.records, packet)
		case len(h.records) > 0:
			t.Errorf("the policy %s comes behind a record", own.ID)
		default:
			h.policies[own] = packet
		}
	}
	return h
}

// all is the name of all revisions or versions.
func all(of name) name { return name{of.table, packets.Key{ID: of.ID}} }

// docketAt returns the sample docket of a moment.
func docketAt(t testing.TB, at time.Time) [][]byte {
	t.Helper()
	texts, err := sample.Packets(at)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// open returns the sample docket as held at start.
func open(t testing.TB) held {
	t.Helper()
	return hold(t, docketAt(t, start))
}

// policyOf returns the name of the policy that a record names.
func policyOf(record packets.Packet) name {
	if c := record.AppealCase(); c.Held() {
		return name{terms.AppealPolicies, packets.Key{ID: c.Record().PolicyID, Number: c.Record().PolicyVersion}}
	}
	a := record.Amendment().Record()
	return name{terms.AmendmentPolicies, packets.Key{ID: a.PolicyID, Number: a.PolicyVersion}}
}

// latestOf returns the number of the latest revision of a record.
func (h *held) latestOf(record packets.Packet) int64 {
	return h.latest[all(name{record.Table(), record.Key()})]
}

func (h *held) look(record packets.Packet, at time.Time) views.View {
	policy := policyOf(record)
	latest := rules.Latest{PolicyVersion: h.latest[all(policy)], Revision: h.latestOf(record)}
	return views.New(h.policies[policy], record, latest, terms.InstantOf(at))
}

// queue returns the latest revisions only, as the queue lists them.
func (h *held) queue() []packets.Packet {
	var latest []packets.Packet
	for _, record := range h.records {
		if h.latestOf(record) == record.Key().Number {
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

// seen counts the blockers of the latest revisions, by area because three stand in both lists, and the words and flags of
// their members and of those of the policies, by table and path.
func (h *held) seen(at time.Time) map[string]int {
	seen := map[string]int{}
	for _, record := range h.queue() {
		view := h.look(record, at)
		for _, code := range view.Evaluation().Blockers() {
			seen[view.Area().String()+" "+code.String()]++
		}
		for _, redaction := range record.Redactions() {
			seen["private "+redaction.Category.String()]++
		}
		h.count(seen, name{record.Table(), record.Key()})
	}
	for policy := range h.policies {
		h.count(seen, policy)
	}
	return seen
}

// count counts the words of a packet.
func (h *held) count(seen map[string]int, of name) {
	var packet struct{ Record map[string]any }
	if err := json.Unmarshal(h.texts[of], &packet); err != nil {
		panic(err)
	}
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for member, inner := range value {
				walk(path+"."+member, inner)
			}
		case []any:
			for _, inner := range value {
				walk(path, inner)
			}
		default:
			seen[fmt.Sprint(path, " ", value)]++
		}
	}
	walk(of.table.String(), packet.Record)
}

// requireWords fails the test for each word that was not seen behind the prefix, and a suffix.
func requireWords(t *testing.T, seen map[string]int, prefix string, words []string, suffix string) {
	t.Helper()
	if len(words) == 0 {
		t.Errorf("%s has no words", prefix)
	}
	for _, word := range words {
		if seen[prefix+word+suffix] == 0 {
			t.Errorf("%s%s%s does not occur", prefix, word, suffix)
		}
	}
}

// requireBlockers fails the test for each blocker that was not seen.
func requireBlockers(t *testing.T, seen map[string]int) {
	t.Helper()
	for _, area := range terms.Areas.All() {
		var codes []string
		for _, rule := range rules.Book(area) {
			codes = append(codes, rule.Code.String())
		}
		requireWords(t, seen, area.String()+" ", codes, "")
	}
}

// The paths of the words of cases and of amendments.
const (
	caseWords      = "trade_appeal_cases."
	amendmentWords = "trade_agreement_amendment_records."
)
