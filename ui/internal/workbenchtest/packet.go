package workbenchtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/store"
)

// A Record is the record of a packet as JSON members. A test changes what it needs to.
type Record map[string]any

// In returns the nested object of that name.
func (r Record) In(name string) Record { return r[name].(Record) }

// at writes a time relative to the start of every workbench.
func at(after time.Duration) string { return start.Add(after).Format(time.RFC3339) }

var hashes = [...]string{"sha256:" + strings.Repeat("a1", 32), "sha256:" + strings.Repeat("b2", 32)}

// Add seals a packet and takes it in; private may be nil.
func (d *Workbench) Add(table terms.Table, record Record, private map[string]any) {
	d.hold(d.sealed(table, record, private))
}

// AddUnsealed takes a packet in as it is.
func (d *Workbench) AddUnsealed(table terms.Table, record Record) {
	text, err := json.Marshal(map[string]any{"table": table, "record": record})
	must(err)
	d.hold(redacted(text))
}

func (d *Workbench) sealed(table terms.Table, record Record, private map[string]any) packets.Packet {
	d.sealing.Do(func() {
		d.seal(terms.AppealPolicies, appealPolicy())
		d.seal(terms.AmendmentPolicies, amendmentPolicy())
	})
	sealed := d.seal(table, record)
	if private != nil {
		members := map[string]json.RawMessage{}
		must(json.Unmarshal(sealed, &members))
		text, err := json.Marshal(private)
		must(err)
		members["private"] = text
		sealed, err = json.Marshal(members)
		must(err)
	}
	return redacted(sealed)
}

func (d *Workbench) seal(table terms.Table, record Record) []byte {
	text, err := json.Marshal(map[string]any{"table": table, "record": record})
	must(err)
	sealed, fault := d.sealer.Seal(text)
	if fault != nil {
		panic(fault)
	}
	return sealed
}

func redacted(text []byte) packets.Packet {
	unredacted, fault := new(packets.Reader).Read(text)
	if fault != nil {
		panic(fault)
	}
	return unredacted.Redact()
}

// hold takes a packet in when it arrives, or after the newest record.
func (d *Workbench) hold(packet packets.Packet) {
	now := d.Clock()
	d.Pass(arrival(packet.Table(), packet.Key().Number).Sub(now))
	results, err := d.Store.Import(context.Background(), []packets.Packet{packet})
	must(err)
	if results[0] != store.Imported {
		panic(fmt.Sprintf("a packet of the tests is not taken in: %s", results[0]))
	}
	d.Pass(now.Sub(d.Clock()))
}

func appealPolicy() Record {
	rules, common := Record{}, []string{"uphold_decision", "request_evidence", "route_human_review", "close_unresolved"}
	for trigger, words := range map[string][]string{
		"duplicate_proof":          {"block_reliance", "open_challenge_window", "correct_record"},
		"coercive_baseline":        {"route_human_review", "open_challenge_window", "block_reliance"},
		"wrong_scope_evidence":     {"open_challenge_window", "block_reliance", "correct_record"},
		"material_factual_error":   {"correct_record", "open_challenge_window"},
		"privacy_disclosure_error": {"block_reliance", "record_remedy", "correct_record"},
		"externality_remedy_gap":   {"record_remedy", "block_reliance"},
		"reviewer_conflict":        {"route_human_review", "open_challenge_window", "block_reliance"},
		"policy_misapplied":        {"open_challenge_window", "correct_record"},
	} {
		compatible := map[string]bool{}
		for _, word := range append(append([]string(nil), common...), words...) {
			compatible[word] = true
		}
		list := []string{}
		for _, outcome := range terms.Outcomes.Texts() {
			if compatible[outcome] {
				list = append(list, outcome)
			}
		}
		rules[trigger] = Record{"advisory": words[0], "compatible": list}
	}
	return Record{"policyId": "appeal-policy", "policyVersion": 3, "contractVersion": terms.AppealContract.Version,
		"status": "frozen", "frozenAt": at(-90 * day), "effectiveFrom": at(-80 * day), "effectiveUntil": nil, "outcomeRules": rules}
}

// Case is an appeal case that passes, due in so many hours.
func Case(id string, dueIn time.Duration) Record {
	return Record{
		"caseId": id, "revision": 1, "contractVersion": terms.AppealContract.Version, "status": "under_neutral_review",
		"policyId": "appeal-policy", "policyVersion": 3, "subject": "evidence_row", "subjectId": "row-8841",
		"trigger":  "wrong_scope_evidence",
		"standing": Record{"category": "counterparty", "accepted": true},
		"notice":   Record{"state": "delivered", "deliveredAt": at(-6 * day)},
		"filedAt":  at(-9 * day), "deadline": at(dueIn),
		"evidenceScope": Record{"items": []string{"ev-101", "ev-102"},
			"statement": "Two receipts that were accepted for the school in the north district."},
		"nonRetaliation": Record{"acknowledged": true}, "originalDeciderId": "dec-oyelaran",
		"neutralReview": Record{"assigned": true, "reviewerId": "rev-marsh", "conflictChecked": true, "conflictFound": false,
			"recusedReviewerIds": []string{}},
		"requestedOutcome": "correct_record", "requestedEffects": []string{}, "redaction": Record{"status": "redacted"},
	}
}

