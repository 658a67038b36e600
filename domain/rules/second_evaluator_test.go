package rules_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/private"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A node is a value of a question as JSON has it: the second evaluator reads nothing else. Absent and null are nil.
type node struct{ value any }

func (n node) at(path string) node {
	for _, name := range strings.Split(path, ".") {
		object, _ := n.value.(map[string]any)
		n = node{object[name]}
	}
	return n
}

func (n node) there() bool { return n.value != nil }

func (n node) text() string {
	switch value := n.value.(type) {
	case string:
		return value
	case interface{ String() string }:
		return value.String() // a number
	}
	return ""
}

func (n node) is(values ...any) bool { return slices.Contains(values, n.value) }

func (n node) same(other node) bool { return n.there() && n.text() == other.text() }

func (n node) list() []node {
	values, _ := n.value.([]any)
	list := make([]node, len(values))
	for i := range values {
		list[i] = node{values[i]}
	}
	return list
}

func (n node) has(word string) bool {
	return slices.ContainsFunc(n.list(), func(one node) bool { return one.value == word })
}

// by reports whether a time is present and not after now.
func (n node) by(now string) bool {
	return n.there() && !domaintest.Instant(now).Before(domaintest.Instant(n.text()))
}

// shown reports whether a text does not count as absent.
func (n node) shown() bool { return n.there() && packets.Legible(n.text()) }

// sealed reports whether the record states the hash of itself under that name.
func (n node) sealed(name string) bool {
	return n.at(name).there() && n.at(name).text() == domaintest.HashOf(domaintest.Without(n.value.(map[string]any), name))
}

// A book collects the codes that hold.
type book struct{ codes []string }

func (b *book) holds(code string, when bool) {
	if when {
		b.codes = append(b.codes, code)
	}
}

// secondly judges a question by the words of the specification, clause by clause, and knows nothing of package rules.
func secondly(q map[string]any) []string {
	question, b := node{q}, &book{codes: []string{}}
	policy, record, now := question.at("policy"), question.at("record"), question.at("at").text()
	latest := func(of node, number, latest string) bool {
		return of.at(number).same(question.at(latest)) && question.at(latest).text() != "0"
	}
	if q["table"] == "trade_appeal_cases" {
		appealHolds(b, policy, record, now, latest)
	} else {
		amendmentHolds(b, policy, record, now, latest)
	}
	return b.codes
}

type isLatest = func(of node, number, latest string) bool

func notNeutral(r node) bool {
	review, reviewer := r.at("neutralReview"), r.at("neutralReview.reviewerId")
	return !review.at("assigned").is(true) || !reviewer.there() || !review.at("conflictChecked").is(true) ||
		!review.at("conflictFound").is(false) || !r.at("originalDeciderId").there() || reviewer.same(r.at("originalDeciderId")) ||
		review.at("recusedReviewerIds").has(reviewer.text()) || r.at("partyIds").has(reviewer.text())
}

func undelivered(r node, now, state string, early ...any) bool {
	notice := r.at("notice")
	return !(notice.at("state").is("delivered") && notice.at("deliveredAt").by(now)) &&
		!(notice.at("state").is("not_required_for_stage") && r.at(state).is(early...))
}

func wrongPolicyHash(policy, record node) bool {
	return policy.there() && (!policy.sealed("policyHash") || record.there() && !record.at("policyHash").same(policy.at("policyHash")))
}

