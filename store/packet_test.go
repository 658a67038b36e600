package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
)

// noon is the moment at which these tests happen unless they say otherwise.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const (
	reviewerID = terms.ID("rev-neutral")
	deciderID  = terms.ID("rev-original")
)

// members are those of a record, as a producer writes them.
type members map[string]any

// with returns a copy with some members replaced; nil leaves a member out.
func (m members) with(changes members) members {
	changed := maps.Clone(m)
	for name, value := range changes {
		if value == nil {
			delete(changed, name)
			continue
		}
		changed[name] = value
	}
	return changed
}

// A mill makes packets as they come out of a file: sealed, read and redacted. A policy has to be made before what
// names it.
type mill struct {
	t      testing.TB
	sealer packets.Sealer
	reader packets.Reader
}

func (m *mill) packet(table terms.Table, record members, private ...members) packets.Packet {
	m.t.Helper()
	sealed, fault := m.sealer.Seal(text(m.t, members{"table": table, "record": record}))
	if fault != nil {
		m.t.Fatalf("seal: %v", fault)
	}
	if len(private) > 0 {
		envelope := map[string]json.RawMessage{}
		must(m.t, json.Unmarshal(sealed, &envelope))
		sealed = text(m.t, members{"table": envelope["table"], "record": envelope["record"], "private": private[0]})
	}
	unredacted, fault := m.reader.Read(sealed)
	if fault != nil {
		m.t.Fatalf("read: %v", fault)
	}
	return unredacted.Redact()
}

func text(t testing.TB, value any) []byte {
	t.Helper()
	written := need(json.Marshal(value))(t)
	return written
}

func (m *mill) appealPolicy(version int64) packets.Packet {
	rules := members{}
	for _, trigger := range terms.Triggers.Texts() {
		rules[trigger] = members{"advisory": "uphold_decision", "compatible": []string{"uphold_decision", "request_evidence", "block_reliance"}}
	}
	return m.packet(terms.AppealPolicies, members{
		"policyId": "pol-appeal", "policyVersion": version, "contractVersion": terms.AppealContract.Version,
		"status": "frozen", "frozenAt": "2026-01-01T00:00:00Z", "effectiveFrom": "2026-01-02T00:00:00Z",
		"effectiveUntil": nil, "outcomeRules": rules,
	}.with(members{"effectiveUntil": nil}))
}

// passing is a case that every rule lets pass at noon.
func passing(id string, revision int64) members {
	return members{
		"caseId": id, "revision": revision, "contractVersion": terms.AppealContract.Version, "status": "under_neutral_review",
		"policyId": "pol-appeal", "policyVersion": 1, "subject": terms.Subjects.Texts()[0], "subjectId": "item-7",
		"trigger":  "material_factual_error",
		"standing": members{"category": "affected_party", "accepted": true, "privacySafeSummary": "Relies on the item."},
		"notice":   members{"state": "delivered", "deliveredAt": "2026-02-01T00:00:00Z"},
		"filedAt":  "2026-02-01T00:00:00Z", "deadline": "2026-04-01T00:00:00Z",
		"evidenceScope":     members{"items": []string{"ev-1", "ev-2"}, "statement": "Two meter readings."},
		"nonRetaliation":    members{"acknowledged": true},
		"originalDeciderId": string(deciderID),
		"partyIds":          []string{"party-own"},
		"neutralReview": members{"assigned": true, "reviewerId": string(reviewerID), "conflictChecked": true,
			"conflictFound": false, "recusedReviewerIds": []string{"rev-recused"}},
		"requestedEffects": []string{}, "redaction": members{"status": "redacted"},
	}
}

func (m *mill) appealCase(record members) packets.Packet { return m.packet(terms.AppealCases, record) }

func (m *mill) amendmentPolicy(version int64) packets.Packet {
	return m.packet(terms.AmendmentPolicies, members{
		"policyId": "pol-amend", "policyVersion": version, "contractVersion": terms.AmendmentContract.Version,
		"status": "frozen", "frozenAt": "2026-01-01T00:00:00Z", "transitions": terms.Transitions.Texts(),
	})
}

// applied is an amendment that every rule lets pass at noon.
func applied(id string, revision int64) members {
	hash := func(digit byte) string { return fmt.Sprintf("sha256:%064x", digit) }
	effects := members{}
	for _, effect := range terms.Effects.Texts() {
		effects[effect] = false
	}
	return members{
		"amendmentId": id, "revision": revision, "contractVersion": terms.AmendmentContract.Version, "ownerId": "owner-1",
		"state": "applied", "agreementId": "agr-1", "policyId": "pol-amend", "policyVersion": 1,
		"transition": "post_lock_correction", "subjectType": terms.SubjectTypes.Texts()[0], "amendmentType": "correction",
		"confirmationState": "not_required_for_stage", "beforeTermsHash": hash(1), "afterTermsHash": hash(2),
		"changedTerms": []string{"wording"}, "parentRecord": members{"hashAtLock": hash(3), "hashObserved": hash(3)},
		"effects": effects, "requiredParties": []string{}, "confirmations": []any{}, "originalDeciderId": string(deciderID),
		"neutralReview": members{"assigned": true, "reviewerId": string(reviewerID), "conflictChecked": true,
			"conflictFound": false, "recusedReviewerIds": []string{}},
		"notice":          members{"state": "delivered", "deliveredAt": "2026-02-01T00:00:00Z"},
		"reviewerQuality": members{"criteriaMet": true}, "baselineIntegrity": members{"verified": true},
		"destinationReview": members{"completed": true}, "policySnapshotBundle": members{"subject": "agreement_amendment"},
	}
}

func (m *mill) amendment(record members) packets.Packet {
	return m.packet(terms.AmendmentRecords, record)
}
