package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

// materialRows show that only corrections are held to their wording.
var materialRows = []domaintest.Row{
	domaintest.When("changed terms absent", "amendment_missing", domaintest.Del("/record/changedTerms")),
	domaintest.When("no changed terms", "amendment_missing", domaintest.Set("/record/changedTerms", []string{})),
	domaintest.When("evidence standard", "", domaintest.Set("/record/changedTerms", []string{"evidence_standard", "amount"})),
}

func TestParentRecordRule(t *testing.T) { check(t, domaintest.Correction, domaintest.ParentRows) }

func TestPauseRules(t *testing.T) { check(t, domaintest.Pause, domaintest.PauseRows) }

func TestEffectsCannotDenyWhatTheRecordStates(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.StatedRows)
}

func TestCorrectionRules(t *testing.T) { check(t, domaintest.Correction, domaintest.CorrectionRows) }

func TestMaterialChangeTerms(t *testing.T) { check(t, domaintest.MaterialChange, materialRows) }

func TestEffectRulesOnCorrections(t *testing.T) {
	check(t, domaintest.Correction, domaintest.CorrectionEffectRows)
}

func TestEffectsThatNoConfirmationCures(t *testing.T) {
	check(t, domaintest.MaterialChange, domaintest.UnconfirmableRows)
}

func TestConfirmableEffectRules(t *testing.T) {
	confirmed, unconfirmed, asCorrection := domaintest.EffectRows()
	check(t, domaintest.MaterialChange, confirmed)
	check(t, domaintest.MaterialChange, unconfirmed)
	check(t, domaintest.Correction, asCorrection)
}
