package domain_test

import (
	"maps"
	"slices"
	"testing"
)

// parentRows are about the parent record; an edit of it is no amendment.
var parentRows = []row{
	when("parent record absent", "parent_record_edit_detected", del("/record/parentRecord")),
	when("parent record empty", "parent_record_edit_detected", set("/record/parentRecord", map[string]any{})),
	when("hash at lock absent", "parent_record_edit_detected", del("/record/parentRecord/hashAtLock")),
	when("hash observed absent", "parent_record_edit_detected", del("/record/parentRecord/hashObserved")),
	when("hashes differ", "parent_record_edit_detected", set("/record/parentRecord/hashObserved", otherHash)),
	when("another hash, twice", "",
		set("/record/parentRecord/hashAtLock", otherHash), set("/record/parentRecord/hashObserved", otherHash)),
}

// correctionRows are what a correction may not do.
var correctionRows = []row{
	when("changed terms absent", "amendment_missing retroactive_performance_change", del("/record/changedTerms")),
	when("no changed terms", "amendment_missing", set("/record/changedTerms", []string{})),
	when("wording", "", set("/record/changedTerms", []string{"wording"})),
	when("wording twice", "", set("/record/changedTerms", []string{"wording", "wording"})),
	when("wording and amount", "retroactive_performance_change", set("/record/changedTerms", []string{"wording", "amount"})),
	when("amount", "retroactive_performance_change", set("/record/changedTerms", []string{"amount"})),
	when("ratio", "retroactive_performance_change", set("/record/changedTerms", []string{"ratio"})),
	when("baseline", "retroactive_performance_change", set("/record/changedTerms", []string{"baseline"})),
	when("destination", "retroactive_performance_change funds_redirect_without_confirmation renewed_confirmation_missing "+
		"neutral_review_missing", set("/record/changedTerms", []string{"destination"})),
	when("donor treatment", "retroactive_performance_change", set("/record/changedTerms", []string{"donor_treatment"})),
	when("evidence standard", "retroactive_performance_change evidence_claim_retyped",
		set("/record/changedTerms", []string{"evidence_standard"})),
	when("wording and evidence standard", "retroactive_performance_change evidence_claim_retyped",
		set("/record/changedTerms", []string{"wording", "evidence_standard"})),
	when("remedy", "retroactive_performance_change", set("/record/changedTerms", []string{"remedy"})),
	when("schedule", "retroactive_performance_change", set("/record/changedTerms", []string{"schedule"})),
	when("compensation", "retroactive_performance_change compensation_change_without_confirmation renewed_confirmation_missing",
		set("/record/changedTerms", []string{"compensation"})),
	when("privacy", "retroactive_performance_change privacy_change_without_confirmation renewed_confirmation_missing",
		set("/record/changedTerms", []string{"privacy"})),
	when("cancellation", "retroactive_performance_change", set("/record/changedTerms", []string{"cancellation"})),
}

// materialRows show that only corrections are held to their wording.
var materialRows = []row{
	when("changed terms absent", "amendment_missing", del("/record/changedTerms")),
	when("no changed terms", "amendment_missing", set("/record/changedTerms", []string{})),
	when("evidence standard", "", set("/record/changedTerms", []string{"evidence_standard", "amount"})),
}

// pauseRows: only a pause or early termination may name no changed term, and only there can the parties confirm that
// cancellation rights are narrowed.
var pauseRows = []row{
	when("a pause", ""),
	when("an early termination", "", set("/record/amendmentType", "early_termination")),
	when("changed terms absent", "amendment_missing", del("/record/changedTerms")),
	when("no changed terms", "", set("/record/changedTerms", []string{})),
	when("no changed terms and equal hashes", "", set("/record/changedTerms", []string{}), equalHashes),
	when("a changed term and equal hashes", "after_terms_hash_missing", equalHashes),
	when("cancellation rights not spoken of", "", del("/record/effects/cancellationRightsNarrowed")),
	when("cancellation rights narrowed", "", narrowed),
	when("narrowed, and not covered by one party", "cancellation_rights_narrowed", narrowed,
		set("/record/confirmations/1/covers", []string{"exposureIncrease"})),
	when("narrowed, and confirmed at no time", "exposure_increase_without_confirmation cancellation_rights_narrowed "+missing,
		narrowed, del("/record/confirmations/1/confirmedAt")),
	when("narrowed, and no party required", "exposure_increase_without_confirmation cancellation_rights_narrowed "+missing,
		narrowed, set("/record/requiredParties", []string{})),
	when("narrowed, in a material change", "cancellation_rights_narrowed", narrowed,
		set("/record/transition", "pledge_swap_material_change"), set("/record/amendmentType", "other")),
}

