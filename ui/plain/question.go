package plain

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/page"
	"docket/ui/wording"
)

// outcomeQuestion asks for the outcome of an appeal. In blind-first mode it is asked twice: first for the reader's own judgment, before the advice is said, and
// that answer cannot be changed.
var outcomeQuestion = question{
	put: func(s *session, d *deciding) {
		if d.Preliminary.Present() && !d.Blind() {
			s.sayAdvice(d)
		}
		s.page.say("%s", d.Question())
		s.sayOptions(d)
	},
	prompt: func(d *deciding) string {
		if d.Blind() {
			return "Your own outcome, by number or name:"
		}
		if d.Outcome.Present() {
			return fmt.Sprintf("Outcome, by number or name, or Enter for %s:", d.Outcome.Label())
		}
		return "Outcome, by number or name:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" && d.Outcome.Present() && !d.Blind() {
			text = d.Outcome.String()
		}
		if text == "" {
			s.page.say("An outcome is needed.")
			return sameQuestion
		}
		outcome, ok := pickWord(terms.Outcomes, terms.Outcomes.All(), text)
		if !ok {
			s.page.say("There is no such outcome; type repeat to hear all.")
			return sameQuestion
		}
		if why := d.Choose(outcome); why != "" {
			s.page.say("%s.", why)
			return sameQuestion
		}
		if d.Blind() {
			d.packet.reveal()
			s.page.say("Your own judgment: %s.", outcome.Label())
		} else {
			s.page.say("Chosen: %s.", outcome.Label())
		}
		return nextQuestion
	},
}

// sayAdvice says the advice that was held back; its section of the packet then counts as seen.
func (s *session) sayAdvice(d *deciding) {
	if d.packet.see(views.SectionAdvisory) {
		s.page.say("This was held back until now:")
		for _, one := range page.Advised(d.View()) {
			s.page.say("%s", one.Spoken())
		}
	}
}

func (s *session) sayOptions(d *deciding) {
	for i, option := range d.Options() {
		text := option.Outcome.Label()
		if option.Outcome == d.Outcome && !d.Blind() {
			text += ", chosen before"
		}
		for _, mark := range d.Marks(option) {
			text += ", " + mark
		}
		if option.Obstacle != "" {
			s.page.say("%d. May not be chosen: %s: %s.", i+1, text, option.Obstacle)
			continue
		}
		s.page.say("%d. %s: %s", i+1, text, views.EffectOf(option.Outcome).Meaning)
	}
}

// names splits a list of numbers or codes at blanks and commas.
func names(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}

// pickWord reads a word of a vocabulary: its number in the list that was said, or the word itself, with blanks or underscores.
func pickWord[W comparable](vocabulary interface{ Parse(string) (W, error) }, list []W, text string) (W, bool) {
	if number, err := strconv.Atoi(text); err == nil && number >= 1 && number <= len(list) {
		return list[number-1], true
	}
	word, err := vocabulary.Parse(strings.ReplaceAll(strings.ToLower(text), " ", "_"))
	return word, err == nil
}

// factorQuestion asks for the factor codes, of those that the evaluation gives for the outcome.
var factorQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s", d.Question())
		for i, one := range d.Codes() {
			state := ticked(d.Factors.Has(one.Code))
			if one.Always {
				state = decision.AlwaysRequired
			}
			s.page.say("%d. %s: %s: %s", i+1, state, one.Code, views.FactorMeaning(one.Code))
		}
	},
	prompt: func(d *deciding) string {
		return fmt.Sprintf("Numbers or codes to tick or clear, or Enter with %s ticked:", wording.Thousands(d.Factors.Len()))
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		var codes []terms.FactorCode
		for _, one := range d.Codes() {
			codes = append(codes, one.Code)
		}
		list := names(text)
		if _, one := pickWord(terms.FactorCodes, codes, text); one {
			list = []string{text}
		}
		for _, name := range list {
			code, ok := pickWord(terms.FactorCodes, codes, name)
			if !ok {
				s.page.say("There is no factor code %s; type repeat to hear all.", name)
				continue
			}
			if why := d.ToggleFactor(code); why != "" {
				s.page.say("%s: %s.", code, why)
				continue
			}
			s.page.say("%s: %s.", wording.Capital(ticked(d.Factors.Has(code))), code)
		}
		return sameQuestion
	},
}

func ticked(is bool) string {
	if is {
		return "ticked"
	}
	return "not ticked"
}

