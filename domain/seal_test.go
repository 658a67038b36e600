package domain_test

import (
	"strings"
	"testing"

	"docket/domain"
)

// unsealed are the packets of a scene as somebody writes them by hand, the policy first.
func unsealed(s scene) []map[string]any {
	return []map[string]any{{"table": s.tableOf("policy"), "record": s["policy"]},
		{"table": s.tableOf("record"), "record": s["record"]}}
}

func sealed(t tb, sealer *domain.Sealer, packet map[string]any) map[string]any {
	t.Helper()
	text, fault := sealer.Seal(encoded(packet))
	if fault != nil {
		t.Fatalf("not sealed: %v", fault)
	}
	document := parsed(string(text))
	if string(canonicalForm(t, document)) != string(text) {
		t.Fatalf("not in canonical form: %s", text)
	}
	return document
}

func TestSealingFillsInTheHashesOfTheSpecification(t *testing.T) {
	for name, s := range passing() {
		var sealer domain.Sealer
		packets := unsealed(s)
		policy := sealed(t, &sealer, packets[0])["record"].(map[string]any)
		record := sealed(t, &sealer, packets[1])["record"].(map[string]any)
		if want := hashOf(t, without(policy, "policyHash")); policy["policyHash"] != want || record["policyHash"] != want {
			t.Errorf("%s: policyHash %v and %v, want %s", name, policy["policyHash"], record["policyHash"], want)
		}
		own := s.ownHash("record")
		if want := hashOf(t, without(record, own)); record[own] != want {
			t.Errorf("%s: %s %v, want %s", name, own, record[own], want)
		}
		if own == "caseHash" {
			if want := hashOf(t, only(record, "subject", "subjectId", "evidenceScope")); record["scopeHash"] != want {
				t.Errorf("%s: scopeHash %v, want %s", name, record["scopeHash"], want)
			}
		} else if bundle := record["policySnapshotBundle"].(map[string]any); bundle["policyHash"] != policy["policyHash"] {
			t.Errorf("%s: the bundle has %v", name, bundle["policyHash"])
		}
		for member, value := range packets[1]["record"].(map[string]any) {
			if member != "policySnapshotBundle" && string(encoded(record[member])) != string(encoded(value)) {
				t.Errorf("%s: %s was changed to %s", name, member, encoded(record[member]))
			}
		}
	}
}

func TestSealingTwiceChangesNothing(t *testing.T) {
	for _, s := range passing() {
		var first, second domain.Sealer
		for _, packet := range unsealed(s) {
			once := sealed(t, &first, packet)
			if twice := sealed(t, &second, once); string(encoded(twice)) != string(encoded(once)) {
				t.Errorf("once  %s\ntwice %s", encoded(once), encoded(twice))
			}
		}
	}
}

func TestSealingReplacesHashesThatNoLongerFit(t *testing.T) {
	var sealer domain.Sealer
	s := appeal()
	s.record()["caseHash"], s.record()["scopeHash"] = otherHash, otherHash
	record := sealed(t, &sealer, unsealed(s)[1])["record"].(map[string]any)
	if record["caseHash"] != hashOf(t, without(record, "caseHash")) ||
		record["scopeHash"] != hashOf(t, only(record, "subject", "subjectId", "evidenceScope")) {
		t.Errorf("%s", encoded(record))
	}
}

// Only a policy that was sealed before, under that very name, lends its hash; one that is there already stays.
func TestSealingTakesThePolicyHashFromTheNamedPolicyOnly(t *testing.T) {
	for name, test := range map[string]struct {
		edits []edit
		want  func(policyHash any) any
	}{
		"as it is":         {nil, func(hash any) any { return hash }},
		"hash is there":    {[]edit{set("/record/policyHash", otherHash)}, func(any) any { return otherHash }},
		"other policy":     {[]edit{set("/record/policyId", "other")}, func(any) any { return nil }},
		"other version":    {[]edit{set("/record/policyVersion", 9)}, func(any) any { return nil }},
		"no policy named":  {[]edit{del("/record/policyId")}, func(any) any { return nil }},
		"no version named": {[]edit{del("/record/policyVersion")}, func(any) any { return nil }},
	} {
		for _, from := range []func() scene{appeal, correction} {
			var sealer domain.Sealer
			s := from()
			s.apply(t, beforeSealing, test.edits)
			packets := unsealed(s)
			policy := sealed(t, &sealer, packets[0])["record"].(map[string]any)
			record := sealed(t, &sealer, packets[1])["record"].(map[string]any)
			if want := test.want(policy["policyHash"]); record["policyHash"] != want {
				t.Errorf("%s: %v, want %v", name, record["policyHash"], want)
			}
		}
	}
	// The areas do not share policies, even of one name.
	var sealer domain.Sealer
	s := correction()
	s["policy"].(map[string]any)["policyId"], s["policy"].(map[string]any)["policyVersion"] = "appeal-policy", 3
	sealed(t, &sealer, unsealed(s)[0])
	if record := sealed(t, &sealer, unsealed(appeal())[1])["record"].(map[string]any); record["policyHash"] != nil {
		t.Error("a case got the hash of an amendment policy")
	}
}

func TestSealingDropsPrivateMembersAndRefusesPrivateDetails(t *testing.T) {
	var sealer domain.Sealer
	packet := unsealed(appeal())[1]
	packet["private"] = map[string]any{"reviewer_note": "canary"}
	if document := sealed(t, &sealer, packet); len(document) != 2 || strings.Contains(string(encoded(document)), "canary") {
		t.Errorf("%s", encoded(document))
	}
	for pointer, text := range map[string][2]string{
		"/record/remedyGap":                   {"Write to canary@example.org.", "e-mail address"},
		"/record/standing/privacySafeSummary": {"Call canary: +49 171 2345678", "phone number"},
		"/record/evidenceScope/statement":     {"canary@example.org +49 171 2345678", "e-mail address, phone number"},
	} {
		s := appeal()
		s.make(t, set(pointer, text[0]))
		out, fault := sealer.Seal(encoded(unsealed(s)[1]))
		if fault == nil || out != nil || fault.Pointer != pointer || strings.Contains(fault.Error(), "canary") ||
			fault.Reason != "holds private details that have to be taken out first: "+text[1] {
			t.Errorf("%s: %v", pointer, fault)
		}
	}
}

func TestSealingIsAsStrictAsReading(t *testing.T) {
	var sealer domain.Sealer
	for _, r := range refusals {
		out, fault := sealer.Seal(packet(r.table, r.members))
		if out != nil {
			t.Errorf("%s is sealed", r.name)
		}
		expectFault(t, fault, r.pointer, r.reason)
	}
}

// Texts that other programs escape come out of a sealer as they went in.
func TestSealingKeepsEveryCharacter(t *testing.T) {
	const text = "<&> \u2028 \u2029 \x7f \\u0041 \" 🙂 \u0000 é"
	s := appeal()
	s.make(t, set("/record/remedyGap", text))
	var sealer domain.Sealer
	if got := sealed(t, &sealer, unsealed(s)[1])["record"].(map[string]any)["remedyGap"]; got != text {
		t.Errorf("%q", got)
	}
}
