package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

func TestNobodyJudgesAnAppealInTheirOwnCause(t *testing.T) {
	check(t, domaintest.Appeal, domaintest.AppealPartyRows)
}

func TestNobodyJudgesAnAmendmentInTheirOwnCause(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.AmendmentPartyRows)
}

func TestNeutralReviewRuleOfAppeals(t *testing.T) {
	check(t, domaintest.Appeal, domaintest.NeutralReviewRows)
}

func TestNeutralReviewRuleOfCorrections(t *testing.T) {
	check(t, domaintest.Correction, domaintest.NeutralReviewRows)
}

func TestNeutralReviewRuleOfMaterialChanges(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.NeutralReviewRows)
}

func TestDestinationReviewRule(t *testing.T) {
	check(t, domaintest.DestinationChange, domaintest.DestinationRows)
}

func TestOtherTransitionsNeedNoDestinationReview(t *testing.T) {
	check(t, domaintest.MaterialChange, []domaintest.Row{
		domaintest.When("absent", ""),
		domaintest.When("not completed", "", domaintest.Set("/record/destinationReview", map[string]any{"completed": false})),
	})
}