func appealHolds(b *book, policy, r node, now string, latest isLatest) {
	rule := policy.at("outcomeRules." + r.at("trigger").text())
	b.holds("appeal_policy_missing", !policy.there() || r.there() && (!r.at("policyId").same(policy.at("policyId")) ||
		!r.at("policyVersion").same(policy.at("policyVersion")) || !rule.at("compatible").has(rule.at("advisory").text())))
	b.holds("appeal_policy_not_current", policy.there() && (!policy.at("status").is("frozen") || !policy.at("frozenAt").by(now) ||
		!policy.at("effectiveFrom").by(now) || policy.at("effectiveUntil").by(now) ||
		!policy.at("contractVersion").is("trade-challenge-appeal-v0.3") || !latest(policy, "policyVersion", "latestPolicyVersion")))
	b.holds("appeal_case_missing", !r.there() || r.at("status").is("draft") || !r.at("filedAt").by(now))
	if !r.there() {
		b.holds("invalid_policy_hash", wrongPolicyHash(policy, r))
		return
	}
	redacted, summary := r.at("redaction.status").is("redacted"), r.at("standing.privacySafeSummary")
	private := func(text node) bool { return !private.ScanString(text.text()).Empty() }
	b.holds("appeal_case_stale", r.at("status").is("stale") || !latest(r, "revision", "latestRevision") ||
		!r.at("contractVersion").is("trade-challenge-appeal-v0.3"))
	b.holds("appeal_case_superseded", r.at("status").is("superseded"))
	b.holds("standing_missing", !r.at("standing.category").there() || !r.at("standing.accepted").is(true) ||
		r.at("standing.category").is("affected_party") && (!summary.shown() || private(summary) || !redacted))
	b.holds("notice_missing", undelivered(r, now, "status", "draft", "filed"))
	b.holds("deadline_missing", !r.at("deadline").there())
	b.holds("deadline_expired", r.at("deadline").there() && domaintest.Instant(r.at("deadline").text()).Before(domaintest.Instant(now)) &&
		!r.at("status").is("upheld", "corrected", "dismissed", "closed_unresolved"))
	b.holds("neutral_review_missing", notNeutral(r))
	b.holds("scope_missing", !r.at("subject").there() || !r.at("subjectId").there() || !r.at("trigger").there() ||
		!r.at("scopeHash").same(node{domaintest.HashOf(domaintest.Only(r.value.(map[string]any), "subject", "subjectId", "evidenceScope"))}) || r.at("requestedEffects").has("change_parent_record") ||
		r.at("trigger").is("externality_remedy_gap") && !r.at("remedyGap").shown())
	b.holds("private_details_unredacted", !redacted || r.at("requestedEffects").has("show_private_details") || private(summary) ||
		private(r.at("evidenceScope.statement")) || private(r.at("remedyGap")) || private(r.at("contractVersion"))) // it is free text, too
	b.holds("safety_blocker_waiver_attempted", !r.at("requestedEffects").there() || r.at("requestedEffects").has("waive_safety_blocker"))
	b.holds("settled_obligation_reopen_attempted",
		!r.at("requestedEffects").there() || r.at("requestedEffects").has("reopen_settled_obligation"))
	b.holds("non_retaliation_missing", !r.at("nonRetaliation.acknowledged").is(true))
	b.holds("evidence_scope_missing", len(r.at("evidenceScope.items").list()) == 0)
	b.holds("invalid_case_hash", !r.sealed("caseHash"))
	b.holds("invalid_policy_hash", wrongPolicyHash(policy, r))
}

// theTypes are the subject types and the amendment types of each transition.
var theTypes = map[string][2][]any{
	"donation_offset_material_change": {{"locked_donation_offset", "cleared_trade_agreement"}, material},
	"pledge_swap_material_change":     {{"locked_pledge_swap", "matched_trade_lock_proposal", "cleared_trade_agreement"}, material},
	"post_lock_correction":            {nil, {"correction"}},
	"pause_or_early_termination":      {nil, {"pause", "early_termination"}},
	"evidence_standard_change":        {nil, {"evidence_standard_change"}},
	"destination_change":              {nil, {"destination_change"}},
}

var material = []any{"mutual_modification", "schedule_change", "compensation_change", "destination_change",
	"evidence_standard_change", "baseline_correction", "privacy_change", "other"}

