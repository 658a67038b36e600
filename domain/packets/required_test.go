package packets_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/shape"
	"docket/domain/terms"
)

// envelopes are refused for what stands around the record.
var envelopes = []struct{ text, pointer, reason string }{
	{``, "", "empty input"},
	{`  `, "", "empty input"},
	{`null`, "", "must be an object"},
	{`"canary"`, "", "must be an object"},
	{`[]`, "", "must be an object"},
	{`{}`, "/record", "is required and absent"},
	{`{"record": {}}`, "/table", "is required and absent"},
	{`{"table": "trade_appeal_cases"}`, "/record", "is required and absent"},
	{`{"table": "canary", "record": {}}`, "/table", "is not in the vocabulary: table"},
	{`{"table": 5, "record": {}}`, "/table", "must be a string"},
	{`{"table": null, "record": {}}`, "/table", wantNoNull},
	{`{"table": "trade_challenge_appeal_enforcement_records", "record": {}}`,
		"/table", "must be one of the four packet tables"},
	{`{"table": "trade_agreement_amendment_enforcement_records", "record": {}}`,
		"/table", "must be one of the four packet tables"},
	{`{"table": "trade_appeal_cases", "record": null}`, "/record", wantNoNull},
	{`{"table": "trade_appeal_cases", "record": ["canary"]}`, "/record", "must be an object"},
	{`{"table": "trade_appeal_cases", "record": {}, "private": null}`, "/private", wantNoNull},
	{`{"table": "trade_appeal_cases", "record": {}, "private": ["canary"]}`, "/private", "must be an object"},
	{`{"table": "trade_appeal_cases", "record": {}, "private": "canary"}`, "/private", "must be an object"},
	{`{"table": "trade_appeal_cases", "record": {}, "canary": 1}`, "", unknownMember},
	{`{"table": "trade_appeal_cases", "record": {}, "Private": {"canary": 1}}`, "",
		"has a member name in the wrong case; it must be private"},
	{`{"table": "trade_appeal_cases", "record": {}, "record": {}}`, "", "duplicate member name"},
	{`{"table": "trade_appeal_cases", "record": {}} canary`, "", "bytes after the value"},
	{`{"table": "trade_appeal_cases", "record": {}} {}`, "", "bytes after the value"},
	{`{"table": "trade_appeal_cases", "record": {"canary`, "/record", "the JSON stops early; it may be cut off"},
	{"\ufeff{}", "", "byte order mark"},
	{`{"table": "trade_appeal_cases", "record": {}, "private": {"canary": {"canary": 1, "canary": 2}}}`,
		"/private", "duplicate member name"},
	{`{"table": "trade_appeal_cases", "record": {}, "private": {"record": {"deadline": 01}}}`,
		"/private", "malformed number"},
	{`{"table": "trade_appeal_cases", "record": {}, "private": {"contact_data": [[1e999999999]]}}`,
		"/private", "a number of 2^53 or more"},
	{`{"table": 01}`, "/table", "malformed number"},
	{`{"canary": {"record": {"deadline": 01}}}`, "", "malformed number"},
	{`{"canary": ["record", 01]}`, "", "malformed number"},
}

func TestEnvelopesAreReadAsStrictlyAsRecords(t *testing.T) {
	var reader packets.Reader
	for _, e := range envelopes {
		_, fault := reader.Read([]byte(e.text))
		expectFault(t, fault, e.pointer, e.reason)
	}
}

