package plain

import "docket/ui/phrase"

// noteQuestion takes the private note.
var noteQuestion = question{
	step: phrase.StepNote,
	put: func(s *session, d *decision) {
		s.page.say("A note for yourself, if you want one. It stays on this machine; the record holds only a digest of it, from " +
			"which it cannot be read.")
		if d.Note != "" {
			s.page.say("The note so far: %s", d.Note)
		}
	},
	prompt: func(d *decision) string {
		if d.Note != "" {
			return "A new note, none to drop it, or Enter to keep it:"
		}
		return "A note, or Enter for none:"
	},
	answer: func(_ *session, d *decision, text string) turn {
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
