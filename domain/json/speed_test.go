package json_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"docket/domain/json"
)

// recordOf3KB is an amendment as a producer would send it: members in the order
// in which people think of them, a space here and there, a text with escapes.
func recordOf3KB() []byte {
	var b strings.Builder
	hash := func(c string) string { return "sha256:" + strings.Repeat(c, 64) }
	fmt.Fprintf(&b, `{"table": "trade_agreement_amendment_records", "record": {
  "amendmentId": "amd-000417", "revision": 3, "contractVersion": "1.0.0", "ownerId": "owner-27",
  "state": "applied", "agreementId": "agr-99120", "policyId": "pol-amend", "policyVersion": 4,
  "policyHash": %q, "transition": "donation_offset_material_change", "subjectType": "locked_donation_offset",
  "amendmentType": "schedule_change", "confirmationState": "confirmed", "beforeTermsHash": %q,
  "afterTermsHash": %q, "changedTerms": ["schedule", "wording", "amount"],
  "parentRecord": {"hashAtLock": %q, "hashObserved": %q},
  "effects": {"exposureIncrease": false, "fundsRedirect": false, "compensationChange": true, "privacyChange": false,
    "donorOfRecordChange": false, "thirdPartyObligationChange": false, "retroactivePerformance": false,
    "evidenceClaimRetyped": false, "cancellationRightsNarrowed": false},
  "requiredParties": ["party-1", "party-2", "party-3"], "confirmations": [`,
		hash("a"), hash("b"), hash("c"), hash("d"), hash("d"))
	for i := 1; i <= 3; i++ {
		fmt.Fprintf(&b, `%s{"partyRef": "party-%d", "covers": ["compensationChange"], "termsHash": %q, "confirmedAt": "2026-03-0%dT10:00:00Z", "expiresAt": "2027-03-0%dT10:00:00Z"}`,
			strings.Repeat(",", min(1, i-1)), i, hash("c"), i, i)
	}
	fmt.Fprintf(&b, `],
  "originalDeciderId": "rev-5", "neutralReview": {"assigned": true, "reviewerId": "rev-9", "conflictChecked": true,
    "conflictFound": false, "recusedReviewerIds": ["rev-5", "rev-6"]},
  "notice": {"state": "delivered", "deliveredAt": "2026-02-20T08:30:00Z"}, "reviewerQuality": {"criteriaMet": true},
  "baselineIntegrity": {"verified": true}, "destinationReview": {"completed": true},
  "policySnapshotBundle": {"subject": "agreement_amendment", "policyHash": %q}, "weights": [0.25, 12.5, 1e3, -7],
  "note": "Die Gr\u00fc\u00dfe \"folgen\",\nso heißt es; %s", "amendmentHash": %q}}`,
		hash("a"), strings.Repeat("plain words follow one another, ", 8), hash("e"))
	return []byte(b.String())
}

func BenchmarkOf3KB(b *testing.B) {
	src := recordOf3KB()
	var doc json.Document
	var out []byte
	parse := func(b *testing.B) {
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			b.Fatal(fault)
		}
	}
	canonical := func(b *testing.B) {
		parse(b)
		out = doc.Root().Member("record").AppendCanonical(out[:0], "amendmentHash")
	}
	for name, do := range map[string]func(*testing.B){"parse": parse, "parse and canonical": canonical,
		"parse, canonical and hash": func(b *testing.B) { canonical(b); sha256.Sum256(out) }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				do(b)
			}
		})
	}
}

func TestReusedDocumentDoesNotAllocate(t *testing.T) {
	src := recordOf3KB()
	var doc json.Document
	var out []byte
	allocs := testing.AllocsPerRun(100, func() {
		if fault := doc.Parse(src, json.Limits{}); fault != nil {
			t.Fatal(fault)
		}
		record := doc.Root().Member("record")
		out = record.AppendCanonical(out[:0], "amendmentHash")
		out = record.AppendMembers(out[:0], nil, "amendmentId", "revision")
		out = record.AppendCanonicalWith(out[:0], "", func(dst []byte, _ json.Value) ([]byte, bool) { return dst, false })
	})
	if allocs != 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
