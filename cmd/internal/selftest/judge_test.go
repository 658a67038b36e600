package selftest

import (
	"slices"
	"testing"

	"docket/domain"
)

// judgeBreakings break the rules. Every code of both areas is left out once.
func judgeBreakings() []breaking {
	var all []breaking
	for hook, area := range map[string]domain.Area{
		"appeal_case_fail_closed_evaluator": domain.Appeals, "agreement_amendment_evaluator_fail_closed": domain.Amendments,
	} {
		for _, rule := range domain.RuleBook(area) {
			all = append(all, breaking{hook, "no rule for " + rule.Code.String(), "", judging(
				func(_ *domain.Question, v verdict) verdict {
					return without(v, rule.Code)
				})})
		}
		all = append(all,
			breaking{hook, "everything passes", "the gate passes", judging(
				func(*domain.Question, verdict) verdict { return verdict{gate: domain.Pass} })},
			breaking{hook, "nothing passes", "the whole sample does not pass", judging(
				func(_ *domain.Question, v verdict) verdict {
					v.gate = domain.Blocked
					return v
				})},
			breaking{hook, "what is not there passes", "the gate passes", judging(
				func(q *domain.Question, v verdict) verdict {
					if _, there := q.Key(); !there {
						return verdict{gate: domain.Pass}
					}
					return v
				})},
			breaking{hook, "a gate passes with blockers", "a sample's gate is pass with", judging(
				func(q *domain.Question, v verdict) verdict {
					if key, there := q.Key(); there && len(v.blockers) > 0 && key.ID != sampleNames[area].record.ID {
						v.gate = domain.Pass
					}
					return v
				})})
	}
	scope := "challenge_appeal_scope_smoke"
	return append(all,
		breaking{scope, "the scope is wider than the subject", "review scope", judging(
			func(_ *domain.Question, v verdict) verdict {
				v.decision.ReviewScope = domain.Subjects.All()
				return v
			})},
		breaking{scope, "nothing is in scope", "review scope", judging(
			func(_ *domain.Question, v verdict) verdict {
				v.decision.ReviewScope = nil
				return v
			})},
		breaking{scope, "the scope hash is not looked at", "scope_missing", judging(
			func(_ *domain.Question, v verdict) verdict {
				return without(v, domain.ScopeMissing)
			})},
		breaking{scope, "a safety blocker can be waived", "safety_blocker_waiver_attempted", judging(
			func(_ *domain.Question, v verdict) verdict {
				return without(v, domain.SafetyBlockerWaiverAttempted)
			})},
		breaking{scope, "a settled obligation can be reopened", "settled_obligation_reopen_attempted", judging(
			func(_ *domain.Question, v verdict) verdict {
				return without(v, domain.SettledObligationReopenAttempted)
			})},
		breaking{scope, "private details can be asked for", "private_details_unredacted", judging(
			func(_ *domain.Question, v verdict) verdict {
				return without(v, domain.PrivateDetailsUnredacted)
			})})
}

func judging(change func(*domain.Question, verdict) verdict) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.judge = func(q *domain.Question) verdict { return change(q, judge(q)) }
	}
}

// without is the verdict of rules that lack the one with that code.
func without(v verdict, code domain.Blocker) verdict {
	v.blockers = slices.DeleteFunc(v.blockers, func(held domain.Blocker) bool { return held == code })
	if len(v.blockers) == 0 {
		v.gate = domain.Pass
	}
	return v
}
