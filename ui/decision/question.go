package decision

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Question is the question of the step; "" for the review, which has AskWord.
func (d *Decision) Question() string {
	switch d.Step() {
	case First:
		return "Which outcome, by your own judgment? The advice is shown after you answer; both outcomes are recorded."
	case Outcome:
		if d.Preliminary.Present() {
			return fmt.Sprintf("You said %s, docket advises %s. Which outcome is final? Both are recorded.",
				d.Preliminary.Label(), d.Advised().Label())
		}
		return "Which outcome? docket advises; you judge."
	case Factors:
		return fmt.Sprintf("Which reasons apply? %s ticked.", wording.Plural(d.Factors.Len(), "is", "are"))
	case Blockers:
		if d.OnlyBlocks() != "" {
			return fmt.Sprintf(
				"Which blocker do you add? You may only block it; nobody can remove a blocker. %s.",
				wording.Capital(d.BlockersAdded()))
		}
		return fmt.Sprintf(
			"Does anything else block it? You can add a blocker, and nobody can remove one. %s.",
			wording.Capital(d.BlockersAdded()))
	case Statement:
		return "Your reasons, for the parties and every reader of the record: write no private details. The statement is kept " +
			"beside the record, which holds a digest of it."
	case Note:
		return "A note for yourself, optional. It stays on this machine; the record holds only its digest, from which the note " +
			"cannot be read."
	}
	return ""
}

func (d *Decision) BlockersAdded() string {
	if d.Added.Empty() {
		return "no blockers added"
	}
	return wording.Plural(d.Added.Len(), "blocker", "blockers") + " added"
}

// Missing says why the step, incomplete or ruled out, cannot be left for the next one; "" if it
// can.
func (d *Decision) Missing(step Step) string {
	switch step {
	case First:
		return d.obstacle(d.Preliminary)
	case Outcome:
		return d.unrecordable()
	case Factors:
		if d.Factors.Empty() {
			return "at least one factor code is needed"
		}
	case Statement:
		return d.StatementObstacle(d.Statement)
	case Blockers:
		if err := records.MayRecord(d.View(), d.reviewer, d.Added); err != nil {
			return Reason(err)
		}
	case Review:
		for _, one := range d.steps {
			if one == Review || one == First {
				continue
			}
			if why := d.Missing(one); why != "" {
				return why
			}
		}
	}
	return ""
}

// OnlyBlocks says why this reviewer has to add a blocker; "" if they need not, or have.
func (d *Decision) OnlyBlocks() string { return OnlyBlocks(d.View(), d.reviewer, d.Added) }

// Options are the outcomes with the obstacle to each. Those of a reviewer who may only block the
// packet are those of a blocked one, since a blocker has to be added.
func (d *Decision) Options() []records.Option {
	options := records.Options(d.View(), d.Added)
	if d.OnlyBlocks() == "" {
		return options
	}
	blocked := records.Options(d.View(), d.Added.With(terms.NeutralReviewMissing))
	for i := range blocked {
		switch {
		case blocked[i].Obstacle == "":
		case options[i].Obstacle == "":
			blocked[i].Obstacle = "you may only block it"
		default: // it is not blocked yet, so that is no reason
			blocked[i].Obstacle = options[i].Obstacle
		}
	}
	return blocked
}

// MayNotBeChosen says why an option with an obstacle may not be chosen.
func MayNotBeChosen(option records.Option) string {
	return fmt.Sprintf("%s may not be chosen: %s", option.Outcome.Label(), option.Obstacle)
}

// Marks say who supports an outcome: docket unless the advice is held back, the appellant, the
// reviewer.
func (d *Decision) Marks(option records.Option) (marks []string) {
	if option.Outcome == d.Preliminary && !d.Blind() {
		marks = append(marks, "your own judgment")
	}
	switch {
	case d.Blind() || !option.Advised:
	case d.OnlyBlocks() != "":
		marks = append(marks, "advised if blocked")
	default:
		marks = append(marks, "advised")
	}
	if option.Asked {
		marks = append(marks, "asked for")
	}
	if option.Outcome == d.outcomeInForce() {
		marks = append(marks, "in force")
	}
	return marks
}

// outcomeInForce is that of the record to be superseded; absent without one that is held here.
func (d *Decision) outcomeInForce() terms.Outcome {
	if m := wording.RecordInForce(d.CaseFile); m != nil {
		return m.Outcome
	}
	return 0
}

func (d *Decision) obstacle(outcome terms.Outcome) string {
	for _, option := range d.Options() {
		if option.Outcome == outcome {
			return option.Obstacle
		}
	}
	return "no outcome is chosen"
}

func (d *Decision) unrecordable() string {
	if d.View().Area() != terms.Appeals {
		return ""
	}
	return d.obstacle(d.Outcome)
}

// ruledOut says why the chosen outcome may not be recorded; "" also if none is chosen yet.
func (d *Decision) ruledOut() string {
	if !d.Outcome.Present() {
		return ""
	}
	return d.unrecordable()
}

// AlwaysRequired is said of a factor code that cannot be dropped.
const AlwaysRequired = "always required"

// Codes are the factor codes that can be chosen for the outcome, with the blockers added.
func (d *Decision) Codes() []rules.FactorReason {
	return slices.DeleteFunc(records.FactorsFor(d.View(), d.Outcome, d.Added), func(r rules.FactorReason) bool { return !r.Supported })
}