// blockerQuestion asks for added blockers. The blockers that the rules found are said and cannot be removed.
var blockerQuestion = question{
	put: func(s *session, d *deciding) {
		rows := d.BlockerRows("")
		s.page.say("%s", d.Question())
		s.page.say("%s: %s.", wording.Capital(wording.FoundByRules), listed(d.View().Evaluation().Blockers()))
		for _, text := range wording.Carried(d.CaseFile) {
			s.page.say("%s", wording.Sentence(text))
		}
		for _, text := range wording.Unanswered(d.CaseFile) {
			s.page.say("%s", wording.Sentence(text))
		}
		s.page.say("Added by you: %s.", listed(d.Added.Terms()))
		if !d.whole {
			s.page.say("Type part of a code or of what it means to search, or repeat to hear all %d.", len(rows))
			return
		}
		s.sayBlockers(rows)
	},
	prompt: func(d *deciding) string {
		return fmt.Sprintf("A number or code to add or remove, words to search, or Enter with %s:", d.BlockersAdded())
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		var codes []terms.Blocker
		for _, row := range d.BlockerRows("") {
			codes = append(codes, row.Code)
		}
		if code, ok := pickWord(terms.Blockers, codes, text); ok && rules.AllBlockers(d.View().Area()).Has(code) {
			d.toggle(s, code)
		} else if found := d.BlockerRows(text); len(found) > 0 {
			s.sayBlockers(found)
		} else {
			s.page.say("No blocker is called that; type repeat to hear all.")
		}
		return sameQuestion
	},
}

func (s *session) sayBlockers(rows []decision.BlockerRow) {
	for i := range rows {
		row := &rows[i]
		s.page.say("%s. %s, %s: %s", wording.Thousands(row.Number), row.Code, row.State(), row.Meaning)
	}
}

// toggle adds a blocker or removes one that the reader added, and says the consequences.
func (d *deciding) toggle(s *session, code terms.Blocker) {
	rule := d.View().Input().Rule(code)
	if why := d.Toggle(code); why != "" {
		s.page.sentence(why)
		return
	}
	if d.Added.Has(code) {
		s.page.say("Added: %s: %s Cure: %s", code, rule.Meaning, rule.Cure)
	} else {
		s.page.say("No longer added: %s.", code)
	}
	s.page.say("The gate to record: %s.", d.Gate())
	s.sayNotices()
}

// statementQuestion asks for the public statement of reasons. A text with private details is refused and never kept.
var statementQuestion = textQuestion("statement", func(d *deciding) *string { return &d.Statement },
	(*deciding).StatementNeeded, (*deciding).StatementObstacle,
	func(s *session, d *deciding) []decision.Prepared { return d.PreparedFor(s.prepared) })

// noteQuestion asks for the private note.
var noteQuestion = textQuestion("note", func(d *deciding) *string { return &d.Note },
	func(*deciding) string { return "" }, func(*deciding, string) string { return "" },
	func(*session, *deciding) []decision.Prepared { return nil })

// textQuestion asks for a text of that name. needed says why it is required, obstacle why a text
// cannot be taken; "" for neither. own are texts of the reviewer's own that can be added.
func textQuestion(name string, of func(*deciding) *string, needed func(*deciding) string,
	obstacle func(*deciding, string) string, own func(*session, *deciding) []decision.Prepared) question {
	return question{
		put: func(s *session, d *deciding) {
			s.page.say("%s", d.Question())
			if why := needed(d); why != "" {
				s.page.say("It is required: %s.", why)
			}
			if text := *of(d); text != "" {
				s.page.quote(fmt.Sprintf("The %s so far: %s", name, text))
			}
			for i, p := range own(s, d) {
				s.page.say("own %d adds your text: %s.", i+1, p.Heading)
			}
		},
		prompt: func(d *deciding) string {
			switch {
			case *of(d) != "":
				return fmt.Sprintf("A new %s, none to drop it, or Enter to keep it:", name)
			case needed(d) != "":
				return fmt.Sprintf("The %s:", name)
			}
			return fmt.Sprintf("A %s, or Enter for none:", name)
		},
		answer: func(s *session, d *deciding, text string) turn {
			switch text {
			case "":
				text = *of(d)
			case "none":
				text = ""
			}
			number, asked := strings.CutPrefix(text, "own ")
			if texts := own(s, d); asked && len(texts) > 0 {
				at, err := strconv.Atoi(number)
				if err != nil || at < 1 || at > len(texts) {
					s.page.say("There is no text of your own with that number.")
					return sameQuestion
				}
				text = strings.TrimSpace(*of(d) + "\n" + texts[at-1].Text)
			}
			if why := obstacle(d, text); why != "" {
				s.page.sentence(why)
				return sameQuestion
			}
			*of(d) = text
			return nextQuestion
		},
		text: of,
	}
}
