package packets_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/shape"
)

// refusals are packets that are refused, by the pointer and the reason. A packet is written as its record's members
// behind those that are required; every odd value or name is a canary, which no refusal may repeat.
var refusals = []struct{ name, table, members, pointer, reason string }{
	{"object wanted", "trade_appeal_cases", `"standing": "canary"`, "/record/standing", "must be an object"},
	{"object wanted, list given", "trade_appeal_cases", `"standing": ["canary"]`, "/record/standing", "must be an object"},
	{"list wanted", "trade_appeal_cases", `"requestedEffects": "canary"`, "/record/requestedEffects", "must be an array"},
	{"list of ids wanted", "trade_appeal_cases", `"evidenceScope": {"items": {"canary": 1}}`,
		"/record/evidenceScope/items", "must be an array"},
	{"list of objects wanted", "trade_agreement_amendment_records", `"confirmations": {"canary": 1}`,
		"/record/confirmations", "must be an array"},
	{"object wanted in a list", "trade_agreement_amendment_records", `"confirmations": [{}, "canary"]`,
		"/record/confirmations/1", "must be an object"},
	{"text wanted", "trade_appeal_cases", `"remedyGap": 5`, "/record/remedyGap", "must be a string"},
	{"word wanted", "trade_appeal_cases", `"subject": 5`, "/record/subject", "must be a string"},
	{"word wanted in a list", "trade_appeal_cases", `"requestedEffects": [5]`,
		"/record/requestedEffects/0", "must be a string"},
	{"id wanted", "trade_appeal_cases", `"subjectId": "can ary"`, "/record/subjectId", wantID},
	{"id wanted, number given", "trade_appeal_cases", `"subjectId": 17`, "/record/subjectId", wantID},
	{"id wanted in a list", "trade_agreement_amendment_records", `"requiredParties": ["a", "b", ""]`,
		"/record/requiredParties/2", wantID},
	{"time wanted", "trade_appeal_cases", `"deadline": "canary"`, "/record/deadline", wantTime},
	{"time wanted, number given", "trade_appeal_cases", `"deadline": 1781524800`, "/record/deadline", wantTime},
	{"time wanted in a list", "trade_agreement_amendment_records", `"confirmations": [{}, {"expiresAt": "canary"}]`,
		"/record/confirmations/1/expiresAt", wantTime},
	{"hash wanted", "trade_appeal_cases", `"caseHash": "canary"`, "/record/caseHash", wantHash},
	{"hash wanted, true given", "trade_appeal_cases", `"scopeHash": true`, "/record/scopeHash", wantHash},
	{"version wanted", "trade_appeal_cases", `"policyVersion": "canary"`, "/record/policyVersion", wantVersion},
	{"version of 1 wanted", "trade_appeal_cases", `"policyVersion": 0`, "/record/policyVersion", wantVersion},
	{"whole version wanted", "trade_appeal_cases", `"policyVersion": 1.5`, "/record/policyVersion", wantVersion},
	{"flag wanted", "trade_appeal_cases", `"standing": {"accepted": "canary"}`,
		"/record/standing/accepted", "must be true or false"},
	{"flag wanted, 1 given", "trade_agreement_amendment_records", `"effects": {"privacyChange": 1}`,
		"/record/effects/privacyChange", "must be true or false"},
	{"no word of it", "trade_appeal_cases", `"trigger": "canary"`,
		"/record/trigger", "is not in the vocabulary: appeal trigger"},
	{"word in capitals", "trade_appeal_cases", `"trigger": "Duplicate_Proof"`,
		"/record/trigger", "is not in the vocabulary: appeal trigger"},
	{"empty word", "trade_appeal_cases", `"trigger": ""`, "/record/trigger", "is not in the vocabulary: appeal trigger"},
	{"no word of it in a list", "trade_agreement_amendment_records", `"changedTerms": ["wording",
		"canary"]`, "/record/changedTerms/1",
		"is not in the vocabulary: changed term"},
	{"no word of it in a rule", "trade_appeal_policies", `"outcomeRules": {"duplicate_proof": {"advisory": "canary"}}`,
		"/record/outcomeRules/duplicate_proof/advisory", "is not in the vocabulary: outcome"},
	{"text too short", "trade_appeal_cases", `"remedyGap": ""`, "/record/remedyGap", "must have 1 to 2,000 characters"},
	{"a mask that did not come from a store", "trade_appeal_cases", `"remedyGap": {"masked": ["e-mail address"]}`,
		"/record/remedyGap", "must be a string"},
	{"null", "trade_appeal_cases", `"deadline": null`, "/record/deadline", wantNoNull},
	{"null in an object", "trade_appeal_cases", `"notice": {"state": null}`, "/record/notice/state", wantNoNull},
	{"null for an object", "trade_agreement_amendment_records", `"effects": null`, "/record/effects", wantNoNull},
	{"null in a list of ids", "trade_agreement_amendment_records", `"requiredParties": [null]`,
		"/record/requiredParties/0", wantID},
	{"null in a list of objects", "trade_agreement_amendment_records", `"confirmations": [null]`,
		"/record/confirmations/0", "must be an object"},
	{"null of a required member", "trade_appeal_cases", `"originalDeciderId": null`,
		"/record/originalDeciderId", wantNoNull},
	{"unknown member", "trade_appeal_cases", `"canary": 1`, "/record", unknownMember},
	{"unknown member that sorts first", "trade_appeal_cases", `"AAAcanary": 1`, "/record", unknownMember},
	{"unknown member that sorts last", "trade_appeal_cases", `"zcanary": 1`, "/record", unknownMember},
	{"unknown member beyond ASCII", "trade_appeal_cases", `"cänary🙂": 1`, "/record", unknownMember},
	{"empty member name", "trade_appeal_cases", `"": "canary"`, "/record", unknownMember},
	{"unknown member of an object", "trade_appeal_cases", `"standing": {"canary": 1}`, "/record/standing", unknownMember},
	{"unknown member in a list", "trade_agreement_amendment_records", `"confirmations": [{}, {"canary": 1}]`,
		"/record/confirmations/1", unknownMember},
	{"unknown trigger in the rules", "trade_appeal_policies", `"outcomeRules": {"canary": {}}`,
		"/record/outcomeRules", unknownMember},
	{"a member of another table", "trade_appeal_cases", `"effects": {}`, "/record", unknownMember},
	{"null of an unknown member", "trade_appeal_cases", `"canary": null`, "/record", unknownMember},
	{"member in capitals", "trade_appeal_cases", `"DEADLINE": "canary"`,
		"/record", "has a member name in the wrong case; it must be deadline"},
	{"member with a long s", "trade_appeal_cases", `"ſtanding": {}`,
		"/record", "has a member name in the wrong case; it must be standing"},
	{"member of an object in capitals", "trade_appeal_cases", `"notice": {"State": "canary"}`, "/record/notice",
		"has a member name in the wrong case; it must be state"},

	{"member twice", "trade_appeal_cases", `"deadline": 1, "deadline": 2`, "/record", "duplicate member name"},
	{"member twice, once escaped", "trade_appeal_cases", `"deadline": 1, "deadl\u0069ne": 2`,
		"/record", "duplicate member name"},
	{"unknown member twice", "trade_appeal_cases", `"canary": {"canary": 1, "canary": 2}`,
		"/record", "duplicate member name"},
	{"broken number", "trade_appeal_cases", `"policyVersion": 01`, "/record/policyVersion", "malformed number"},
	{"broken number below an unknown member", "trade_appeal_cases", `"canary": {"policyVersion": 01}`,
		"/record", "malformed number"},
	{"broken number below a known one", "trade_agreement_amendment_records", `"confirmations": [{}, {"expiresAt": [01]}]`,
		"/record/confirmations/1/expiresAt/0", "malformed number"},
	{"half a character", "trade_appeal_cases", `"remedyGap": "canary\ud800"`,
		"/record/remedyGap", "lone surrogate in a string"},
	{"broken UTF-8", "trade_appeal_cases", "\"remedyGap\": \"canary\xff\"", "/record/remedyGap", "invalid UTF-8"},
	{"raw control character", "trade_appeal_cases", "\"remedyGap\": \"canary\x01\"",
		"/record/remedyGap", "raw control character in a string"},
}

