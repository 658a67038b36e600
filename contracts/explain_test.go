package contracts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/contracts"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
)

// explained gives "pointer: reason" for each fault of a text that the reader refuses.
func explained(t *testing.T, question bool, text string) []string {
	t.Helper()
	var reader packets.Reader
	explain := contracts.ExplainPacket
	_, fault := reader.Read([]byte(text))
	if question {
		explain = contracts.ExplainInput
		_, fault = rules.ReadInput(&reader, []byte(text))
	}
	if fault == nil {
		t.Fatalf("the reader takes %s", text)
	}
	var all []string
	for _, f := range explain([]byte(text), fault) {
		all = append(all, f.Error())
	}
	if !slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, fault.Pointer) }) {
		t.Errorf("the reader's fault %v is not among %q", fault, all)
	}
	return all
}

const (
	unknownMember = "has a member that is not known; it is not shown, because it may be private"
	absentMember  = "is required and absent"
)

func TestEveryFaultOfAPacketIsFoundWithItsPointerAndNoValue(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a record": {`{"table": "trade_appeal_cases", "record": {"caseId": "CANARY id", "revision": 0, "status": "CANARY",
			"CANARY": 1, "Deadline": "2026-01-01T00:00:00Z", "CANARY-two": 2, "filedAt": "CANARY", "notice": {"state": "sent", "CANARY": 1},
			"remedyGap": "", "requestedEffects": ["show_private_details", "CANARY", null], "standing": null, "evidenceScope": {"items": ["a", "b c"]}}}`,
			[]string{
				"/record/contractVersion: " + absentMember,
				"/record/caseId: must be an id: a letter or digit, then up to 127 letters, digits or . _ : -",
				"/record/revision: must be an integer of 1 or more, below 2^53",
				"/record/status: is not in the vocabulary: draft, filed, noticed, under_neutral_review, correction_requested, upheld, corrected, dismissed, closed_unresolved, superseded, stale",
				"/record: " + unknownMember,
				"/record/filedAt: must be a time in UTC such as 2026-01-31T09:00:00Z",
				"/record/notice/state: is not in the vocabulary: missing, queued, delivered, failed, not_required_for_stage",
				"/record/notice: " + unknownMember,
				"/record/remedyGap: must have 1 to 2,000 characters",
				"/record/requestedEffects/1: is not in the vocabulary: waive_safety_blocker, reopen_settled_obligation, change_parent_record, show_private_details",
				"/record/standing: may not be null; leave it out if there is none",
				"/record/evidenceScope/items/1: must be an id: a letter or digit, then up to 127 letters, digits or . _ : -",
			}},
		"an envelope": {`{"Table": "CANARY", "record": [], "private": 1}`,
			[]string{"/table: " + absentMember, "has a member name in the wrong case; it must be table", "/record: must be an object", "/private: must be an object"}},
		"another table": {`{"table": "trade_challenge_appeal_enforcement_records", "record": {"CANARY": 1}}`,
			[]string{"/table: must be one of the four packet tables"}},
		"nothing":  {`{}`, []string{"/record: " + absentMember, "/table: " + absentMember}},
		"an array": {`["CANARY"]`, []string{"must be an object"}},
		"twice":    {`{"table": 1, "table": 2, "CANARY": 3}`, []string{"duplicate member name"}},
		"a nameless member": {`{"table": "trade_appeal_policies", "record": {"": "CANARY", "policyId": "p", "policyVersion": 1, "contractVersion": "v", "status": "draft"}}`,
			[]string{"/record: " + unknownMember}},
	} {
		if got := explained(t, false, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestEveryFaultOfAnInputIsFound(t *testing.T) {
	got := explained(t, true, `{"table": "trade_appeal_cases", "at": "CANARY", "latestRevision": -1, "latestPolicyVersion": 0, "CANARY": 1,
		"policy": {"policyId": "p", "policyVersion": 1.5, "contractVersion": "v", "status": "CANARY"}, "record": {"caseId": 7}}`)
	want := []string{
		"/at: must be a time in UTC such as 2026-01-31T09:00:00Z",
		"/latestRevision: must be an integer of 0 or more, below 2^53",
		unknownMember,
		"/policy/policyVersion: must be an integer of 1 or more, below 2^53",
		"/policy/status: is not in the vocabulary: draft, frozen, superseded, retired",
		"/record/contractVersion: " + absentMember, "/record/revision: " + absentMember, "/record/status: " + absentMember,
		"/record/caseId: must be an id: a letter or digit, then up to 127 letters, digits or . _ : -",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if got := explained(t, true, `{"table": "trade_appeal_policies", "at": "2026-01-01T00:00:00Z"}`); !slices.Equal(got,
		[]string{"/table: must be the table of appeal cases or of amendment records"}) {
		t.Errorf("a policy table: %q", got)
	}
}

func TestHugeNumbersAndCrowdsAreNotExplainedAtLength(t *testing.T) {
	start := time.Now()
	const packet = `{"table": "trade_appeal_cases", "record": {"caseId": "c", "revision": 1, "contractVersion": "v", "status": "filed", "evidenceScope": {"items": [%s]}}}`
	huge := strings.TrimSuffix(strings.Repeat("1e1000000,", 100), ",")
	for name, c := range map[string]struct {
		items string
		most  int
	}{
		"one huge exponent":      {"1e10000000", 1},
		"a hundred of them":      {huge, 1},
		"of a list the first":    {strings.TrimSuffix(strings.Repeat(`"a b",`, 5000), ","), 1},
		"more than are gone by":  {strings.TrimSuffix(strings.Repeat(`"a b",`, 1<<15), ","), 1},
		"a record of over 1 MiB": {strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("a ", 1000)+`",`, 600), ","), 1},
	} {
		if got := explained(t, false, fmt.Sprintf(packet, c.items)); len(got) != c.most {
			t.Errorf("%s: %d faults, the first %s", name, len(got), got[0])
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestTheEnvelopesAndTheReaderAgreeOnEveryOddity(t *testing.T) {
	var reader packets.Reader
	taken, refused := 0, 0
	for _, question := range []bool{false, true} {
		members := []string{"table", "record", "private"}
		if question {
			members = []string{"table", "at", "policy", "record", "latestPolicyVersion", "latestRevision"}
		}
		for _, member := range members {
			for _, odd := range oddities {
				parts := map[string]any{"table": "trade_appeal_cases", "at": "2026-01-31T09:00:00Z",
					"record": raw(`{"caseId": "c", "revision": 1, "contractVersion": "v", "status": "filed"}`)}
				if !question {
					delete(parts, "at")
				}
				parts[member] = odd
				read := func() *json.Fault {
					_, fault := reader.Read(appendText(nil, parts))
					if question {
						_, fault = rules.ReadInput(&reader, appendText(nil, parts))
					}
					return fault
				}
				if read() != nil {
					refused++
					continue
				}
				taken++
				parts["x"] = 1
				if got := explained(t, question, string(appendText(nil, parts))); len(got) != 1 {
					t.Errorf("%s of %v: %q", member, odd, got)
				}
			}
		}
	}
	if taken < 20 || refused < 200 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}
