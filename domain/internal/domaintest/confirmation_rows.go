package domaintest

// ConfirmationOf is a live confirmation of everything, with other members where they are given.
func ConfirmationOf(party string, members ...any) map[string]any {
	c := map[string]any{"partyRef": party, "covers": []string{"exposureIncrease"}, "termsHash": AfterTerms,
		"confirmedAt": "2026-06-06T10:00:00Z", "expiresAt": "2026-12-06T10:00:00Z"}
	for i := 0; i < len(members); i += 2 {
		c[members[i].(string)] = members[i+1]
	}
	return c
}

func Confirmations(all ...map[string]any) Edit {
	return Set("/record/confirmations", append([]map[string]any{}, all...))
}

// Of the second party's confirmation.
const Second = "/record/confirmations/1"

// ConfirmationRows are about a material change that increases exposure, with two required parties.
var ConfirmationRows = []Row{
	When("confirmations absent", Exposure+" "+Missing, Del("/record/confirmations")),
	When("confirmations empty", Exposure+" "+Missing, Confirmations()),
	When("one party did not confirm", Exposure+" "+Missing, Confirmations(ConfirmationOf("party-a"))),
	When("one party confirmed twice", Exposure+" "+Missing,
		Confirmations(ConfirmationOf("party-a"), ConfirmationOf("party-a"))),
	When("somebody else confirmed", Exposure+" "+Missing, Set(Second+"/partyRef", "party-c")),
	When("somebody in capitals confirmed", Exposure+" "+Missing, Set(Second+"/partyRef", "Party-b")),
	When("nobody named confirmed", Exposure+" "+Missing, Del(Second+"/partyRef")),
	When("required parties absent", Exposure+" "+Missing, Del("/record/requiredParties")),
	When("required parties empty", Exposure+" "+Missing, Set("/record/requiredParties", []string{})),
	When("one required party", "", Set("/record/requiredParties", []string{"party-b"})),
	When("a third required party", Exposure+" "+Missing, Set("/record/requiredParties", []string{"party-a", "party-b", "party-c"})),

	When("covers absent", Exposure, Del(Second+"/covers")),
	When("covers nothing", Exposure, Set(Second+"/covers", []string{})),
	When("covers something else", Exposure, Set(Second+"/covers", []string{"privacyChange"})),
	When("covers just this", "", Set(Second+"/covers", []string{"exposureIncrease"})),

	When("of no terms", Exposure+" "+Mismatch, Del(Second+"/termsHash")),
	When("of the terms before", Exposure+" "+Mismatch, Set(Second+"/termsHash", BeforeTerms)),
	When("after-terms hash absent", Exposure+" "+Mismatch+" after_terms_hash_missing", Del("/record/afterTermsHash")),
	When("after-terms hash of something else", Exposure+" "+Mismatch, Set("/record/afterTermsHash", OtherHash)),

	When("confirmed at no time", Exposure+" "+Missing, Del(Second+"/confirmedAt")),
	When("confirmed now", "", Set(Second+"/confirmedAt", Now)),
	When("confirmed just after now", Exposure+" "+Missing, Set(Second+"/confirmedAt", JustAfter)),
	When("one given beside one that is not", "", Confirmations(ConfirmationOf("party-a"), ConfirmationOf("party-b"),
		ConfirmationOf("party-b", "confirmedAt", FarAhead))),
	When("expired, but never given", Exposure+" "+Missing, Set(Second+"/expiresAt", LongAgo), Del(Second+"/confirmedAt")),
	When("expired beside one that is not given", Exposure+" "+Expired, Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b", "expiresAt", Now), ConfirmationOf("party-b", "confirmedAt", JustAfter))),
	When("of other terms and never given", Exposure+" "+Missing+" "+Mismatch, Set(Second+"/termsHash", OtherHash),
		Del(Second+"/confirmedAt")),
	When("never expires", "", Del(Second+"/expiresAt")),
	When("expires now", Exposure+" "+Expired, Set(Second+"/expiresAt", Now)),
	When("expired just past", Exposure+" "+Expired, Set(Second+"/expiresAt", JustPast)),
	When("expires just after now", "", Set(Second+"/expiresAt", JustAfter)),

	When("an expired one beside a live one", "", Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b", "expiresAt", LongAgo), ConfirmationOf("party-b"))),
	When("an expired one beside a live one of the first party", "", Confirmations(
		ConfirmationOf("party-a", "expiresAt", LongAgo), ConfirmationOf("party-a"), ConfirmationOf("party-b"))),
	When("an expired one beside a live one of the other party", Exposure+" "+Expired,
		Confirmations(ConfirmationOf("party-a"), ConfirmationOf("party-b", "expiresAt", LongAgo), ConfirmationOf("party-a"))),
	When("two that only together would do", Exposure, Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b", "expiresAt", LongAgo), ConfirmationOf("party-b", "covers", []string{}))),
	When("all of both expired", Exposure+" "+Expired, Confirmations(ConfirmationOf("party-a", "expiresAt", Now),
		ConfirmationOf("party-b", "expiresAt", LongAgo), ConfirmationOf("party-b", "expiresAt", JustPast))),
	When("expired and of other terms", Exposure+" "+Expired+" "+Mismatch,
		Set(Second+"/expiresAt", Now), Set(Second+"/termsHash", OtherHash)),
	When("an expired one of somebody not required", "", Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("party-c", "expiresAt", LongAgo))),
	When("one of other terms of somebody not required", Mismatch, Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("party-c", "termsHash", OtherHash))),
	When("one of other terms beside a live one", Mismatch, Confirmations(ConfirmationOf("party-a"),
		ConfirmationOf("party-b"), ConfirmationOf("party-b", "termsHash", BeforeTerms))),

	When("exposure ruled out and not covered", "", Set("/record/effects/exposureIncrease", false), Set(Second+"/covers", []string{})),
	When("exposure ruled out and one party silent", Missing,
		Set("/record/effects/exposureIncrease", false), Confirmations(ConfirmationOf("party-a"))),
	When("exposure ruled out and confirmed at no time", Missing,
		Set("/record/effects/exposureIncrease", false), Del(Second+"/confirmedAt")),

	When("state absent", Missing, Del("/record/confirmationState")),
	When("state missing", Missing, Set("/record/confirmationState", "missing")),
	When("state stale", Expired, Set("/record/confirmationState", "stale")),
	When("state scope mismatch", Mismatch, Set("/record/confirmationState", "scope_mismatch")),
	When("state not required", Missing, Set("/record/confirmationState", "not_required_for_stage")),
	When("state passed", "", Set("/record/confirmationState", "passed")),
}

// UnneededRows are about a correction, in which nobody has to confirm and nobody can.
var UnneededRows = []Row{
	When("state not required", ""),
	When("state absent", Missing, Del("/record/confirmationState")),
	When("state missing", Missing, Set("/record/confirmationState", "missing")),
	When("state stale", Expired, Set("/record/confirmationState", "stale")),
	When("state scope mismatch", Mismatch, Set("/record/confirmationState", "scope_mismatch")),
	When("state passed", "", Set("/record/confirmationState", "passed")),
	When("parties that did not confirm", "", Set("/record/requiredParties", []string{"party-a"})),
	When("an expired confirmation of a required party", Expired,
		Set("/record/requiredParties", []string{"party-a"}), Confirmations(ConfirmationOf("party-a", "expiresAt", Now))),
	When("an expired confirmation of a required party, never given", "",
		Set("/record/requiredParties", []string{"party-a"}),
		Confirmations(ConfirmationOf("party-a", "expiresAt", Now, "confirmedAt", FarAhead))),
	When("an expired confirmation of somebody", "", Confirmations(ConfirmationOf("party-a", "expiresAt", Now))),
	When("a confirmation of other terms", Mismatch, Confirmations(ConfirmationOf("party-a", "termsHash", OtherHash))),
	When("a confirmation of no terms", Mismatch, Confirmations(map[string]any{})),
	When("after-terms hash absent", "after_terms_hash_missing", Del("/record/afterTermsHash")),
	When("an effect that nobody can confirm, state not required", Exposure, Set("/record/effects/exposureIncrease", true),
		Set("/record/requiredParties", []string{"party-a"}), Confirmations(ConfirmationOf("party-a"))),
	When("an effect not ruled out that the party confirmed", Exposure, Del("/record/effects/exposureIncrease"),
		Set("/record/confirmationState", "passed"), Set("/record/requiredParties", []string{"party-a"}),
		Confirmations(ConfirmationOf("party-a"))),
}

// NeedingRows: every transition but a correction needs confirmations, though no effect is declared.
var NeedingRows = []Row{
	When("a pause", Missing, Set("/record/transition", "pause_or_early_termination"), Set("/record/amendmentType", "pause")),
	When("an evidence standard", Missing, Set("/record/transition", "evidence_standard_change"),
		Set("/record/amendmentType", "evidence_standard_change")),
	When("a destination", "funds_redirect_without_confirmation "+Missing, Set("/record/transition", "destination_change"),
		Set("/record/amendmentType", "destination_change"), Set("/record/destinationReview/completed", true)),
	When("a pledge swap", Missing, Set("/record/transition", "pledge_swap_material_change"),
		Set("/record/amendmentType", "other")),
	When("a donation offset", Missing, Set("/record/transition", "donation_offset_material_change"),
		Set("/record/amendmentType", "other"), Set("/record/subjectType", "locked_donation_offset")),
}
