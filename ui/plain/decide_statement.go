package plain

import "docket/ui/wording"

// statementQuestion takes the public statement of reasons. What holds private details is refused and never kept.
var statementQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s", d.Question())
		if why := d.StatementNeeded(); why != "" {
			s.page.say("It is required: %s.", why)
		}
		if d.Statement != "" {
			s.page.say("The statement so far: %s", d.Statement)
		}
	},
	prompt: func(d *deciding) string {
		switch {
		case d.Statement != "":
			return "A new statement, none to drop it, or Enter to keep it:"
		case d.StatementNeeded() != "":
			return "The statement:"
		}
		return "A statement, or Enter for none:"
	},
	answer: func(s *session, d *deciding, text string) turn {
		switch text {
		case "":
			text = d.Statement
		case "none":
			text = ""
		}
		if why := d.StatementObstacle(text); why != "" {
			s.page.say("%s", sentence(wording.Capital(why)))
			return sameQuestion
		}
		d.Statement = text
		return nextQuestion
	},
}
