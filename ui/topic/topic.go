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

// RuleRows are the policy's default for the trigger, unless it is held back, and what it permits.
func RuleRows(v *views.View, blind bool) (rows []pages.Row) {
	if rule, held := PolicyRule(v); held && !blind {
		rows = []pages.Row{{Label: "by default", Value: wording.OrDash(rule.Advisory.Label())}}
	}
	return append(rows, Permitted(v)...)
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

// Page is the whole text about the topic, the most useful part first.
func (t *Topic) Page() pages.Page {
	p := pages.Page{Title: t.Name()}
	switch {
	case t.Code.Present():
		p.Parts = t.blockerParts()
	case t.Trigger.Present():
		p.Parts = t.triggerParts()
	default:
		p.Parts = t.transitionParts()
	}
	return p
}

// Text draws the page below its title.
func (t *Topic) Text(width int) line.Sheet {
	sheet := line.Sheet(t.title().Wrap(width, 2))
	for _, part := range t.Page().Parts {
		if part.Title != "" && len(part.Rows) > 0 {
			sheet = append(sheet, nil, line.Of(theme.Dim, part.Title))
		}
		sheet = append(sheet, widget.RowLines(part.Rows, width, false)...)
	}
	return sheet
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

func quoted(sentences []string) (part pages.Part) {
	part.Title = "Contract text"
	for _, sentence := range sentences {
		part.Say("%s", sentence)
	}
	return part
}

// blockerParts have, of an open packet, the rows that make the blocker hold.
func (t *Topic) blockerParts() []pages.Part {
	rule, _ := rules.RuleFor(t.Area, t.Code)
	because := pages.Part{Title: "It holds because of"}
	if t.View != nil {
		rule = t.View.Input().Rule(t.Code)
		for _, section := range t.View.Sections() {
			for _, row := range section.Rows {
				if slices.Contains(row.Codes, t.Code) {
					because.Rows = append(because.Rows, pages.Row{Mark: pages.Bad, Label: t.View.Heading(
						section.Name) + " · " + row.Label, Value: row.Value})
				}
			}
		}
	}
	return []pages.Part{{Rows: []pages.Row{{Value: rule.Meaning, Notes: []string{"Cure: " + rule.Cure}}}}, because,
		quoted(views.ContractText(t.Area, t.Code))}
}

func (t *Topic) triggerParts() []pages.Part {
	definition, _ := views.DefinitionOfTrigger(t.Trigger)
	own := pages.Part{Title: "The policy's rule for it"}
	if t.View == nil {
		own.Say("The policy of a case sets the advice and the permitted outcomes for it; the open packet shows them.")
	} else if here, known := TriggerOf(t.View); !known || here != t.Trigger {
		own.Say("It is not the trigger of this case.")
	} else {
		own.Rows = RuleRows(t.View, t.Blind)
	}
	return []pages.Part{{Rows: []pages.Row{{Value: definition.Meaning}, {Label: "reviewed as", Value: definition.Review.String()}}}, own,
		quoted(definition.Said)}
}

func (t *Topic) transitionParts() []pages.Part {
	definition, _ := rules.Definition(t.Transition)
	blocks := pages.Part{Title: "Blocks while the gate is blocked"}
	var held []terms.GuardedAction
	if t.View != nil {
		held = t.View.Evaluation().BlockedTransitions()
	}
	for _, action := range definition.Blocks {
		row := pages.Row{Mark: pages.Unread, Value: action.Label()}
		if slices.Contains(held, action) {
			row.Mark = pages.Bad
		}
		blocks.Rows = append(blocks.Rows, row)
	}
	return []pages.Part{quoted([]string{definition.ProtectedBoundary}), blocks, {Rows: []pages.Row{
		{Label: "may change", Value: wording.Labels(definition.SubjectTypes.Terms())},
		{Label: "by", Value: wording.Labels(definition.AmendmentTypes.Terms())},
		{Label: "needs", Value: terms.PolicyTable(terms.Amendments).String() + ", " + terms.RecordTable(terms.Amendments).String()}}}}
}