func pause() scene {
	s := materialChange()
	s.record()["transition"], s.record()["amendmentType"] = "pause_or_early_termination", "pause"
	for _, c := range s.record()["confirmations"].([]any) {
		c.(map[string]any)["covers"] = append(c.(map[string]any)["covers"].([]any), "cancellationRightsNarrowed")
	}
	return s
}

var (
	narrowed    = set("/record/effects/cancellationRightsNarrowed", true)
	equalHashes = set("/record/beforeTermsHash", afterTerms)
	nobody      = confirmations(confirmationOf("party-a"), confirmationOf("party-b")) // of anything but exposure
)

// statedRows: what type or terms say, effects cannot deny. Every effect but the exposure is declared off here.
var statedRows = []row{
	when("compensation by type", "", set("/record/amendmentType", "compensation_change")),
	when("compensation by type, not confirmed", "compensation_change_without_confirmation",
		set("/record/amendmentType", "compensation_change"), nobody),
	when("compensation by term", "", set("/record/changedTerms", []string{"schedule", "compensation"})),
	when("compensation by term, not confirmed", "compensation_change_without_confirmation",
		set("/record/changedTerms", []string{"schedule", "compensation"}), nobody),
	when("privacy by type", "", set("/record/amendmentType", "privacy_change")),
	when("privacy by type, not confirmed", "privacy_change_without_confirmation",
		set("/record/amendmentType", "privacy_change"), nobody),
	when("privacy by term", "", set("/record/changedTerms", []string{"privacy"})),
	when("privacy by term, not confirmed", "privacy_change_without_confirmation",
		set("/record/changedTerms", []string{"privacy"}), nobody),
	when("cancellation by term", "", set("/record/changedTerms", []string{"cancellation"}), nobody),
	when("destination by type", "", set("/record/amendmentType", "destination_change"), reviewed),
	when("destination by type, not confirmed", "funds_redirect_without_confirmation",
		set("/record/amendmentType", "destination_change"), reviewed, nobody),
	when("destination by type, not reviewed", "neutral_review_missing", set("/record/amendmentType", "destination_change")),
	when("destination by term", "", set("/record/changedTerms", []string{"destination"}), reviewed),
	when("destination by term, not confirmed", "funds_redirect_without_confirmation",
		set("/record/changedTerms", []string{"destination"}), reviewed, nobody),
	when("destination by term, not reviewed", "neutral_review_missing", set("/record/changedTerms", []string{"destination"}),
		set("/record/destinationReview/completed", false)),
	when("nothing that says so, not confirmed", "", nobody),
	when("evidence standard by type", "", set("/record/amendmentType", "evidence_standard_change"), nobody),

	when("equal hashes", "after_terms_hash_missing", equalHashes),
	when("after-terms hash absent", exposure+" "+mismatch+" after_terms_hash_missing", del("/record/afterTermsHash")),
	when("both hashes absent", exposure+" "+mismatch+" before_terms_hash_missing after_terms_hash_missing",
		del("/record/afterTermsHash"), del("/record/beforeTermsHash")),
	when("equal hashes, changed terms absent", "amendment_missing", equalHashes, del("/record/changedTerms")),
}

var reviewed = set("/record/destinationReview", map[string]any{"completed": true})

// correctionEffectRows: in a correction every effect has to be ruled out, or the parties have to confirm.
var correctionEffectRows = []row{
	when("effects absent", "retroactive_performance_change evidence_claim_retyped "+
		"exposure_increase_without_confirmation funds_redirect_without_confirmation "+
		"compensation_change_without_confirmation cancellation_rights_narrowed privacy_change_without_confirmation "+
		"donor_of_record_change_without_confirmation third_party_obligation_change_without_confirmation "+
		"renewed_confirmation_missing", del("/record/effects")),
	when("retroactive performance not ruled out", "retroactive_performance_change", del("/record/effects/retroactivePerformance")),
	when("retroactive performance", "retroactive_performance_change", set("/record/effects/retroactivePerformance", true)),
	when("retyped claim not ruled out", "evidence_claim_retyped", del("/record/effects/evidenceClaimRetyped")),
	when("retyped claim", "evidence_claim_retyped", set("/record/effects/evidenceClaimRetyped", true)),
	when("narrower cancellation not ruled out", "cancellation_rights_narrowed", del("/record/effects/cancellationRightsNarrowed")),
	when("narrower cancellation", "cancellation_rights_narrowed", set("/record/effects/cancellationRightsNarrowed", true)),
}

