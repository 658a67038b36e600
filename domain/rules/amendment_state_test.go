package rules_test

import (
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
)

// What a transition may be applied to, and how, written out from the specification.
var (
	everySubjectType = []string{"locked_donation_offset", "locked_pledge_swap", "matched_trade_lock_proposal",
		"cleared_trade_agreement"}
	everyAmendmentType = []string{"correction", "mutual_modification", "pause", "early_termination",
		"evidence_standard_change", "schedule_change", "compensation_change", "destination_change",
		"baseline_correction", "privacy_change", "other"}
	materialTypes = []string{"mutual_modification", "evidence_standard_change", "schedule_change", "compensation_change",
		"destination_change", "baseline_correction", "privacy_change", "other"}
	fitting = map[string][2][]string{
		"donation_offset_material_change": {{"locked_donation_offset", "cleared_trade_agreement"}, materialTypes},
		"pledge_swap_material_change": {{"locked_pledge_swap", "matched_trade_lock_proposal",
			"cleared_trade_agreement"}, materialTypes},
		"post_lock_correction":       {everySubjectType, {"correction"}},
		"pause_or_early_termination": {everySubjectType, {"pause", "early_termination"}},
		"evidence_standard_change":   {everySubjectType, {"evidence_standard_change"}},
		"destination_change":         {everySubjectType, {"destination_change"}},
	}
)

// saidByType are the blockers of what a type says of itself.
var saidByType = map[string]string{"compensation_change": "compensation_change_without_confirmation",
	"destination_change": "funds_redirect_without_confirmation", "privacy_change": "privacy_change_without_confirmation"}

func TestTransitionSubjectTypeAndAmendmentTypeMustFit(t *testing.T) {
	for transition, fits := range fitting {
		for _, subject := range everySubjectType {
			for _, kind := range everyAmendmentType {
				held := domaintest.Codes(judged(t, domaintest.DestinationChange(), domaintest.Set("/record/transition", transition),
					domaintest.Set("/record/subjectType", subject), domaintest.Set("/record/amendmentType", kind),
					domaintest.Set("/record/changedTerms", []string{"wording"}), domaintest.Set("/record/effects", map[string]any{
						"retroactivePerformance": false, "evidenceClaimRetyped": false, "exposureIncrease": false, "fundsRedirect": false,
						"compensationChange": false, "cancellationRightsNarrowed": false, "privacyChange": false,
						"donorOfRecordChange": false, "thirdPartyObligationChange": false})))
				want := []string{"amendment_missing"}
				if slices.Contains(fits[0], subject) && slices.Contains(fits[1], kind) {
					want = []string{}
				}
				if said := saidByType[kind]; transition == "post_lock_correction" && said != "" {
					want = append(want, said) // which no confirmation cures in a correction
				}
				if !slices.Equal(held, want) {
					t.Errorf("%s on %s by %s: got %q, want %q", transition, subject, kind, held, want)
				}
			}
		}
	}
}
