package sample

import (
	"testing"

	"docket/domain"
)

// defaultRules are the outcome rules for each trigger: the advisory outcome, then those that are compatible besides
// the four that always are.
var defaultRules = map[domain.Trigger][]domain.Outcome{
	domain.DuplicateProof: {domain.BlockReliance,
		domain.OpenChallengeWindow, domain.BlockReliance, domain.CorrectRecord},
	domain.CoerciveBaseline: {domain.RouteHumanReview,
		domain.OpenChallengeWindow, domain.BlockReliance},
	domain.WrongScopeEvidence: {domain.OpenChallengeWindow,
		domain.OpenChallengeWindow, domain.BlockReliance, domain.CorrectRecord},
	domain.MaterialFactualError: {domain.CorrectRecord,
		domain.OpenChallengeWindow, domain.CorrectRecord},
	domain.PrivacyDisclosureError: {domain.BlockReliance,
		domain.BlockReliance, domain.RecordRemedy, domain.CorrectRecord},
	domain.ExternalityRemedyGap: {domain.RecordRemedy,
		domain.BlockReliance, domain.RecordRemedy},
	domain.ReviewerConflict: {domain.RouteHumanReview,
		domain.OpenChallengeWindow, domain.BlockReliance},
	domain.PolicyMisapplied: {domain.OpenChallengeWindow,
		domain.OpenChallengeWindow, domain.CorrectRecord},
}

func TestTheFrozenAppealPoliciesHaveTheDefaultOutcomeRules(t *testing.T) {
	h := open(t)
	frozen := 0
	for key, packet := range h.policies {
		policy := packet.AppealPolicy().Record()
		if policy.Status != domain.AppealPolicyFrozen {
			continue
		}
		frozen++
		for _, trigger := range domain.Triggers.All() {
			want := domain.OutcomeRule{
				Advisory: defaultRules[trigger][0],
				Compatible: domain.SetOf(domain.UpholdDecision, domain.RequestEvidence, domain.RouteHumanReview,
					domain.CloseUnresolved).Union(domain.SetOf(defaultRules[trigger][1:]...)),
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