func amendmentHolds(b *book, policy, r node, now string, latest isLatest) {
	transition, changed := r.at("transition"), r.at("changedTerms")
	before, after := r.at("beforeTermsHash"), r.at("afterTermsHash")
	b.holds("policy_missing", !policy.there() || r.there() && (!r.at("policyId").same(policy.at("policyId")) ||
		!r.at("policyVersion").same(policy.at("policyVersion")) || !policy.at("transitions").has(transition.text())))
	b.holds("policy_mutable", policy.there() && (policy.at("status").is("draft") || !policy.at("frozenAt").by(now)))
	b.holds("policy_stale", policy.there() && (policy.at("status").is("stale") || policy.at("staleAfter").by(now) ||
		!policy.at("contractVersion").is("trade-agreement-amendments-v0.1-2026-06")))
	b.holds("policy_superseded", policy.there() && (policy.at("status").is("superseded") ||
		!latest(policy, "policyVersion", "latestPolicyVersion")))
	if !r.there() {
		b.holds("amendment_missing", true)
		b.holds("invalid_policy_hash", wrongPolicyHash(policy, r))
		return
	}
	types := theTypes[transition.text()]
	fits := r.at("subjectType").there() && r.at("amendmentType").is(types[1]...) && (types[0] == nil || r.at("subjectType").is(types[0]...))
	b.holds("amendment_missing", !fits || !changed.there() || len(changed.list()) == 0 &&
		(!transition.is("pause_or_early_termination") || before.there() && after.there() && !before.same(after)))
	state := r.at("state")
	b.holds("amendment_unconfirmed", state.is("draft", "presented"))
	b.holds("amendment_not_approved", state.is("draft", "presented", "confirmed"))
	b.holds("amendment_not_applied", state.is("draft", "presented", "confirmed", "approved"))
	b.holds("amendment_rejected_or_withdrawn", state.is("rejected", "withdrawn"))
	b.holds("amendment_stale", state.is("stale") || !latest(r, "revision", "latestRevision") ||
		!r.at("contractVersion").is("trade-agreement-amendments-v0.1-2026-06"))
	b.holds("amendment_superseded", state.is("superseded"))
	b.holds("parent_record_edit_detected", !r.at("parentRecord.hashAtLock").same(r.at("parentRecord.hashObserved")))
	correction := transition.is("post_lock_correction")
	more := slices.ContainsFunc(changed.list(), func(word node) bool { return !word.is("wording") })
	off := func(effect string) bool { return r.at("effects."+effect).is(false) && !saidElsewhere(r, effect) }
	b.holds("retroactive_performance_change", !off("retroactivePerformance") || correction && (!changed.there() || more))
	b.holds("evidence_claim_retyped", !off("evidenceClaimRetyped") || correction && changed.has("evidence_standard"))
	effects := []struct{ effect, code string }{
		{"exposureIncrease", "exposure_increase_without_confirmation"}, {"fundsRedirect", "funds_redirect_without_confirmation"},
		{"compensationChange", "compensation_change_without_confirmation"},
		{"cancellationRightsNarrowed", "cancellation_rights_narrowed"},
		{"privacyChange", "privacy_change_without_confirmation"}, {"donorOfRecordChange", "donor_of_record_change_without_confirmation"},
		{"thirdPartyObligationChange", "third_party_obligation_change_without_confirmation"},
	}
	for _, one := range effects {
		confirmable := !correction && (one.effect != "cancellationRightsNarrowed" || transition.is("pause_or_early_termination"))
		b.holds(one.code, !off(one.effect) && !(confirmable && confirmedByAll(r, one.effect, now)))
	}
	confirmations, parties := r.at("confirmations").list(), r.at("requiredParties").list()
	given := func(party node) []node {
		return slices.DeleteFunc(slices.Clone(confirmations), func(c node) bool {
			return !party.same(c.at("partyRef")) || !c.at("confirmedAt").by(now)
		})
	}
	silent := slices.ContainsFunc(parties, func(party node) bool { return len(given(party)) == 0 })
	lapsed := slices.ContainsFunc(parties, func(party node) bool {
		return len(given(party)) > 0 && !slices.ContainsFunc(given(party), func(c node) bool { return !c.at("expiresAt").by(now) })
	})
	mark := r.at("confirmationState")
	b.holds("renewed_confirmation_missing", !mark.there() || mark.is("missing") || mark.is("not_required_for_stage") && !correction ||
		!correction && (len(parties) == 0 || silent))
	b.holds("renewed_confirmation_stale", mark.is("stale") || lapsed)
	b.holds("participant_confirmation_scope_mismatch", mark.is("scope_mismatch") ||
		slices.ContainsFunc(confirmations, func(c node) bool { return !c.at("termsHash").same(after) }))
	reviewer := r.at("neutralReview.reviewerId")
	b.holds("neutral_review_missing", notNeutral(r) || reviewer.same(r.at("ownerId")) || r.at("requiredParties").has(reviewer.text()) ||
		slices.ContainsFunc(confirmations, func(c node) bool { return reviewer.same(c.at("partyRef")) }) ||
		movesDestination(r) && !r.at("destinationReview.completed").is(true))
	b.holds("notice_missing", undelivered(r, now, "state", "draft", "presented"))
	b.holds("reviewer_quality_missing", !r.at("reviewerQuality.criteriaMet").is(true))
	b.holds("baseline_integrity_missing", !r.at("baselineIntegrity.verified").is(true))
	b.holds("before_terms_hash_missing", !before.there())
	b.holds("after_terms_hash_missing", !after.there() || before.same(after) && len(changed.list()) > 0)
	bundle := r.at("policySnapshotBundle")
	b.holds("policy_snapshot_bundle_missing", !bundle.at("subject").is("agreement_amendment") ||
		policy.there() && !bundle.at("policyHash").same(policy.at("policyHash")))
	b.holds("invalid_amendment_hash", !r.sealed("amendmentHash"))
	b.holds("invalid_policy_hash", wrongPolicyHash(policy, r))
}

func movesDestination(r node) bool {
	return r.at("transition").is("destination_change") || r.at("amendmentType").is("destination_change") ||
		r.at("changedTerms").has("destination")
}

