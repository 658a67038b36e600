package plain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/page"
	"docket/ui/wording"
)

// outcomeQuestion is asked twice in blind-first mode: first, for good, before the advice is said.
var outcomeQuestion = question{
	put: func(s *session, d *deciding) {
		if d.Preliminary.Present() && !d.Blind() {
			s.sayAdvice(d)
		}
		s.page.say("%s", d.Question())
		s.sayChoices(d.Choices(""))
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
		blind, list := d.Blind(), d.Choices("")
		if text == "" && !blind {
			text = d.Outcome.String()
		}
		at := choiceOf(list, text)
		switch {
		case text == "":
			s.page.say("An outcome is needed.")
			return sameQuestion
		case at < 0:
			s.page.say("There is no such outcome; type repeat to hear all.")
			return sameQuestion
		}
		if why := list[at].Choose(); why != "" {
			s.page.say("%s.", why)
			return sameQuestion
		}
		said := "Chosen"
		if blind {
			d.packet.reveal()
			said = "Your own judgment"
		}
		s.page.say("%s: %s.", said, d.Chosen().Label())
		return nextQuestion
	},
}

// sayAdvice says the advice that was held back; its section of the packet then counts as seen.
func (s *session) sayAdvice(d *deciding) {
	if d.packet.see(views.SectionAdvisory) {
		s.page.say("This was held back until now:")
		for _, one := range page.Advised(d.View()) {
			s.page.say("%s", page.Spoken(&one))
		}
	}
}

func (s *session) sayChoices(list []decision.Choice) {
	for i := range list {
		c := &list[i]
		s.page.say("%d. %s: %s", c.Number, strings.Join(append([]string{c.Name}, c.States...), ", "), wording.Sentence(c.Meaning))
	}
}

func names(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
}

// numberOf finds a number or a name, in any case, with blanks or underscores; -1: none.
func numberOf(list []string, text string) int {
	if number, err := strconv.Atoi(text); err == nil && number >= 1 && number <= len(list) {
		return number - 1
	}
	return slices.IndexFunc(list, func(name string) bool { return strings.EqualFold(wording.Spaced(name), wording.Spaced(text)) })
}

func choiceOf(list []decision.Choice, text string) int {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	return numberOf(names, text)
}

var factorQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s", d.Question())
		s.sayChoices(d.Choices(""))
	},
	prompt: func(d *deciding) string {
		return fmt.Sprintf("Numbers or codes to tick or clear, or Enter with %s ticked:", wording.Thousands(d.Factors.Len()))
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		list := names(text)
		if choiceOf(d.Choices(""), text) >= 0 {
			list = []string{text}
		}
		for _, name := range list {
			choices := d.Choices("")
			at := choiceOf(choices, name)
			if at < 0 {
				s.page.say("There is no factor code %s here; type repeat to hear all.", name)
			} else if why := choices[at].Choose(); why != "" {
				s.page.say("%s: %s.", choices[at].Name, why)
			} else {
				s.page.say("%s: %s.", wording.Capital(d.Choices("")[at].States[0]), choices[at].Name)
			}
		}
		return sameQuestion
	},
}

// blockerQuestion says the blockers that the rules found, which cannot be removed.
var blockerQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s", d.Question())
		s.page.say("%s: %s.", wording.Capital(wording.FoundByRules), listed(d.View().Evaluation().Blockers()))
		for _, text := range append(wording.Carried(d.CaseFile), wording.Unanswered(d.CaseFile)...) {
			s.page.say("%s", wording.Sentence(text))
		}
		s.page.say("Added by you: %s.", listed(d.Added.Terms()))
		list := d.Choices("")
		if !d.whole {
			s.page.say("Type part of a code or of what it means to search, or repeat to hear all %d.", len(list))
			return
		}
		s.sayChoices(list)
	},
	prompt: func(d *deciding) string {
		return fmt.Sprintf("A number or code to add or remove, words to search, or Enter with %s:", d.BlockersAdded())
	},
	answer: func(s *session, d *deciding, text string) turn {
		if text == "" {
			return s.forward(d)
		}
		list := d.Choices("")
		if at := choiceOf(list, text); at >= 0 {
			s.addBlocker(d, at)
		} else if found := d.Choices(text); len(found) > 0 {
			s.sayChoices(found)
		} else {
			s.page.say("No blocker is called that; type repeat to hear all.")
		}
		return sameQuestion
	},
}

func (s *session) addBlocker(d *deciding, at int) {
	row := d.BlockerRows("")[at]
	if why := d.Toggle(row.Code); why != "" {
		s.page.sentence(why)
		return
	}
	if d.Added.Has(row.Code) {
		s.page.say("Added: %s: %s Cure: %s", row.Code, row.Meaning, row.Cure)
	} else {
		s.page.say("No longer added: %s.", row.Code)
	}
	s.page.say("The gate to record: %s.", d.Gate())
	s.sayNotices()
}

// statementQuestion refuses a text with private details and never keeps it.
var statementQuestion = textQuestion("statement", func(d *deciding) *string { return &d.Statement },
	(*deciding).StatementNeeded, (*deciding).StatementObstacle,
	func(s *session, d *deciding) []decision.Prepared { return d.PreparedFor(s.prepared) })

var noteQuestion = textQuestion("note", func(d *deciding) *string { return &d.Note },
	func(*deciding) string { return "" }, func(*deciding, string) string { return "" },
	func(*session, *deciding) []decision.Prepared { return nil })

// textQuestion asks for a text: needed says why one is required, obstacle why one cannot be taken.
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