const (
	wantID        = "must be an id: a letter or digit, then up to 127 letters, digits or . _ : -"
	wantTime      = "must be a time in UTC such as 2026-01-31T09:00:00Z"
	wantHash      = "must be sha256: and 64 lower-case hex digits"
	wantVersion   = "must be an integer of 1 or more, below 2^53"
	wantNoNull    = "may not be null; leave it out if there is none"
	unknownMember = "has a member that is not known; it is not shown, because it may be private"
)

// required are the members that a record of the table must have.
var requiredMembers = map[string]string{
	"trade_appeal_policies":              `"policyId": "p", "policyVersion": 1, "contractVersion": "c", "status": "draft"`,
	"trade_appeal_cases":                 `"caseId": "c", "revision": 1, "contractVersion": "c", "status": "draft"`,
	"trade_agreement_amendment_policies": `"policyId": "p", "policyVersion": 1, "contractVersion": "c", "status": "draft"`,
	"trade_agreement_amendment_records": `"amendmentId": "a", "revision": 1, "contractVersion": "c", "ownerId": "o",
		"state": "draft"`,
}

func packet(table, members string) []byte {
	if members != "" {
		members = ", " + members
	}
	return []byte(`{"table": "` + table + `", "record": {` + requiredMembers[table] + members + `}}`)
}

func TestRefusalsPointAtTheFaultAndRepeatNothing(t *testing.T) {
	var reader packets.Reader
	for _, r := range refusals {
		t.Run(r.name, func(t *testing.T) {
			u, fault := reader.Read(packet(r.table, r.members))
			expectFault(t, fault, r.pointer, r.reason)
			if u.Table() != 0 || u.Redact().Document() != nil {
				t.Error("something of it was read all the same")
			}
			question := strings.Replace(string(packet(r.table, r.members)), `"table": "`+r.table+`"`,
				`"table": "`+r.table+`", "at": "`+domaintest.Now+`"`, 1)
			if !strings.Contains(r.table, "policies") { // as a question it is refused just so
				_, fault = rules.ReadInput(&reader, []byte(question))
				expectFault(t, fault, r.pointer, r.reason)
			}
		})
	}
}

func expectFault(t *testing.T, fault *shape.Fault, pointer, reason string) {
	t.Helper()
	if fault == nil {
		t.Fatal("accepted")
	}
	if fault.Pointer != pointer || fault.Reason != reason {
		t.Errorf("got  %s: %s\nwant %s: %s", fault.Pointer, fault.Reason, pointer, reason)
	}
	if pointed := pointer + ": " + reason; fault.Error() != strings.TrimPrefix(pointed, ": ") {
		t.Errorf("as an error it reads %q", fault.Error())
	}
	if text := fault.Error(); strings.Contains(text, "canary") || strings.Contains(text, "cänary") {
		t.Errorf("it repeats what may be private: %s", text)
	}
}
