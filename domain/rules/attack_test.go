package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
)

// crowds are amendments of up to a mebibyte that make the confirmations as laborious to judge as they can be: many
// required parties, or one of them many times, with as many confirmations.
func crowds() map[string]domaintest.Scene {
	crowd := func(parties, confirmations []string) domaintest.Scene {
		s := domaintest.MaterialChange()
		delete(s.Record(), "confirmations")
		delete(s.Record(), "requiredParties")
		s.Record()["requiredParties"] = domaintest.Normal(parties)
		list := []any{}
		for _, party := range confirmations {
			list = append(list, map[string]any{"partyRef": party, "confirmedAt": domaintest.LongAgo})
		}
		s.Record()["confirmations"] = list
		return s
	}
	many := func(count int, prefix string) []string {
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprintf("%s%05d", prefix, i)
		}
		return names
	}
	same := func(count int, name string) []string { return strings.Fields(strings.Repeat(name+" ", count)) }
	live := crowd(many(3600, "p"), nil)
	list := []any{}
	for _, party := range many(3600, "p") {
		list = append(list, map[string]any{"partyRef": party, "covers": domaintest.Normal(everyConfirmable),
			"termsHash": domaintest.AfterTerms, "confirmedAt": domaintest.LongAgo})
	}
	live.Record()["confirmations"] = list
	return map[string]domaintest.Scene{
		"as many parties as confirmations":  crowd(many(14000, "p"), many(14000, "p")),
		"one party many times":              crowd([]string{"x"}, same(14000, "x")),
		"parties and others' confirmations": crowd(append(many(35000, "x"), "y"), append(same(10500, "z"), "x", "y")),
		"all parties confirmed everything":  live,
	}
}

// crowdBlockers are those of the crowds: found in milliseconds, where comparing each with each would take many seconds.
var crowdBlockers = map[string]string{
	"as many parties as confirmations": "exposure_increase_without_confirmation participant_confirmation_scope_mismatch",
	"one party many times":             "exposure_increase_without_confirmation participant_confirmation_scope_mismatch",
	"parties and others' confirmations": "exposure_increase_without_confirmation renewed_confirmation_missing " +
		"participant_confirmation_scope_mismatch",
	"all parties confirmed everything": "",
}

func TestCrowdsOfPartiesAreJudgedLikeAnyOther(t *testing.T) {
	for name, s := range crowds() {
		if got := strings.Join(domaintest.Held(s), " "); got != crowdBlockers[name] {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func BenchmarkEvaluateCrowd(b *testing.B) {
	for name, s := range crowds() {
		line := s.SealedByHand()
		var reader packets.Reader
		question, fault := rules.ReadInput(&reader, line)
		if fault != nil || len(line) > 1<<20 {
			b.Fatalf("%d bytes: %v", len(line), fault)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rules.Evaluate(&question)
			}
		})
	}
}

// Everything but the judging, of the same crowds: reading, redacting, looking and digesting the view.
func BenchmarkViewOfCrowd(b *testing.B) {
	for name, s := range crowds() {
		s = domaintest.Parsed(string(s.SealedByHand()))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v := s.Look(b, domaintest.Instant(domaintest.Now))
				v.Digest(domaintest.SampleSalt)
			}
		})
	}
}

var everyConfirmable = []string{"exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange",
	"donorOfRecordChange", "thirdPartyObligationChange"}