// A Choice is a line of a step with a list: an outcome, a factor code, a blocker.
type Choice struct {
	Number  int      // in the list, from 1
	Name    string   // its code; of an outcome the label
	States  []string // such as advised, ticked, added by you
	Meaning string   // or why it may not be chosen
	Choose  func() (why string)
}

// Choices are the lines of a step with a list; of blockers those with the text in code or meaning.
func (d *Decision) Choices(text string) (list []Choice) {
	add := func(name, meaning string, choose func() string, states ...string) {
		list = append(list, Choice{len(list) + 1, name, states, meaning, choose})
	}
	switch d.Step() {
	case First, Outcome:
		for _, o := range d.Options() {
			states, meaning := d.Marks(o), views.EffectOf(o.Outcome).Meaning
			if o.Outcome == d.Outcome && !d.Blind() {
				states = append([]string{"chosen before"}, states...)
			}
			if o.Obstacle != "" {
				states, meaning = append(states, "may not be chosen"), o.Obstacle
			}
			add(o.Outcome.Label(), meaning, func() string { return d.Choose(o.Outcome) }, states...)
		}
	case Factors:
		for _, one := range d.Codes() {
			state := map[bool]string{true: "ticked", false: "not ticked"}[d.Factors.Has(one.Code)]
			if one.Always {
				state = AlwaysRequired
			}
			add(one.Code.String(), views.FactorMeaning(one.Code), func() string { return d.ToggleFactor(one.Code) }, state)
		}
	case Blockers:
		for _, row := range d.BlockerRows(text) {
			add(row.Code.String(), row.Meaning, func() string { return d.Toggle(row.Code) }, row.State())
			list[len(list)-1].Number = row.Number
		}
	}
	return list
}

// A BlockerRow is a rule of the packet's rule book as the blockers step lists it.
type BlockerRow struct {
	Number int // in the rule book, from 1
	*rules.Rule
	Fixed string // why it holds with or without the reviewer; "" if it does not
	Added bool   // by the reviewer
	// Earlier: a person added it on an earlier revision, and no record has answered since.
	Earlier bool
}

func (r *BlockerRow) State() string {
	switch {
	case r.Fixed != "":
		return r.Fixed
	case r.Added:
		return "added by you"
	case r.Earlier:
		return wording.AddedEarlier
	}
	return "not added"
}

// BlockerRows lists the rules whose code or meaning contains a text; "" finds all of them.
func (d *Decision) BlockerRows(text string) (rows []BlockerRow) {
	text = strings.ToLower(strings.TrimSpace(text))
	book := rules.Book(d.View().Area())
	for i := range book {
		rule := &book[i]
		if strings.Contains(rule.Code.String(), text) || strings.Contains(rule.Code.Label(), text) ||
			strings.Contains(strings.ToLower(rule.Meaning), text) {
			worded := d.View().Input().Rule(rule.Code)
			rows = append(rows, BlockerRow{i + 1, &worded, d.fixed(rule.Code), d.Added.Has(rule.Code), d.View().Unanswered().Has(rule.Code)})
		}
	}
	return rows
}

func (d *Decision) fixed(code terms.Blocker) string {
	switch {
	case d.View().Evaluation().BlockerSet().Has(code):
		return wording.FoundByRules
	case d.View().Carried().Has(code):
		return wording.CarriedFrom(d.CaseFile, code)
	}
	return ""
}

// StatementNeeded says why a statement is required; "" if not, or if no outcome is chosen yet.
func (d *Decision) StatementNeeded() string {
	if d.View().Area() == terms.Appeals && !d.Outcome.Present() {
		return ""
	}
	choice := d.Choice(nil)
	why := records.StatementRequired(d.View(), &choice)
	if why != "" && d.Outcome != d.Advised() {
		why += fmt.Sprintf("; docket advises %s", d.Advised().Label())
	}
	return why
}

// StatementFault says why a text cannot be the statement, without a word of the text; "" if it can.
func (d *Decision) StatementFault(text string) string { return StatementFault(text) }

// StatementFault says the same without a decision.
func StatementFault(text string) string {
	if err := records.CheckStatement(text); err != nil {
		return Reason(err)
	}
	return ""
}

// StatementObstacle says why a text, "" for none, cannot be left as the statement; "" if it can.
func (d *Decision) StatementObstacle(text string) string {
	if text != "" {
		return d.StatementFault(text)
	}
	if d.StatementNeeded() != "" {
		return wording.StatementMissing // the question says why
	}
	return ""
}

// Value is the choice at a step in a few words, without the note, which others may see; "" for
// none.
func (d *Decision) Value(step Step) string {
	switch step {
	case First:
		if !d.Blind() {
			return d.Preliminary.Label()
		}
	case Outcome:
		return d.Outcome.Label()
	case Factors:
		if d.View().Area() == terms.Appeals && d.Outcome.Present() {
			return wording.Plural(d.Factors.Len(), "code", "codes")
		}
	case Blockers:
		if !d.Added.Empty() {
			return d.BlockersAdded()
		}
	case Statement:
		if d.Statement != "" {
			return wording.Plural(len([]rune(d.Statement)), "character", "characters")
		}
		if d.StatementNeeded() != "" {
			return "required"
		}
	case Note:
		if d.Note != "" {
			return "yes"
		}
	}
	return ""
}
