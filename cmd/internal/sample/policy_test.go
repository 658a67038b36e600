package sample

import (
	"testing"

	"docket/domain/packets"
	"docket/domain/terms"
)

// defaultRules are the outcome rules for each trigger: the advisory outcome, then the others that are compatible
// the four that always are.
var defaultRules = map[terms.Trigger][]terms.Outcome{
	terms.DuplicateProof: {terms.BlockReliance,
		terms.OpenChallengeWindow, terms.BlockReliance, terms.CorrectRecord},
	terms.CoerciveBaseline: {terms.RouteHumanReview,
		terms.OpenChallengeWindow, terms.BlockReliance},
	terms.WrongScopeEvidence: {terms.OpenChallengeWindow,
		terms.OpenChallengeWindow, terms.BlockReliance, terms.CorrectRecord},
	terms.MaterialFactualError: {terms.CorrectRecord,
		terms.OpenChallengeWindow, terms.CorrectRecord},
	terms.PrivacyDisclosureError: {terms.BlockReliance,
		terms.BlockReliance, terms.RecordRemedy, terms.CorrectRecord},
	terms.ExternalityRemedyGap: {terms.RecordRemedy,
		terms.BlockReliance, terms.RecordRemedy},
	terms.ReviewerConflict: {terms.RouteHumanReview,
		terms.OpenChallengeWindow, terms.BlockReliance},
	terms.PolicyMisapplied: {terms.OpenChallengeWindow,
		terms.OpenChallengeWindow, terms.CorrectRecord},
}

func TestTheFrozenAppealPoliciesHaveTheDefaultOutcomeRules(t *testing.T) {
	h := open(t)
	frozen := 0
	for key, packet := range h.policies {
		policy := packet.AppealPolicy().Record()
		if policy.Status != terms.AppealPolicyFrozen {
			continue
		}
		frozen++
		for _, trigger := range terms.Triggers.All() {
			want := packets.OutcomeRule{
				Advisory: defaultRules[trigger][0],
				Compatible: terms.SetOf(terms.UpholdDecision, terms.RequestEvidence, terms.RouteHumanReview,
					terms.CloseUnresolved).Union(terms.SetOf(defaultRules[trigger][1:]...)),
			}
			if got := policy.OutcomeRules.For(trigger); got != want {
				t.Errorf("%s, %s: advises %s, permits %v", key.key.ID, trigger, got.Advisory, got.Compatible.Texts())
			}
		}
	}
	if frozen == 0 {
		t.Error("no appeal policy is frozen")
	}
}

func TestASupersededVersionIsStillNamed(t *testing.T) {
	h := open(t)
	appeals, amendments := 0, 0
	for _, record := range h.queue() {
		policy, id := h.policyOf(record)
		if policy.Table() == 0 || h.latest[id] == policy.Key().Number {
			continue
		}
		if record.AppealCase().Held() {
			appeals++
		} else {
			amendments++
		}
	}
	if appeals == 0 || amendments == 0 {
		t.Errorf("%d cases and %d amendments name a former version", appeals, amendments)
	}
}
