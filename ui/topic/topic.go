// Package topic shows the contract's text for a blocker, a trigger or a transition.
//
// topic.go defines the topics of a screen and writes their texts; overlay.go is the overlay that
// shows them.
package topic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

// A Topic is exactly one of a blocker, a trigger and a transition; the contract has a text for
// each.
type Topic struct {
	Area       terms.Area
	Code       terms.Blocker
	Trigger    terms.Trigger
	Transition terms.Transition
	View       *views.View // the packet that it occurs in; nil if none is open
	Blind      bool        // the advice on it is not shown yet
}

type explainer interface {
	// Topics are those under the cursor, then those of the whole screen; none if there are none.
	Topics(s *screen.Scene) []Topic
}

func (t *Topic) is(other *Topic) bool {
	return t.Code == other.Code && t.Trigger == other.Trigger && t.Transition == other.Transition &&
		(t.Area == other.Area || !t.Code.Present())
}

func Unique(topics []Topic) []Topic {
	var list []Topic
	for i := range topics {
		if !slices.ContainsFunc(list, func(known Topic) bool { return known.is(&topics[i]) }) {
			list = append(list, topics[i])
		}
	}
	return list
}

// Held holds back the advice on each of the topics if blind.
func Held(topics []Topic, blind bool) []Topic {
	for i := range topics {
		topics[i].Blind = blind
	}
	return topics
}

func OfCodes(area terms.Area, codes []terms.Blocker, v *views.View) []Topic {
	topics := make([]Topic, len(codes))
	for i, code := range codes {
		topics[i] = Topic{Area: area, Code: code, View: v}
	}
	return topics
}

func OfView(v *views.View) []Topic {
	topics := OfCodes(v.Area(), v.Evaluation().Blockers(), v)
	if trigger, known := TriggerOf(v); known {
		topics = append(topics, Topic{Area: terms.Appeals, Trigger: trigger, View: v})
	}
	return append(topics, OfTransition(v)...)
}

func OfRow(row *queue.Row) []Topic {
	topics := OfCodes(row.Blockers.Area, row.Blockers.List(), nil)
	if trigger, err := terms.Triggers.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, Topic{Area: terms.Appeals, Trigger: trigger})
	}
	if transition, err := terms.Transitions.Parse(string(row.Trigger)); err == nil {
		topics = append(topics, Topic{Area: terms.Amendments, Transition: transition})
	}
	return topics
}

func OfRecord(m *records.Members) []Topic {
	topics := OfCodes(m.Area, m.ComputedBlockers, nil)
	topics = append(topics, OfCodes(m.Area, m.ReviewerBlockers, nil)...)
	if m.Trigger.Present() {
		topics = append(topics, Topic{Area: terms.Appeals, Trigger: m.Trigger})
	}
	if m.Transition.Present() {
		topics = append(topics, Topic{Area: terms.Amendments, Transition: m.Transition})
	}
	return topics
}

// TriggerOf is the trigger of the case in view; false if it has none.
func TriggerOf(v *views.View) (terms.Trigger, bool) {
	record := v.Record().AppealCase()
	return record.Record().Trigger, record.Held() && record.Record().Trigger.Present()
}

// OfTransition is the transition of the amendment in view; none if it has none.
func OfTransition(v *views.View) []Topic {
	if transition := v.Record().Amendment().Record().Transition; transition.Present() {
		return []Topic{{Area: terms.Amendments, Transition: transition, View: v}}
	}
	return nil
}

// PolicyRule is the rule for the case's trigger in its policy; false if no policy is held.
func PolicyRule(v *views.View) (packets.OutcomeRule, bool) {
	policy := v.Policy().AppealPolicy()
	trigger, known := TriggerOf(v)
	if !policy.Held() || !known {
		return packets.OutcomeRule{}, false
	}
	rules := policy.Record().OutcomeRules
	return rules.For(trigger), true
}

// RuleLines is that rule as text: its default and the permitted outcomes.
func RuleLines(v *views.View, width int, blind bool) line.Sheet {
	var sheet line.Sheet
	if rule, held := PolicyRule(v); held && !blind {
		sheet = line.Of(theme.Dim, "by default ").And(theme.Strong, wording.OrDash(rule.Advisory.Label())).Wrap(width, 2)
	}
	permitted := Permitted(v)
	return append(sheet, widget.RowLines(permitted, width, false)...)
}

