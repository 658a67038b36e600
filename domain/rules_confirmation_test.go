package domain_test

import "testing"

const (
	exposure = "exposure_increase_without_confirmation"
	missing  = "renewed_confirmation_missing"
	expired  = "renewed_confirmation_stale"
	mismatch = "participant_confirmation_scope_mismatch"
)

// confirmationOf is a live confirmation of everything, with other members where they are given.
func confirmationOf(party string, members ...any) map[string]any {
	c := map[string]any{"partyRef": party, "covers": []string{"exposureIncrease"}, "termsHash": afterTerms,
		"confirmedAt": "2026-06-06T10:00:00Z", "expiresAt": "2026-12-06T10:00:00Z"}
	for i := 0; i < len(members); i += 2 {
		c[members[i].(string)] = members[i+1]
	}
	return c
}

func confirmations(all ...map[string]any) edit {
	return set("/record/confirmations", append([]map[string]any{}, all...))
}

// Of the second party's confirmation.
const second = "/record/confirmations/1"

// confirmationRows are about a material change that increases exposure, with two required parties.
var confirmationRows = []row{
	when("confirmations absent", exposure+" "+missing, del("/record/confirmations")),
	when("confirmations empty", exposure+" "+missing, confirmations()),
	when("one party did not confirm", exposure+" "+missing, confirmations(confirmationOf("party-a"))),
	when("one party confirmed twice", exposure+" "+missing,
		confirmations(confirmationOf("party-a"), confirmationOf("party-a"))),
	when("somebody else confirmed", exposure+" "+missing, set(second+"/partyRef", "party-c")),
	when("somebody in capitals confirmed", exposure+" "+missing, set(second+"/partyRef", "Party-b")),
	when("nobody named confirmed", exposure+" "+missing, del(second+"/partyRef")),
	when("required parties absent", exposure+" "+missing, del("/record/requiredParties")),
	when("required parties empty", exposure+" "+missing, set("/record/requiredParties", []string{})),
	when("one required party", "", set("/record/requiredParties", []string{"party-b"})),
	when("a required party twice", "", set("/record/requiredParties", []string{"party-b", "party-a", "party-b"})),
	when("a third required party", exposure+" "+missing, set("/record/requiredParties", []string{"party-a", "party-b", "party-c"})),

	when("covers absent", exposure, del(second+"/covers")),
	when("covers nothing", exposure, set(second+"/covers", []string{})),
	when("covers something else", exposure, set(second+"/covers", []string{"privacyChange"})),
	when("covers just this", "", set(second+"/covers", []string{"exposureIncrease"})),

	when("of no terms", exposure+" "+mismatch, del(second+"/termsHash")),
	when("of the terms before", exposure+" "+mismatch, set(second+"/termsHash", beforeTerms)),
	when("after-terms hash absent", exposure+" "+mismatch+" after_terms_hash_missing", del("/record/afterTermsHash")),
	when("after-terms hash of something else", exposure+" "+mismatch, set("/record/afterTermsHash", otherHash)),

	when("confirmed at no time", exposure+" "+missing, del(second+"/confirmedAt")),
	when("confirmed now", "", set(second+"/confirmedAt", now)),
	when("confirmed just after now", exposure+" "+missing, set(second+"/confirmedAt", justAfter)),
	when("one given beside one that is not", "", confirmations(confirmationOf("party-a"), confirmationOf("party-b"),
		confirmationOf("party-b", "confirmedAt", farAhead))),
	when("expired, but never given", exposure+" "+missing, set(second+"/expiresAt", longAgo), del(second+"/confirmedAt")),
	when("expired beside one that is not given", exposure+" "+expired, confirmations(confirmationOf("party-a"),
		confirmationOf("party-b", "expiresAt", now), confirmationOf("party-b", "confirmedAt", justAfter))),
	when("of other terms and never given", exposure+" "+missing+" "+mismatch, set(second+"/termsHash", otherHash),
		del(second+"/confirmedAt")),
	when("never expires", "", del(second+"/expiresAt")),
	when("expires now", exposure+" "+expired, set(second+"/expiresAt", now)),
	when("expired just past", exposure+" "+expired, set(second+"/expiresAt", justPast)),
	when("expires just after now", "", set(second+"/expiresAt", justAfter)),

	when("an expired one beside a live one", "", confirmations(confirmationOf("party-a"),
		confirmationOf("party-b", "expiresAt", longAgo), confirmationOf("party-b"))),
	when("an expired one beside a live one of the first party", "", confirmations(
		confirmationOf("party-a", "expiresAt", longAgo), confirmationOf("party-a"), confirmationOf("party-b"))),
	when("an expired one beside a live one of the other party", exposure+" "+expired,
		confirmations(confirmationOf("party-a"), confirmationOf("party-b", "expiresAt", longAgo), confirmationOf("party-a"))),
	when("two that only together would do", exposure, confirmations(confirmationOf("party-a"),
		confirmationOf("party-b", "expiresAt", longAgo), confirmationOf("party-b", "covers", []string{}))),
	when("all of both expired", exposure+" "+expired, confirmations(confirmationOf("party-a", "expiresAt", now),
		confirmationOf("party-b", "expiresAt", longAgo), confirmationOf("party-b", "expiresAt", justPast))),
	when("expired and of other terms", exposure+" "+expired+" "+mismatch,
		set(second+"/expiresAt", now), set(second+"/termsHash", otherHash)),
	when("an expired one of somebody not required", "", confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("party-c", "expiresAt", longAgo))),
	when("one of other terms of somebody not required", mismatch, confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("party-c", "termsHash", otherHash))),
	when("one of other terms beside a live one", mismatch, confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("party-b", "termsHash", beforeTerms))),

	when("exposure ruled out and not covered", "", set("/record/effects/exposureIncrease", false), set(second+"/covers", []string{})),
	when("exposure ruled out and one party silent", missing,
		set("/record/effects/exposureIncrease", false), confirmations(confirmationOf("party-a"))),
	when("exposure ruled out and confirmed at no time", missing,
		set("/record/effects/exposureIncrease", false), del(second+"/confirmedAt")),

	when("state absent", missing, del("/record/confirmationState")),
	when("state missing", missing, set("/record/confirmationState", "missing")),
	when("state stale", expired, set("/record/confirmationState", "stale")),
	when("state scope mismatch", mismatch, set("/record/confirmationState", "scope_mismatch")),
	when("state not required", missing, set("/record/confirmationState", "not_required_for_stage")),
	when("state passed", "", set("/record/confirmationState", "passed")),
}