func amendmentPolicy() Record {
	return Record{"policyId": "amendment-policy", "policyVersion": 2, "contractVersion": terms.AmendmentContract.Version,
		"status": "frozen", "frozenAt": at(-60 * day), "staleAfter": at(200 * day), "transitions": terms.Transitions.Texts()}
}

// Amendment is a post-lock correction that passes.
func Amendment(id string) Record {
	effects := Record{}
	for _, effect := range terms.Effects.Texts() {
		effects[effect] = false
	}
	return Record{
		"amendmentId": id, "revision": 1, "contractVersion": terms.AmendmentContract.Version, "ownerId": "owner-17",
		"state": "applied", "agreementId": "agr-5520", "policyId": "amendment-policy", "policyVersion": 2,
		"transition": "post_lock_correction", "subjectType": "locked_donation_offset", "amendmentType": "correction",
		"confirmationState": "passed", "beforeTermsHash": hashes[0], "afterTermsHash": hashes[1],
		"changedTerms": []string{"wording"}, "parentRecord": Record{"hashAtLock": hashes[0], "hashObserved": hashes[0]},
		"effects": effects, "requiredParties": []string{"party-a", "party-b"},
		"confirmations": []Record{
			{"partyRef": "party-a", "covers": []string{}, "termsHash": hashes[1], "confirmedAt": at(-3 * day)},
			{"partyRef": "party-b", "covers": []string{"exposureIncrease"}, "termsHash": hashes[1], "confirmedAt": at(-2 * day),
				"expiresAt": at(30 * day)},
		},
		"originalDeciderId": "dec-oyelaran",
		"neutralReview": Record{"assigned": true, "reviewerId": "rev-marsh", "conflictChecked": true, "conflictFound": false,
			"recusedReviewerIds": []string{"rev-adeyemi"}},
		"notice":          Record{"state": "delivered", "deliveredAt": at(-4 * day)},
		"reviewerQuality": Record{"criteriaMet": true}, "baselineIntegrity": Record{"verified": true},
		"policySnapshotBundle": Record{"subject": "agreement_amendment"},
	}
}

// Sample is a workbench with both dockets filled: cases that pass, cases that are blocked in many
// ways, one that the reviewer is recused from, one of another reviewer's, private members, hostile
// text and rows that cannot be read.
func Sample(t testing.TB) *Workbench {
	t.Helper()
	return closed(t, OpenSample(SampleFolder(t)))
}

// SampleFolder is a folder with the store of a sample, which OpenSample opens in any program.
func SampleFolder(t testing.TB) string {
	t.Helper()
	return copied(t, "sample", fill)
}

// OpenSample returns the sample whose store is in the folder.
func OpenSample(folder string) *Workbench {
	d := begin(folder)
	d.Break(terms.AppealCases, packets.Key{ID: "AC-1999", Number: 1},
		"the stored packet cannot be read: /record: does not match its digests")
	return d
}

func fill(d *Workbench) {
	addPolicies(d)
	fillSample(d)
}

// fillSample adds the packets of the sample in the order of their arrival.
func fillSample(d *Workbench) {
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
		d.Add(terms.AppealCases, record, private)
	}
	for i, change := range amendmentChanges {
		record := Amendment(fmt.Sprintf("AM-%d", 310+i))
		if i > 1 {
			record["agreementId"] = fmt.Sprintf("agr-%d", 5600+i)
		}
		change(record)
		d.Add(terms.AmendmentRecords, record, nil)
	}
	older := Case("AC-2041", 5*time.Hour)
	older["revision"] = 2
	older["remedyGap"] = "The second receipt was paid by another programme."
	d.Add(terms.AppealCases, older, nil)
	must(d.Store.Skip(context.Background(), d.Who.ID, terms.AppealCases,
		packets.Key{ID: "AC-2047", Number: 1}, "waiting for the second conflict check"))
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

func contractPages() []pages.Page {
	var checks []pages.Row
	for _, rule := range rules.Book(terms.Appeals) {
		checks = append(checks, pages.Row{Mark: pages.Good, Label: rule.Code.String(), Value: rule.Meaning, Notes: []string{rule.Cure}})
	}
	return []pages.Page{
		{Name: "appeals", Title: "challenge and appeal contract", State: "18 of 18 checks pass", Mark: pages.Good, Parts: []pages.Part{
			{Title: "Contract", Rows: []pages.Row{{Label: "version", Value: terms.AppealContract.Version}}},
			{Title: "Checks", Rows: checks},
			{Title: "Subjects", Rows: []pages.Row{{Value: strings.Join(terms.Subjects.Texts(), ", ")}}},
		}},
		{Name: "overlap pilot", Title: "private-overlap pilot", State: "not live: 5 reviews are open", Mark: pages.Open, Parts: []pages.Part{
			{Title: "Reviews", Rows: []pages.Row{
				{Mark: pages.Open, Label: "open", Value: "a formal cryptographic design review"},
				{Mark: pages.Bad, Label: "missing", Value: "東京 " + strings.Repeat("a long statement ", 12)}}},
		}},
	}
}
