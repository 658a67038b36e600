package selftest

import (
	"slices"
	"testing"

	"docket/domain/rules"
	"docket/domain/terms"
)

// judgeBreakings break the rules. Every code of both areas is left out once.
func judgeBreakings() []breaking {
	var all []breaking
	for hook, area := range map[string]terms.Area{
		"appeal_case_fail_closed_evaluator": terms.Appeals, "agreement_amendment_evaluator_fail_closed": terms.Amendments,
	} {
		for _, rule := range rules.Book(area) {
			all = append(all, breaking{hook, "no rule for " + rule.Code.String(), "", judging(
				func(_ *rules.Input, v verdict) verdict {
					return without(v, rule.Code)
				})})
		}
		all = append(all,
			breaking{hook, "everything passes", "the gate passes", judging(
				func(*rules.Input, verdict) verdict { return verdict{gate: terms.Pass} })},
			breaking{hook, "nothing passes", "the whole sample does not pass", judging(
				func(_ *rules.Input, v verdict) verdict {
					v.gate = terms.Blocked
					return v
				})},
			breaking{hook, "what is not there passes", "the gate passes", judging(
				func(q *rules.Input, v verdict) verdict {
					if _, there := q.Key(); !there {
						return verdict{gate: terms.Pass}
					}
					return v
				})},
			breaking{hook, "a gate passes with blockers", "a sample's gate is pass with", judging(
				func(q *rules.Input, v verdict) verdict {
					if key, there := q.Key(); there && len(v.blockers) > 0 && key.ID != sampleNames[area].record.ID {
						v.gate = terms.Pass
					}
					return v
				})})
	}
	scope := "challenge_appeal_scope_smoke"
	return append(all,
		breaking{scope, "the scope is wider than the subject", "review scope", judging(
			func(_ *rules.Input, v verdict) verdict {
				v.decision.ReviewScope = terms.Subjects.All()
				return v
			})},
		breaking{scope, "nothing is in scope", "review scope", judging(
			func(_ *rules.Input, v verdict) verdict {
				v.decision.ReviewScope = nil
				return v
			})},
		breaking{scope, "the scope hash is not looked at", "scope_missing", judging(
			func(_ *rules.Input, v verdict) verdict {
				return without(v, terms.ScopeMissing)
			})},
		breaking{scope, "a safety blocker can be waived", "safety_blocker_waiver_attempted", judging(
			func(_ *rules.Input, v verdict) verdict {
				return without(v, terms.SafetyBlockerWaiverAttempted)
			})},
		breaking{scope, "a settled obligation can be reopened", "settled_obligation_reopen_attempted", judging(
			func(_ *rules.Input, v verdict) verdict {
				return without(v, terms.SettledObligationReopenAttempted)
			})},
		breaking{scope, "private details can be asked for", "private_details_unredacted", judging(
			func(_ *rules.Input, v verdict) verdict {
				return without(v, terms.PrivateDetailsUnredacted)
			})})
}

func judging(change func(*rules.Input, verdict) verdict) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.judge = func(q *rules.Input) verdict { return change(q, judge(q)) }
	}
}

// without is the verdict of rules that lack the one with that code.
func without(v verdict, code terms.Blocker) verdict {
	v.blockers = slices.DeleteFunc(v.blockers, func(held terms.Blocker) bool { return held == code })
	if len(v.blockers) == 0 {
		v.gate = terms.Pass
	}
	return v
}