// Permitted are the outcomes that the policy permits for the trigger, each with its meaning, with
// the provenance activity and the traceability step that it is recorded under, and with the reason
// why it may not be recorded on this packet.
func Permitted(v *views.View) (rows []pages.Row) {
	rule, held := PolicyRule(v)
	switch {
	case !held:
		return []pages.Row{{Mark: pages.Bad, Value: "the policy that the case names is not held, so nothing is permitted"}}
	case rule.Compatible.Empty():
		return []pages.Row{{Mark: pages.Bad, Value: "permits nothing"}}
	}
	for _, option := range records.Options(v, 0) {
		if !rule.Compatible.Has(option.Outcome) {
			continue
		}
		effect := views.EffectOf(option.Outcome)
		row := pages.Row{Mark: pages.Good, Label: "permits", Value: option.Outcome.Label() + ": " + effect.Meaning}
		if option.Obstacle != "" {
			row.Mark, row.Notes = pages.Open, []string{"not now: " + option.Obstacle}
		}
		row.Notes = append(row.Notes, fmt.Sprintf("activity %s, step %s", effect.ProvenanceActivity, effect.TraceabilityStep))
		rows = append(rows, row)
	}
	return rows
}

func (t *Topic) title() line.Line {
	switch {
	case t.Code.Present():
		return line.Of(theme.Bad, t.Code.String())
	case t.Trigger.Present():
		return line.Of(theme.Dim, "trigger ").And(theme.Strong, t.Trigger.Label())
	}
	return line.Of(theme.Dim, "transition ").And(theme.Strong, t.Transition.Label())
}

// Named finds a blocker, trigger or transition of an area, written with blanks or underscores.
func Named(area terms.Area, text string) (Topic, bool) {
	word := strings.ReplaceAll(strings.ToLower(text), " ", "_")
	if code, err := terms.Blockers.Parse(word); err == nil {
		_, known := rules.RuleFor(area, code)
		return Topic{Area: area, Code: code}, known
	}
	if area == terms.Amendments {
		transition, err := terms.Transitions.Parse(word)
		return Topic{Area: area, Transition: transition}, err == nil
	}
	trigger, err := terms.Triggers.Parse(word)
	return Topic{Area: area, Trigger: trigger}, err == nil
}

// Name is the blocker's code, or the label of the trigger or the transition.
func (t *Topic) Name() string {
	switch {
	case t.Code.Present():
		return t.Code.String()
	case t.Trigger.Present():
		return t.Trigger.Label()
	}
	return t.Transition.Label()
}

// Text is the whole text about the topic, the most useful part first.
func (t *Topic) Text(width int) line.Sheet {
	sheet := line.Sheet(t.title().Wrap(width, 2))
	switch {
	case t.Code.Present():
		return append(sheet, t.blockerText(width)...)
	case t.Trigger.Present():
		return append(sheet, t.triggerText(width)...)
	}
	return append(sheet, t.transitionText(width)...)
}

// RuleFirst puts the trigger or the transition before the blockers.
func RuleFirst(topics []Topic) []Topic {
	json.Sort(topics, func(a, b Topic) int {
		return cmp.Compare(min(a.Code, 1), min(b.Code, 1))
	})
	return topics
}

// Column is the texts of topics below one another, cut if too high; key shows all of it.
func Column(title string, topics []Topic, width, height int, key string) line.Sheet {
	sheet := line.Sheet{widget.Heading(title, width)}
	for i, one := range Unique(topics) {
		if i > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(sheet, one.Text(width)...)
	}
	return Shortened(sheet, height, key+" shows")
}

// Shortened cuts a column to a height; how names a key and what it does with all of the column.
func Shortened(sheet line.Sheet, height int, how string) line.Sheet {
	if len(sheet) <= height || height <= 0 {
		return sheet
	}
	return append(sheet[:height-1:height-1], line.Of(theme.Dim, fmt.Sprintf("… %s all of it", how)))
}

