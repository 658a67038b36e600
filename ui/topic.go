package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A topic is something that the contract has a text for: a blocker, a trigger or a transition; just one of the three.
type topic struct {
	area       domain.Area
	code       domain.Blocker
	trigger    domain.Trigger
	transition domain.Transition
	view       *domain.View // the packet that it is met in; nil where none is open
	blind      bool         // what the rules advise on it is not shown yet
}

// An explainer is a screen on which a topic can be met.
type explainer interface {
	// topics are those under the cursor, then those of the whole screen; none if there are none.
	topics(s *scene) []topic
}

// is tells whether two topics are the same, wherever they are met.
func (t *topic) is(other *topic) bool {
	return t.code == other.code && t.trigger == other.trigger && t.transition == other.transition &&
		(t.area == other.area || !t.code.Present())
}

// once drops topics that come again.
func once(topics []topic) []topic {
	var list []topic
	for i := range topics {
		known := false
		for j := range list {
			known = known || list[j].is(&topics[i])
		}
		if !known {
			list = append(list, topics[i])
		}
	}
	return list
}

// codeTopics are those of blockers.
func codeTopics(area domain.Area, codes []domain.Blocker, v *domain.View) []topic {
	topics := make([]topic, len(codes))
	for i, code := range codes {
		topics[i] = topic{area: area, code: code, view: v}
	}
	return topics
}

// viewTopics are those of a packet: its blockers, and its trigger or transition.
func viewTopics(v *domain.View) []topic {
	topics := codeTopics(v.Area(), v.Judgment().Blockers(), v)
	if trigger, known := triggerOf(v); known {
		topics = append(topics, topic{area: domain.Appeals, trigger: trigger, view: v})
	}
	return append(topics, transitionTopics(v)...)
}

// queueTopics are those of a row of the queue.
func queueTopics(row *domain.QueueRow) []topic {
	topics := codeTopics(row.Blockers.Area, row.Blockers.List(), nil)
	if trigger, err := domain.Triggers.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, topic{area: domain.Appeals, trigger: trigger})
	}
	if transition, err := domain.Transitions.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, topic{area: domain.Amendments, transition: transition})
	}
	return topics
}

// recordTopics are those of a record.
func recordTopics(m *domain.EnforcementMembers) []topic {
	topics := codeTopics(m.Area, m.ComputedBlockers, nil)
	topics = append(topics, codeTopics(m.Area, m.ReviewerBlockers, nil)...)
	if m.Trigger.Present() {
		topics = append(topics, topic{area: domain.Appeals, trigger: m.Trigger})
	}
	if m.Transition.Present() {
		topics = append(topics, topic{area: domain.Amendments, transition: m.Transition})
	}
	return topics
}

// triggerOf is the trigger of the case in view; false if it has none.
func triggerOf(v *domain.View) (domain.Trigger, bool) {
	record := v.Record().AppealCase()
	return record.Record().Trigger, record.Held() && record.Record().Trigger.Present()
}

// transitionTopics is the transition of the amendment in view; none if it has none.
func transitionTopics(v *domain.View) []topic {
	if transition := v.Record().Amendment().Record().Transition; transition.Present() {
		return []topic{{area: domain.Amendments, transition: transition, view: v}}
	}
	return nil
}

// policyRule is what the policy that the case was judged by says about its trigger; false if no policy is held.
func policyRule(v *domain.View) (domain.OutcomeRule, bool) {
	policy := v.Policy().AppealPolicy()
	trigger, known := triggerOf(v)
	if !policy.Held() || !known {
		return domain.OutcomeRule{}, false
	}
	rules := policy.Record().OutcomeRules
	return rules.For(trigger), true
}

// ruleLines is that rule as text: what it advises, and what it permits.
func ruleLines(v *domain.View, width int, blind bool) line.Sheet {
	rule, held := policyRule(v)
	if !held {
		return line.Of(theme.Bad, "✗ ").And(theme.Plain, "the policy that the case names is not held, so nothing is permitted").Wrap(width, 2)
	}
	var sheet line.Sheet
	if !blind {
		sheet = line.Of(theme.Dim, "advises ").And(theme.Strong, wording.OrDash(rule.Advisory.Label())).Wrap(width, 2)
	}
	for _, outcome := range rule.Compatible.Words() {
		text := line.Of(theme.Pass, "  ✓ ").And(theme.Plain, outcome.Label()).
			And(theme.Dim, "  "+domain.EffectOf(outcome).Meaning)
		sheet = append(sheet, text.Wrap(width, 4)...)
	}
	if rule.Compatible.Empty() {
		sheet = append(sheet, line.Of(theme.Bad, "  ✗ ").And(theme.Plain, "permits nothing").Wrap(width, 4)...)
	}
	return sheet
}
