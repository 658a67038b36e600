package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

func TestConfirmationRules(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.ConfirmationRows)
}

func TestConfirmationRulesWhereNoneIsNeeded(t *testing.T) {
	check(t, domaintest.Correction, domaintest.UnneededRows)
}

func TestEveryOtherTransitionNeedsConfirmation(t *testing.T) {
	check(t, domaintest.Correction, domaintest.NeedingRows)
}