// unneededRows are about a correction that rules every effect out, so that nobody has to confirm.
var unneededRows = []row{
	when("state not required", ""),
	when("state absent", missing, del("/record/confirmationState")),
	when("state missing", missing, set("/record/confirmationState", "missing")),
	when("state stale", expired, set("/record/confirmationState", "stale")),
	when("state scope mismatch", mismatch, set("/record/confirmationState", "scope_mismatch")),
	when("state passed", "", set("/record/confirmationState", "passed")),
	when("parties that did not confirm", "", set("/record/requiredParties", []string{"party-a"})),
	when("an expired confirmation of a required party", expired,
		set("/record/requiredParties", []string{"party-a"}), confirmations(confirmationOf("party-a", "expiresAt", now))),
	when("an expired confirmation of a required party, never given", "",
		set("/record/requiredParties", []string{"party-a"}),
		confirmations(confirmationOf("party-a", "expiresAt", now, "confirmedAt", farAhead))),
	when("an expired confirmation of somebody", "", confirmations(confirmationOf("party-a", "expiresAt", now))),
	when("a confirmation of other terms", mismatch, confirmations(confirmationOf("party-a", "termsHash", otherHash))),
	when("a confirmation of no terms", mismatch, confirmations(map[string]any{})),
	when("after-terms hash absent", "after_terms_hash_missing", del("/record/afterTermsHash")),
	when("an effect that the party confirmed", "", set("/record/effects/exposureIncrease", true),
		set("/record/confirmationState", "passed"), set("/record/requiredParties", []string{"party-a"}),
		confirmations(confirmationOf("party-a"))),
	when("an effect that the party confirmed, state not required", missing, set("/record/effects/exposureIncrease", true),
		set("/record/requiredParties", []string{"party-a"}), confirmations(confirmationOf("party-a"))),
	when("an effect not ruled out that the party confirmed", "", del("/record/effects/exposureIncrease"),
		set("/record/confirmationState", "passed"), set("/record/requiredParties", []string{"party-a"}),
		confirmations(confirmationOf("party-a"))),
}

// needingRows: every transition but a correction needs confirmations, though no effect is declared.
var needingRows = []row{
	when("a pause", missing, set("/record/transition", "pause_or_early_termination"), set("/record/amendmentType", "pause")),
	when("an evidence standard", missing, set("/record/transition", "evidence_standard_change"),
		set("/record/amendmentType", "evidence_standard_change")),
	when("a destination", "funds_redirect_without_confirmation "+missing, set("/record/transition", "destination_change"),
		set("/record/amendmentType", "destination_change"), set("/record/destinationReview/completed", true)),
	when("a pledge swap", missing, set("/record/transition", "pledge_swap_material_change"),
		set("/record/amendmentType", "other")),
	when("a donation offset", missing, set("/record/transition", "donation_offset_material_change"),
		set("/record/amendmentType", "other"), set("/record/subjectType", "locked_donation_offset")),
}

func TestConfirmationRules(t *testing.T)                     { check(t, materialChange, confirmationRows) }
func TestConfirmationRulesWhereNoneIsNeeded(t *testing.T)    { check(t, correction, unneededRows) }
func TestEveryOtherTransitionNeedsConfirmation(t *testing.T) { check(t, correction, needingRows) }
