package ui

import (
	"strings"

	"docket/domain"
)

// touched tells whether there is anything in the decision that would be lost with it.
func (d *decideScreen) touched() bool { return d.resumed || d.current() != d.begun }

// current is the decision as it is on the screen.
func (d *decideScreen) current() domain.Draft {
	now := d.Current()
	if d.place() == inNote {
		now.Note = strings.TrimSpace(d.editor.text())
	}
	return now
}

// kept is the same with where it belongs, for the packet to go on with.
func (d *decideScreen) kept(now domain.Instant) domain.KeptDraft {
	kept := d.Kept(now)
	kept.Draft = d.current()
	return kept
}

// leave goes back to the packet, with what was chosen kept as a draft.
func (d *decideScreen) leave(s *scene) effect {
	if !d.touched() {
		return leave{}
	}
	d.packet.dossier.Draft = d.kept(s.now)
	return several{leave{}, say{text: "nothing is recorded; what you chose is kept, d goes on with it"}}
}
