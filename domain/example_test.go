package domain_test

import (
	"fmt"
	"time"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A packet is read strictly, redacted, and evaluated. The caller brings the time, and the latest numbers that it knows; what is not known blocks.
func Example() {
	const text = `{
		"table": "trade_appeal_cases",
		"record": {
			"caseId": "case-7", "revision": 1, "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed",
			"policyId": "policy-1", "policyVersion": 1, "subject": "evidence_row", "subjectId": "row-3", "trigger": "wrong_scope_evidence",
			"standing": {"category": "participant", "accepted": true},
			"filedAt": "2026-01-30T10:15:00Z", "redaction": {"status": "redacted"}
		},
		"private": {"private_narrative": ["This is counted and dropped."]}
	}`
	var reader packets.Reader
	unredacted, fault := reader.Read([]byte(text))
	if fault != nil {
		fmt.Println("refused:", fault)
		return
	}
	packet := unredacted.Redact()
	for _, r := range packet.Redactions() {
		fmt.Println("dropped:", r.Category, r.Count)
	}

	at := terms.InstantOf(time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC))
	noPolicy := packets.Packet{}
	view := views.New(noPolicy, packet, rules.Latest{Revision: 1}, at)
	evaluation := view.Evaluation()
	fmt.Println("gate:", evaluation.Gate())
	for _, code := range evaluation.Blockers() {
		fmt.Println("-", code)
	}
	fmt.Println("advice:", evaluation.AdvisoryOutcome())

	// Output:
	// dropped: private_narrative 1
	// gate: blocked
	// - appeal_policy_missing
	// - notice_missing
	// - deadline_missing
	// - neutral_review_missing
	// - scope_missing
	// - safety_blocker_waiver_attempted
	// - settled_obligation_reopen_attempted
	// - non_retaliation_missing
	// - evidence_scope_missing
	// - invalid_case_hash
	// advice: block_reliance
}
