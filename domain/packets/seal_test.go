package packets_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
)

// unsealed are the packets of a scene as somebody writes them by hand, the policy first.
func unsealed(s domaintest.Scene) []map[string]any {
	return []map[string]any{{"table": s.TableOf("policy"), "record": s["policy"]},
		{"table": s.TableOf("record"), "record": s["record"]}}
}

func sealed(t domaintest.TB, sealer *packets.Sealer, packet map[string]any) map[string]any {
	t.Helper()
	text, fault := sealer.Seal(domaintest.Encoded(packet))
	if fault != nil {
		t.Fatalf("not sealed: %v", fault)
	}
	document := domaintest.Parsed(string(text))
	if string(domaintest.CanonicalForm(document)) != string(text) {
		t.Fatalf("not in canonical form: %s", text)
	}
	return document
}

// Hashes that no longer fit are replaced; of all else nothing is changed, also of texts that other programs escape. Sealing twice
// changes nothing.
func TestSealingFillsInTheHashesOfTheSpecification(t *testing.T) {
	samples := domaintest.Passing()
	other := domaintest.Appeal()
	other.Record()["caseHash"], other.Record()["scopeHash"] = domaintest.OtherHash, domaintest.OtherHash
	other.Make(domaintest.Set("/record/remedyGap", "<&> \u2028 \u2029 \x7f \\u0041 \" 🙂 \u0001 é"))
	samples["an appeal with other hashes"] = other
	for name, s := range samples {
		var sealer, again packets.Sealer
		packets := unsealed(s)
		policy := sealed(t, &sealer, packets[0])["record"].(map[string]any)
		record := sealed(t, &sealer, packets[1])["record"].(map[string]any)
		if want := domaintest.HashOf(domaintest.Without(policy, "policyHash")); policy["policyHash"] != want || record["policyHash"] != want {
			t.Errorf("%s: policyHash %v and %v, want %s", name, policy["policyHash"], record["policyHash"], want)
		}
		own := s.OwnHash("record")
		if want := domaintest.HashOf(domaintest.Without(record, own)); record[own] != want {
			t.Errorf("%s: %s %v, want %s", name, own, record[own], want)
		}
		if own == "caseHash" {
			if want := domaintest.HashOf(domaintest.Only(record, "subject", "subjectId", "evidenceScope")); record["scopeHash"] != want {
				t.Errorf("%s: scopeHash %v, want %s", name, record["scopeHash"], want)
			}
		} else if bundle := record["policySnapshotBundle"].(map[string]any); bundle["policyHash"] != policy["policyHash"] {
			t.Errorf("%s: the bundle has %v", name, bundle["policyHash"])
		}
		for _, packet := range packets {
			once := sealed(t, &sealer, packet)
			if twice := sealed(t, &again, once); string(domaintest.Encoded(twice)) != string(domaintest.Encoded(once)) {
				t.Errorf("once  %s\ntwice %s", domaintest.Encoded(once), domaintest.Encoded(twice))
			}
		}
		for member, value := range packets[1]["record"].(map[string]any) {
			if member != "policySnapshotBundle" && value != domaintest.OtherHash && string(domaintest.Encoded(record[member])) != string(domaintest.Encoded(value)) {
				t.Errorf("%s: %s was changed to %s", name, member, domaintest.Encoded(record[member]))
			}
		}
	}
}

// Only a policy that was sealed before, under that very name, lends its hash; one that is there already stays.
func TestSealingTakesThePolicyHashFromTheNamedPolicyOnly(t *testing.T) {
	for name, test := range map[string]struct {
		edits []domaintest.Edit
		want  func(policyHash any) any
	}{
		"as it is":         {nil, func(hash any) any { return hash }},
		"hash is there":    {[]domaintest.Edit{domaintest.Set("/record/policyHash", domaintest.OtherHash)}, func(any) any { return domaintest.OtherHash }},
		"other policy":     {[]domaintest.Edit{domaintest.Set("/record/policyId", "other")}, func(any) any { return nil }},
		"other version":    {[]domaintest.Edit{domaintest.Set("/record/policyVersion", 9)}, func(any) any { return nil }},
		"no policy named":  {[]domaintest.Edit{domaintest.Del("/record/policyId")}, func(any) any { return nil }},
		"no version named": {[]domaintest.Edit{domaintest.Del("/record/policyVersion")}, func(any) any { return nil }},
	} {
		for _, from := range []func() domaintest.Scene{domaintest.Appeal, domaintest.Correction} {
			var sealer packets.Sealer
			s := from()
			s.Apply(domaintest.BeforeSealing, test.edits)
			packets := unsealed(s)
			policy := sealed(t, &sealer, packets[0])["record"].(map[string]any)
			record := sealed(t, &sealer, packets[1])["record"].(map[string]any)
			if want := test.want(policy["policyHash"]); record["policyHash"] != want {
				t.Errorf("%s: %v, want %v", name, record["policyHash"], want)
			}
		}
	}
	// The areas do not share policies, even of one name.
	var sealer packets.Sealer
	s := domaintest.Correction()
	s["policy"].(map[string]any)["policyId"], s["policy"].(map[string]any)["policyVersion"] = "appeal-policy", 3
	sealed(t, &sealer, unsealed(s)[0])
	if record := sealed(t, &sealer, unsealed(domaintest.Appeal())[1])["record"].(map[string]any); record["policyHash"] != nil {
		t.Error("a case got the hash of an amendment policy")
	}
}

func TestSealingDropsPrivateMembersAndRefusesPrivateDetails(t *testing.T) {
	var sealer packets.Sealer
	packet := unsealed(domaintest.Appeal())[1]
	packet["private"] = map[string]any{"reviewer_note": "canary"}
	if document := sealed(t, &sealer, packet); len(document) != 2 || strings.Contains(string(domaintest.Encoded(document)), "canary") {
		t.Errorf("%s", domaintest.Encoded(document))
	}
	for pointer, text := range map[string][2]string{
		"/record/remedyGap":                   {"Write to canary@example.org.", "e-mail address"},
		"/record/standing/privacySafeSummary": {"Call canary: +49 171 2345678", "phone number"},
		"/record/evidenceScope/statement":     {"canary@example.org +49 171 2345678", "e-mail address, phone number"},
	} {
		s := domaintest.Appeal()
		s.Make(domaintest.Set(pointer, text[0]))
		out, fault := sealer.Seal(domaintest.Encoded(unsealed(s)[1]))
		if fault == nil || out != nil || fault.Pointer != pointer || strings.Contains(fault.Error(), "canary") ||
			fault.Reason != "holds private details that have to be taken out first: "+text[1] {
			t.Errorf("%s: %v", pointer, fault)
		}
	}
}