// confirmableEffects lead to their codes.
var confirmableEffects = map[string]string{
	"exposureIncrease":           "exposure_increase_without_confirmation",
	"fundsRedirect":              "funds_redirect_without_confirmation",
	"compensationChange":         "compensation_change_without_confirmation",
	"privacyChange":              "privacy_change_without_confirmation",
	"donorOfRecordChange":        "donor_of_record_change_without_confirmation",
	"thirdPartyObligationChange": "third_party_obligation_change_without_confirmation",
}

// effectRows are the lines of every confirmable effect: confirmed by both parties, and not.
func effectRows() (confirmed, unconfirmed, asCorrection []row) {
	effects := slices.Sorted(maps.Keys(confirmableEffects))
	for _, effect := range effects {
		code := confirmableEffects[effect]
		on, unknown := set("/record/effects/"+effect, true), del("/record/effects/"+effect)
		others := []string{}
		for _, other := range effects {
			if other != effect {
				others = append(others, other)
			}
		}
		exposureOff := set("/record/effects/exposureIncrease", false)
		uncovered := set("/record/confirmations/1/covers", others)
		confirmed = append(confirmed, when(effect, "", on), when(effect+" not ruled out", "", unknown))
		unconfirmed = append(unconfirmed,
			when(effect+" not covered by one party", code, exposureOff, on, uncovered),
			when(effect+" not ruled out and not covered", code, exposureOff, unknown, uncovered))
		if effect != "exposureIncrease" {
			unconfirmed = append(unconfirmed, when(effect+" ruled out and not covered", "", uncovered))
		}
		asCorrection = append(asCorrection,
			when(effect, code+" renewed_confirmation_missing", on),
			when(effect+" not ruled out", code+" renewed_confirmation_missing", unknown))
	}
	return confirmed, unconfirmed, asCorrection
}

// unconfirmableRows: no confirmation cures these, though every party has confirmed everything.
var unconfirmableRows = []row{
	when("retroactive performance", "retroactive_performance_change", set("/record/effects/retroactivePerformance", true),
		set("/record/confirmations/0/covers", []string{"retroactivePerformance", "exposureIncrease"}),
		set("/record/confirmations/1/covers", []string{"retroactivePerformance", "exposureIncrease"})),
	when("retyped claim", "evidence_claim_retyped", set("/record/effects/evidenceClaimRetyped", true),
		set("/record/confirmations/0/covers", []string{"evidenceClaimRetyped", "exposureIncrease"}),
		set("/record/confirmations/1/covers", []string{"evidenceClaimRetyped", "exposureIncrease"})),
	when("narrower cancellation", "cancellation_rights_narrowed", set("/record/effects/cancellationRightsNarrowed", true),
		set("/record/confirmations/0/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"}),
		set("/record/confirmations/1/covers", []string{"cancellationRightsNarrowed", "exposureIncrease"})),
	when("effects absent", "retroactive_performance_change evidence_claim_retyped cancellation_rights_narrowed",
		del("/record/effects")),
}

func TestParentRecordRule(t *testing.T) { check(t, correction, parentRows) }
func TestPauseRules(t *testing.T)       { check(t, pause, pauseRows) }
func TestEffectsCannotDenyWhatTheRecordStates(t *testing.T) {
	check(t, materialChange, statedRows)
}
func TestCorrectionRules(t *testing.T)                { check(t, correction, correctionRows) }
func TestMaterialChangeTerms(t *testing.T)            { check(t, materialChange, materialRows) }
func TestEffectRulesOnCorrections(t *testing.T)       { check(t, correction, correctionEffectRows) }
func TestEffectsThatNoConfirmationCures(t *testing.T) { check(t, materialChange, unconfirmableRows) }
func TestConfirmableEffectRules(t *testing.T) {
	confirmed, unconfirmed, asCorrection := effectRows()
	check(t, materialChange, confirmed)
	check(t, materialChange, unconfirmed)
	check(t, correction, asCorrection)
}
