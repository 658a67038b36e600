package rules_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
)

// confirmableEffects lead to their codes.
var confirmableEffects = map[string]string{
	"exposureIncrease":           "exposure_increase_without_confirmation",
	"fundsRedirect":              "funds_redirect_without_confirmation",
	"compensationChange":         "compensation_change_without_confirmation",
	"privacyChange":              "privacy_change_without_confirmation",
	"donorOfRecordChange":        "donor_of_record_change_without_confirmation",
	"thirdPartyObligationChange": "third_party_obligation_change_without_confirmation",
}

// expectedOfConfirmations reads the specification word by word, comparing each party with each confirmation. It
// returns the codes about confirmations of a material change whose confirmation state is passed.
func expectedOfConfirmations(record map[string]any) []string {
	parties, _ := record["requiredParties"].([]any)
	list, _ := record["confirmations"].([]any)
	codes := []string{}
	every := func(holds func(party string) bool) bool {
		return len(parties) > 0 && !slices.ContainsFunc(parties, func(p any) bool { return !holds(p.(string)) })
	}
	some := func(party string, holds func(c map[string]any) bool) bool {
		return slices.ContainsFunc(list, func(c any) bool {
			return c.(map[string]any)["partyRef"] == party && holds(c.(map[string]any))
		})
	}
	later := func(c map[string]any, name string) bool { // absent counts as never
		at, there := c[name].(string)
		return !there || domaintest.Instant(domaintest.Now).Before(domaintest.Instant(at))
	}
	for _, effect := range []string{"exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange",
		"donorOfRecordChange", "thirdPartyObligationChange"} {
		confirmed := every(func(party string) bool {
			return some(party, func(c map[string]any) bool {
				covers, _ := c["covers"].([]any)
				return slices.Contains(covers, any(effect)) && c["termsHash"] == record["afterTermsHash"] &&
					!later(c, "confirmedAt") && later(c, "expiresAt")
			})
		})
		if effects, _ := record["effects"].(map[string]any); effects[effect] != false && !confirmed {
			codes = append(codes, confirmableEffects[effect])
		}
	}
	given := func(c map[string]any) bool { return !later(c, "confirmedAt") }
	if !every(func(party string) bool { return some(party, given) }) {
		codes = append(codes, domaintest.Missing)
	}
	if slices.ContainsFunc(parties, func(p any) bool {
		party := p.(string)
		return some(party, given) && !some(party, func(c map[string]any) bool { return given(c) && later(c, "expiresAt") })
	}) {
		codes = append(codes, domaintest.Expired)
	}
	if slices.ContainsFunc(list, func(c any) bool { return c.(map[string]any)["termsHash"] != record["afterTermsHash"] }) {
		codes = append(codes, domaintest.Mismatch)
	}
	return codes
}

func TestConfirmationsAddUpAsTheSpecificationSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.MaterialChange()
		record := s.Record()
		names := []string{"a", "b", "c"}
		record["requiredParties"] = domaintest.Normal(rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 3, rapid.ID[string]).Draw(t, "parties"))
		for effect := range confirmableEffects {
			record["effects"].(map[string]any)[effect] = rapid.IntRange(0, 3).Draw(t, effect) == 0
		}
		list := []any{}
		for range rapid.IntRange(0, 14).Draw(t, "confirmations") {
			c := domaintest.ConfirmationOf(rapid.SampledFrom(names).Draw(t, "party"))
			c["covers"] = domaintest.Parsed(`{"all":` + domaintest.EveryConfirmable + `}`)["all"]
			switch rapid.IntRange(0, 8).Draw(t, "flaw") {
			case 0:
				c["covers"] = rapid.SliceOfNDistinct(rapid.SampledFrom(c["covers"].([]any)), 0, 6, rapid.ID[any]).Draw(t, "covers")
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
		if got, want := domaintest.Held(s), expectedOfConfirmations(record); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}
