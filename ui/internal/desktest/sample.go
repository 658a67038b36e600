package desktest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"docket/domain"
)

// Sample is a desk with both dockets filled: cases that pass, cases that are blocked in many ways, one that the
// reviewer is recused from, one of another reviewer's, private members, hostile text and rows that cannot be read.
func Sample() *Desk {
	filled, d := sample(), New()
	d.Add(domain.AppealPolicies, AppealPolicy(), nil)
	d.Add(domain.AmendmentPolicies, AmendmentPolicy(), nil)
	d.skips = maps.Clone(filled.skips)
	for _, area := range domain.Areas.All() {
		d.packets[area] = slices.Clone(filled.packets[area])
		d.broken[area] = slices.Clone(filled.broken[area])
	}
	return d
}

// sample is filled once: sealing takes most of a test's time.
var sample = sync.OnceValue(fill)

func fill() *Desk {
	d := New()
	d.Add(domain.AppealPolicies, AppealPolicy(), nil)
	d.Add(domain.AmendmentPolicies, AmendmentPolicy(), nil)
	for i, change := range caseChanges {
		record := Case(fmt.Sprintf("AC-%d", 2041+i), time.Duration(5+17*i)*time.Hour)
		if i > 2 {
			record["subjectId"] = fmt.Sprintf("row-%d", 8900+i)
		}
		change(record)
		var private map[string]any
		if i%3 == 1 {
			private = map[string]any{"contact_data": []string{"x", "y"}, "private_narrative": "z", "exact_wish": Record{"a": 1, "b": 2}}
		}
		d.Add(domain.AppealCases, record, private)
	}
	older := Case("AC-2041", 5*time.Hour)
	older["revision"] = 2
	older["remedyGap"] = "The second receipt was paid by another programme."
	d.Add(domain.AppealCases, older, nil)
	for i, change := range amendmentChanges {
		record := Amendment(fmt.Sprintf("AM-%d", 310+i))
		if i > 1 {
			record["agreementId"] = fmt.Sprintf("agr-%d", 5600+i)
		}
		change(record)
		d.Add(domain.AmendmentRecords, record, nil)
	}
	d.Break(domain.AppealCases, domain.Key{ID: "AC-1999", Number: 1}, "the stored packet cannot be read: /record: does not match its digests")
	d.skips[domain.Key{ID: "AC-2047", Number: 1}] = "waiting for the second conflict check"
	return d
}

var caseChanges = []func(Record){
	func(Record) {},
	func(r Record) {
		r["trigger"], r["subject"] = "duplicate_proof", "claim"
		r.In("notice")["state"] = "queued"
	},
	func(r Record) {
		r["trigger"], r["subject"] = "externality_remedy_gap", "externality_trigger"
		r["remedyGap"] = "The remedy on record pays for half of the wells."
		r["requestedOutcome"] = "record_remedy"
	},
	func(r Record) {
		r["deadline"] = at(-27 * time.Hour)
		r["nonRetaliation"] = Record{}
		r["trigger"], r["subject"] = "coercive_baseline", "baseline_concern"
		r["standing"] = Record{"category": "affected_party", "accepted": true}
	},
	func(r Record) { r.In("neutralReview")["recusedReviewerIds"] = []string{"rev-marsh", "rev-adeyemi"} },
	func(r Record) { r.In("neutralReview")["reviewerId"] = "rev-adeyemi" },
	func(r Record) { r["subject"], r["trigger"] = "policy_flag", "policy_misapplied"; delete(r, "deadline") },
	func(r Record) { r["subject"], r["trigger"] = "completion_state", "material_factual_error" },
	func(r Record) {
		r["subject"], r["trigger"] = "disclosure_decision", "privacy_disclosure_error"
		r["requestedEffects"] = []string{"waive_safety_blocker", "show_private_details"}
		r.In("redaction")["status"] = "pending"
		r.In("evidenceScope")["items"] = []string{}
	},
	func(r Record) {
		r.In("evidenceScope")["statement"] = "see \x1b]0;owned\x07\u202egnp.exe\u202c 東京都 🙂 e\u0301 \u200bz"
		r["trigger"], r["subject"] = "reviewer_conflict", "claim"
	},
	func(r Record) { r["originalDeciderId"] = "rev-marsh" },
	func(r Record) { r["status"], r["requestedOutcome"] = "noticed", nil },
	func(r Record) { r["policyVersion"] = 2 },
}

var amendmentChanges = []func(Record){
	func(Record) {},
	func(r Record) {
		r["transition"], r["subjectType"], r["amendmentType"] = "pledge_swap_material_change", "locked_pledge_swap", "mutual_modification"
		r.In("effects")["exposureIncrease"] = true
		r["state"], r["changedTerms"] = "confirmed", []string{"amount", "schedule"}
	},
	func(r Record) {
		r["transition"], r["amendmentType"] = "destination_change", "destination_change"
		r.In("effects")["fundsRedirect"] = true
		r.In("parentRecord")["hashObserved"] = hashes[1]
		r["confirmations"] = []Record{}
	},
	func(r Record) {
		r["transition"], r["amendmentType"] = "pause_or_early_termination", "pause"
		r.In("effects")["cancellationRightsNarrowed"] = true
		delete(r, "afterTermsHash")
	},
}