// saidElsewhere reports whether the record cannot deny the effect, because its type, transition or changed terms say it.
func saidElsewhere(r node, effect string) bool {
	switch effect {
	case "compensationChange":
		return r.at("amendmentType").is("compensation_change") || r.at("changedTerms").has("compensation")
	case "privacyChange":
		return r.at("amendmentType").is("privacy_change") || r.at("changedTerms").has("privacy")
	case "fundsRedirect":
		return movesDestination(r)
	}
	return false
}

// confirmedByAll reports whether there are required parties and each has a live confirmation of the effect.
func confirmedByAll(r node, effect, now string) bool {
	live := func(party node) bool {
		return slices.ContainsFunc(r.at("confirmations").list(), func(c node) bool {
			return party.same(c.at("partyRef")) && c.at("covers").has(effect) && c.at("termsHash").same(r.at("afterTermsHash")) &&
				c.at("confirmedAt").by(now) && !c.at("expiresAt").by(now)
		})
	}
	parties := r.at("requiredParties").list()
	return len(parties) > 0 && !slices.ContainsFunc(parties, func(party node) bool { return !live(party) })
}

// Every row of the rule tables and every pinned question is answered alike by the words of the specification.
func TestTheRulesAnswerAsTheWordsOfTheSpecificationDo(t *testing.T) {
	compared := map[string]int{}
	compare := func(name string, line []byte) {
		var reader packets.Reader
		input, fault := rules.ReadInput(&reader, line)
		if fault != nil {
			return
		}
		got, want := domaintest.Codes(rules.Evaluate(&input)), secondly(domaintest.Parsed(string(line)))
		for _, code := range want {
			compared[code]++
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, by the specification %q: %s", name, got, want, line)
		}
	}
	for _, table := range tables(t) {
		for _, r := range table.rows {
			compare(table.name+", "+r.name, table.from().Question(t, r.edits...))
		}
	}
	noEffect := map[string]any{}
	for _, effect := range terms.Effects.Texts() {
		noEffect[effect] = false
	}
	for transition := range theTypes {
		for _, subject := range terms.SubjectTypes.Texts() {
			for _, kind := range terms.AmendmentTypes.Texts() {
				compare(transition+" on "+subject+" by "+kind, domaintest.DestinationChange().Question(t,
					domaintest.Set("/record/transition", transition), domaintest.Set("/record/subjectType", subject),
					domaintest.Set("/record/amendmentType", kind), domaintest.Set("/record/changedTerms", []string{"wording"}),
					domaintest.Set("/record/effects", noEffect)))
			}
		}
	}
	lines := pinnedLines()
	if testing.Short() {
		lines = lines[:len(lines)/10]
	}
	for _, line := range lines {
		compare("a generated question", line)
	}
	if len(compared) < 48 {
		t.Errorf("only these held: %q", slices.Sorted(maps.Keys(compared)))
	}
}

// Parties, effects and confirmations of any kind add up as the words say.
func TestConfirmationsAddUpAsTheSpecificationSays(t *testing.T) {
	effects := domaintest.Normal(everyConfirmable).([]any)
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.MaterialChange()
		record := s.Record()
		names := []string{"a", "b", "c"}
		record["requiredParties"] = domaintest.Normal(rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 3, rapid.ID[string]).Draw(t, "parties"))
		for _, effect := range effects {
			record["effects"].(map[string]any)[effect.(string)] = rapid.IntRange(0, 3).Draw(t, effect.(string)) == 0
		}
		list := []any{}
		for range rapid.IntRange(0, 14).Draw(t, "confirmations") {
			c := domaintest.ConfirmationOf(rapid.SampledFrom(names).Draw(t, "party"))
			c["covers"] = slices.Clone(effects)
			switch rapid.IntRange(0, 8).Draw(t, "flaw") {
			case 0:
				c["covers"] = rapid.SliceOfNDistinct(rapid.SampledFrom(effects), 0, 6, rapid.ID[any]).Draw(t, "covers")
			case 1:
				c["expiresAt"] = rapid.SampledFrom(domaintest.Moments).Draw(t, "expires")
			case 2:
				c["confirmedAt"] = rapid.SampledFrom(domaintest.Moments).Draw(t, "confirmed")
			case 3:
				delete(c, rapid.SampledFrom([]string{"partyRef", "covers", "confirmedAt", "expiresAt"}).Draw(t, "absent"))
			case 4:
				c["termsHash"] = rapid.SampledFrom(domaintest.Hashes).Draw(t, "terms")
			}
			list = append(list, domaintest.Normal(c))
		}
		record["confirmations"] = list
		if got, want := domaintest.Held(s), secondly(domaintest.Parsed(string(s.SealedByHand()))); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