// questions are refused for what stands around policy and record.
var questions = []struct{ text, pointer, reason string }{
	{`{"table": "trade_appeal_cases"}`, "/at", "is required and absent"},
	{`{"at": "` + domaintest.Now + `"}`, "/table", "is required and absent"},
	{`{"at": "canary", "table": "trade_appeal_cases"}`, "/at", wantTime},
	{`{"at": null, "table": "trade_appeal_cases"}`, "/at", wantNoNull},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_policies"}`,
		"/table", "must be the table of appeal cases or of amendment records"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_agreement_amendment_policies"}`,
		"/table", "must be the table of appeal cases or of amendment records"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_challenge_appeal_enforcement_records"}`,
		"/table", "must be the table of appeal cases or of amendment records"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "latestRevision": -1}`, "/latestRevision", wantCount},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "latestPolicyVersion": "canary"}`,
		"/latestPolicyVersion", wantCount},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "latestPolicyVersion": 0.5}`, "/latestPolicyVersion", wantCount},
	{`{"at": 01, "table": "trade_appeal_cases"}`, "/at", "malformed number"},
	{`{"latestRevision": 01, "table": "trade_appeal_cases"}`, "/latestRevision", "malformed number"},
	{`{"latestPolicyVersion": 01, "table": "trade_appeal_cases"}`, "/latestPolicyVersion", "malformed number"},
	{`{"policy": {"frozenAt": 01}}`, "/policy/frozenAt", "malformed number"},
	{`{"policy": {"canary": {"frozenAt": 01}}}`, "/policy", "malformed number"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "policy": []}`, "/policy", "must be an object"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "policy": {"canary": 1}}`, "/policy", unknownMember},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "policy": {}}`,
		"/policy/contractVersion", "is required and absent"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "record": {}}`, "/record/caseId", "is required and absent"},
	{`{"at": "` + domaintest.Now + `", "table": "trade_appeal_cases", "private": {"canary": 1}}`, "", unknownMember},
	{`{"at": "` + domaintest.Now + `", "table": "trade_agreement_amendment_records", "policy": {"policyId": "p", "policyVersion": 1,
		"contractVersion": "c", "status": "retired"}}`, "/policy/status", "is not in the vocabulary: amendment policy status"},
}

const wantCount = "must be an integer of 0 or more, below 2^53"

func TestInputsAreReadAsStrictlyAsPackets(t *testing.T) {
	var reader packets.Reader
	for _, q := range questions {
		_, fault := rules.ReadInput(&reader, []byte(q.text))
		expectFault(t, fault, q.pointer, q.reason)
	}
}

// Only the members that identify a record have to be there; all other absences are for the rules to judge.
func TestRequiredMembersAreThoseOfTheSpecification(t *testing.T) {
	for table, required := range requiredMembers {
		word, err := terms.Tables.Parse(table)
		info, ok := packets.Info(word)
		if err != nil || !ok {
			t.Fatalf("%s: %v", table, err)
		}
		members := domaintest.Parsed("{" + required + "}")
		for _, m := range info.Shape.Members {
			if _, wanted := members[m.Name]; m.Required != wanted {
				t.Errorf("%s of %s is required: %v", m.Name, table, m.Required)
			}
			if nullable := slices.Contains([]string{"effectiveUntil", "requestedOutcome"}, m.Name); m.Nullable != nullable {
				t.Errorf("%s of %s may be null: %v", m.Name, table, m.Nullable)
			}
			strict := func(n shape.MemberShape) bool { return n.Required || n.Nullable }
			if m.Form.Shape != nil && slices.ContainsFunc(m.Form.Shape.Members, strict) {
				t.Errorf("a member of %s of %s is required or may be null", m.Name, table)
			}
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet(table, "")); fault != nil {
			t.Errorf("%s: %v", table, fault)
		}
		for name := range members {
			_, fault := reader.Read(domaintest.Encoded(map[string]any{"table": table, "record": domaintest.Without(members, name)}))
			expectFault(t, fault, "/record/"+name, "is required and absent")
			spoiled := strings.Replace(string(packet(table, "")), `"`+name+`"`, `"`+strings.ToUpper(name)+`"`, 1)
			if _, fault := reader.Read([]byte(spoiled)); fault == nil {
				t.Errorf("%s in capitals is accepted", name)
			}
		}
		if _, ok := packets.Info(0); ok {
			t.Error("no table is described")
		}
	}
}
