package plain

// noteQuestion takes the private note.
var noteQuestion = question{
	put: func(s *session, d *deciding) {
		s.page.say("%s", d.Question())
		if d.Note != "" {
			s.page.say("The note so far: %s", d.Note)
		}
	},
	prompt: func(d *deciding) string {
		if d.Note != "" {
			return "A new note, none to drop it, or Enter to keep it:"
		}
		return "A note, or Enter for none:"
	},
	answer: func(_ *session, d *deciding, text string) turn {
		switch text {
		case "":
		case "none":
			d.Note = ""
		default:
			d.Note = text
		}
		return nextQuestion
	},
}
