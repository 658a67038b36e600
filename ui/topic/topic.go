// Package topic is what the contract has a text for, wherever it is met: a blocker, a trigger or a transition.
//
// topic.go says what a screen's topics are and writes their texts; contract_text.go is the overlay that shows them.
package topic

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A Topic is something that the contract has a text for: a blocker, a trigger or a transition; just one of the three.
type Topic struct {
	Area       domain.Area
	Code       domain.Blocker
	Trigger    domain.Trigger
	Transition domain.Transition
	View       *domain.View // the packet that it is met in; nil where none is open
	Blind      bool         // what the rules advise on it is not shown yet
}

// An explainer is a screen on which a topic can be met.
type explainer interface {
	// Topics are those under the cursor, then those of the whole screen; none if there are none.
	Topics(s *screen.Scene) []Topic
}

// is tells whether two topics are the same, wherever they are met.
func (t *Topic) is(other *Topic) bool {
	return t.Code == other.Code && t.Trigger == other.Trigger && t.Transition == other.Transition &&
		(t.Area == other.Area || !t.Code.Present())
}

// Once drops topics that come again.
func Once(topics []Topic) []Topic {
	var list []Topic
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

// OfCodes are those of blockers.
func OfCodes(area domain.Area, codes []domain.Blocker, v *domain.View) []Topic {
	topics := make([]Topic, len(codes))
	for i, code := range codes {
		topics[i] = Topic{Area: area, Code: code, View: v}
	}
	return topics
}

// OfView are those of a packet: its blockers, and its trigger or transition.
func OfView(v *domain.View) []Topic {
	topics := OfCodes(v.Area(), v.Judgment().Blockers(), v)
	if trigger, known := TriggerOf(v); known {
		topics = append(topics, Topic{Area: domain.Appeals, Trigger: trigger, View: v})
	}
	return append(topics, OfTransition(v)...)
}

// OfRow are those of a row of the queue.
func OfRow(row *domain.QueueRow) []Topic {
	topics := OfCodes(row.Blockers.Area, row.Blockers.List(), nil)
	if trigger, err := domain.Triggers.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, Topic{Area: domain.Appeals, Trigger: trigger})
	}
	if transition, err := domain.Transitions.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, Topic{Area: domain.Amendments, Transition: transition})
	}
	return topics
}

// OfRecord are those of a record.
func OfRecord(m *domain.EnforcementMembers) []Topic {
	topics := OfCodes(m.Area, m.ComputedBlockers, nil)
	topics = append(topics, OfCodes(m.Area, m.ReviewerBlockers, nil)...)
	if m.Trigger.Present() {
		topics = append(topics, Topic{Area: domain.Appeals, Trigger: m.Trigger})
	}
	if m.Transition.Present() {
		topics = append(topics, Topic{Area: domain.Amendments, Transition: m.Transition})
	}
	return topics
}

// TriggerOf is the trigger of the case in view; false if it has none.
func TriggerOf(v *domain.View) (domain.Trigger, bool) {
	record := v.Record().AppealCase()
	return record.Record().Trigger, record.Held() && record.Record().Trigger.Present()
}

// OfTransition is the transition of the amendment in view; none if it has none.
func OfTransition(v *domain.View) []Topic {
	if transition := v.Record().Amendment().Record().Transition; transition.Present() {
		return []Topic{{Area: domain.Amendments, Transition: transition, View: v}}
	}
	return nil
}

// PolicyRule is what the policy that the case was judged by says about its trigger; false if no policy is held.
func PolicyRule(v *domain.View) (domain.OutcomeRule, bool) {
	policy := v.Policy().AppealPolicy()
	trigger, known := TriggerOf(v)
	if !policy.Held() || !known {
		return domain.OutcomeRule{}, false
	}
	rules := policy.Record().OutcomeRules
	return rules.For(trigger), true
}

// RuleLines is that rule as text: what it advises, and what it permits.
func RuleLines(v *domain.View, width int, blind bool) line.Sheet {
	rule, held := PolicyRule(v)
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
