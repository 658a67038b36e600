package verifytest

import (
	"encoding/json"
	"fmt"
	"maps"
)

// A Record is the record of a packet, before it is sealed.
type Record map[string]any

// With returns the record with some members set; a nil value removes one.
func (r Record) With(members Record) Record {
	changed := maps.Clone(r)
	for name, value := range members {
		if value == nil {
			delete(changed, name)
		} else {
			changed[name] = value
		}
	}
	return changed
}

// The people in the samples.
const (
	Assigned = "reviewer-7"
	Recused  = "reviewer-3"
	Decider  = "decider-1"
	Party    = "party-4" // to every case and amendment
)

// AppealPolicy returns a policy in force.
func AppealPolicy(id string, version int) Record {
	return parse(`{"contractVersion": "trade-challenge-appeal-v0.3", "status": "frozen",
		"frozenAt": "2026-01-05T09:00:00Z", "effectiveFrom": "2026-02-01T00:00:00Z", "effectiveUntil": null,
		"outcomeRules": {"wrong_scope_evidence": {"advisory": "open_challenge_window", "compatible": ["uphold_decision",
			"request_evidence", "route_human_review", "open_challenge_window", "close_unresolved", "correct_record"]}}}`,
		Record{"policyId": id, "policyVersion": version})
}

// AppealCase returns a case that passes.
func AppealCase(id string, revision int) Record {
	return parse(`{"contractVersion": "trade-challenge-appeal-v0.3", "status": "under_neutral_review",
		"policyId": "appeal-policy", "policyVersion": 1, "subject": "evidence_row", "subjectId": "row-204",
		"trigger": "wrong_scope_evidence", "standing": {"category": "participant", "accepted": true,
			"privacySafeSummary": "Took part in the trade under review."},
		"notice": {"state": "delivered", "deliveredAt": "2026-06-03T10:00:00Z"}, "filedAt": "2026-06-01T08:00:00Z",
		"deadline": "2026-12-01T00:00:00Z", "evidenceScope": {"items": ["row-204", "proof-9"]},
		"nonRetaliation": {"acknowledged": true}, "requestedOutcome": null, "requestedEffects": [],
		"redaction": {"status": "redacted"}}`,
		Record{"caseId": id, "revision": revision, "originalDeciderId": Decider, "partyIds": []string{Party},
			"neutralReview": Review(Assigned)})
}

// Review returns a neutral review by a reviewer.
func Review(reviewer string) Record {
	return Record{"assigned": true, "reviewerId": reviewer, "conflictChecked": true, "conflictFound": false,
		"recusedReviewerIds": []string{Recused}}
}

// AmendmentPolicy returns a policy in force.
func AmendmentPolicy(id string, version int) Record {
	return parse(`{"contractVersion": "trade-agreement-amendments-v0.1-2026-06", "status": "frozen",
		"frozenAt": "2026-01-05T09:00:00Z", "transitions": ["post_lock_correction"]}`,
		Record{"policyId": id, "policyVersion": version})
}

// Amendment returns a correction that passes.
func Amendment(id string, revision int) Record {
	terms := func(digit string) string { return fmt.Sprintf("sha256:%064s", digit) }
	return parse(`{"contractVersion": "trade-agreement-amendments-v0.1-2026-06", "ownerId": "owner-2", "state": "applied",
		"agreementId": "agreement-31", "policyId": "amendment-policy", "policyVersion": 1,
		"notice": {"state": "delivered", "deliveredAt": "2026-06-03T10:00:00Z"}, "reviewerQuality": {"criteriaMet": true},
		"baselineIntegrity": {"verified": true}, "policySnapshotBundle": {"subject": "agreement_amendment"},
		"transition": "post_lock_correction", "subjectType": "locked_pledge_swap", "amendmentType": "correction",
		"confirmationState": "not_required_for_stage", "changedTerms": ["wording"],
		"effects": {"retroactivePerformance": false, "evidenceClaimRetyped": false, "exposureIncrease": false,
			"fundsRedirect": false, "compensationChange": false, "cancellationRightsNarrowed": false,
			"privacyChange": false, "donorOfRecordChange": false, "thirdPartyObligationChange": false}}`,
		Record{"amendmentId": id, "revision": revision, "beforeTermsHash": terms("1"), "afterTermsHash": terms("2"),
			"parentRecord":      Record{"hashAtLock": terms("3"), "hashObserved": terms("3")},
			"originalDeciderId": Decider, "requiredParties": []string{Party},
			"neutralReview": Review(Assigned)})
}

func parse(text string, members Record) Record {
	record := Record{}
	if err := json.Unmarshal([]byte(text), &record); err != nil {
		panic("verifytest: a sample cannot be read: " + err.Error())
	}
	maps.Copy(record, members)
	return record
}
