package domain_test

import "testing"

// neutralReviewRows hold in both areas.
var neutralReviewRows = []row{
	when("review absent", "neutral_review_missing", del("/record/neutralReview")),
	when("review empty", "neutral_review_missing", set("/record/neutralReview", map[string]any{})),
	when("not said to be assigned", "neutral_review_missing", del("/record/neutralReview/assigned")),
	when("not assigned", "neutral_review_missing", set("/record/neutralReview/assigned", false)),
	when("reviewer absent", "neutral_review_missing", del("/record/neutralReview/reviewerId")),
	when("not said to be checked for conflicts", "neutral_review_missing", del("/record/neutralReview/conflictChecked")),
	when("not checked for conflicts", "neutral_review_missing", set("/record/neutralReview/conflictChecked", false)),
	when("not said whether a conflict was found", "neutral_review_missing", del("/record/neutralReview/conflictFound")),
	when("conflict found", "neutral_review_missing", set("/record/neutralReview/conflictFound", true)),
	when("original decider absent", "neutral_review_missing", del("/record/originalDeciderId")),
	when("reviewer is the original decider", "neutral_review_missing", set("/record/originalDeciderId", "reviewer-7")),
	when("reviewer is recused", "neutral_review_missing",
		set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-3", "reviewer-7"})),
	when("nobody is recused", "", set("/record/neutralReview/recusedReviewerIds", []string{})),
	when("recused reviewers absent", "", del("/record/neutralReview/recusedReviewerIds")),
	when("original decider is recused too", "", set("/record/neutralReview/recusedReviewerIds", []string{"decider-1"})),
}

// appealPartyRows and amendmentPartyRows: nobody judges in their own cause.
var appealPartyRows = []row{
	when("parties absent", "", del("/record/partyIds")),
	when("no parties", "", set("/record/partyIds", []string{})),
	when("other parties", "", set("/record/partyIds", []string{"party-a", "decider-1", "reviewer-3"})),
	when("reviewer is a party", "neutral_review_missing", set("/record/partyIds", []string{"party-a", "reviewer-7"})),
	when("reviewer is a party in capitals", "", set("/record/partyIds", []string{"Reviewer-7"})),
	when("reviewer absent among parties", "neutral_review_missing", set("/record/partyIds", []string{"party-a"}),
		del("/record/neutralReview/reviewerId")),
}

var amendmentPartyRows = []row{
	when("another owner", "", set("/record/ownerId", "owner-3")),
	when("reviewer is the owner", "neutral_review_missing", set("/record/ownerId", "reviewer-7")),
	when("reviewer is a required party", "neutral_review_missing", confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("reviewer-7")),
		set("/record/requiredParties", []string{"party-a", "party-b", "reviewer-7"})),
	when("reviewer confirmed, and is not required", "neutral_review_missing", confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("reviewer-7"))),
	when("reviewer has not confirmed yet", "neutral_review_missing", confirmations(confirmationOf("party-a"),
		confirmationOf("party-b"), confirmationOf("reviewer-7", "confirmedAt", farAhead))),
	when("a confirmation of nobody named", "", confirmations(confirmationOf("party-a"), confirmationOf("party-b"),
		map[string]any{"termsHash": afterTerms})),
}

// destinationRows need a change of destination, in which both its reviews count.
var destinationRows = []row{
	when("reviewed", ""),
	when("destination review absent", "neutral_review_missing", del("/record/destinationReview")),
	when("not said to be completed", "neutral_review_missing", set("/record/destinationReview", map[string]any{})),
	when("not completed", "neutral_review_missing", set("/record/destinationReview/completed", false)),
	when("completed by a recused reviewer", "neutral_review_missing",
		set("/record/neutralReview/recusedReviewerIds", []string{"reviewer-7"})),
}

func destinationChange() scene {
	s := materialChange()
	s.record()["transition"], s.record()["amendmentType"] = "destination_change", "destination_change"
	s.record()["destinationReview"] = map[string]any{"completed": true}
	return s
}

func TestNobodyJudgesAnAppealInTheirOwnCause(t *testing.T) { check(t, appeal, appealPartyRows) }
func TestNobodyJudgesAnAmendmentInTheirOwnCause(t *testing.T) {
	check(t, materialChange, amendmentPartyRows)
}
func TestNeutralReviewRuleOfAppeals(t *testing.T)     { check(t, appeal, neutralReviewRows) }
func TestNeutralReviewRuleOfCorrections(t *testing.T) { check(t, correction, neutralReviewRows) }
func TestNeutralReviewRuleOfMaterialChanges(t *testing.T) {
	check(t, materialChange, neutralReviewRows)
}
func TestDestinationReviewRule(t *testing.T) { check(t, destinationChange, destinationRows) }
func TestOtherTransitionsNeedNoDestinationReview(t *testing.T) {
	check(t, materialChange, []row{
		when("absent", ""),
		when("not completed", "", set("/record/destinationReview", map[string]any{"completed": false})),
	})
}