type speech struct {
	width int
	sheet line.Sheet
}

func (s *speech) say(label, text string) {
	s.sheet = append(s.sheet, line.Of(theme.Dim, label).And(theme.Plain, text).Wrap(s.width, 2)...)
}

func (s *speech) quote(sentences []string) {
	for i, sentence := range sentences {
		if i == 0 {
			s.sheet = append(s.sheet, nil, line.Of(theme.Dim, "Contract text"))
		}
		s.sheet = append(s.sheet, line.Of(theme.Faint, "❝ ").And(theme.Plain, sentence).Wrap(s.width, 2)...)
	}
}

func (t *Topic) blockerText(width int) line.Sheet {
	rule, _ := rules.RuleFor(t.Area, t.Code)
	if t.View != nil {
		rule = t.View.Input().Rule(t.Code)
	}
	s := speech{width: width}
	s.say("", rule.Meaning)
	s.sheet = append(s.sheet, line.Of(theme.Pass, "→ ").And(theme.Dim, rule.Cure).Wrap(width, 2)...)
	s.sheet = append(s.sheet, t.reasons(width)...)
	s.quote(views.ContractText(t.Area, t.Code))
	return s.sheet
}

// reasons are the rows of the packet that make the blocker hold.
func (t *Topic) reasons(width int) line.Sheet {
	if t.View == nil {
		return nil
	}
	var sheet line.Sheet
	for _, section := range t.View.Sections() {
		for i := range section.Rows {
			row := &section.Rows[i]
			if slices.Contains(row.Codes, t.Code) {
				text := line.Of(theme.Bad, "✗ ").And(theme.Dim, t.View.Heading(section.Name)+" · "+row.Label+" ")
				sheet = append(sheet, text.Plus(line.Written(theme.Plain, widget.OrAbsent(row.Value))).Fit(width))
			}
		}
	}
	if len(sheet) > 0 {
		sheet = append(line.Sheet{nil, line.Of(theme.Dim, "It holds because of")}, sheet...)
	}
	return sheet
}

func (t *Topic) triggerText(width int) line.Sheet {
	definition, _ := views.DefinitionOfTrigger(t.Trigger)
	s := speech{width: width}
	s.say("", definition.Meaning)
	s.say("reviewed as ", definition.Review.String())
	s.sheet = append(s.sheet, nil)
	if t.View == nil {
		s.say("", "The policy of a case sets the advice and the permitted outcomes for it; the open packet shows them.")
	} else if own, known := TriggerOf(t.View); !known || own != t.Trigger {
		s.say("", "It is not the trigger of this case.")
	} else {
		s.sheet = append(s.sheet, line.Of(theme.Dim, "The policy's rule for it"))
		s.sheet = append(s.sheet, RuleLines(t.View, width, t.Blind)...)
	}
	s.quote(definition.Said)
	return s.sheet
}

func (t *Topic) transitionText(width int) line.Sheet {
	definition, _ := rules.Definition(t.Transition)
	s := speech{width: width}
	s.sheet = append(s.sheet, line.Of(theme.Faint, "❝ ").And(theme.Plain, definition.ProtectedBoundary).Wrap(width, 2)...)
	s.sheet = append(s.sheet, nil, line.Of(theme.Dim, "Blocks while the gate is blocked"))
	var actions []terms.GuardedAction
	if t.View != nil {
		actions = t.View.Evaluation().BlockedTransitions()
	}
	held := terms.SetOf(actions...)
	for _, action := range definition.Blocks {
		mark := line.Of(theme.Dim, "  · ")
		if held.Has(action) {
			mark = line.Of(theme.Bad, "  ✗ ")
		}
		s.sheet = append(s.sheet, mark.And(theme.Plain, action.Label()).Wrap(width, 4)...)
	}
	s.say("may change ", wording.Labels(definition.SubjectTypes.Terms()))
	s.say("by ", wording.Labels(definition.AmendmentTypes.Terms()))
	s.say("needs ", terms.PolicyTable(terms.Amendments).String()+", "+terms.RecordTable(terms.Amendments).String())
	return s.sheet
}
