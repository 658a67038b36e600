package decide

import (
	"strings"

	"docket/domain"
	"docket/ui/action"
	"docket/ui/screen"
)

// Touched tells whether there is anything in the decision that would be lost with it.
func (d *Screen) Touched() bool { return d.resumed || d.Version() != d.begun }

// Version is the decision as it is on the screen.
func (d *Screen) Version() domain.Draft {
	now := d.Decision.Current()
	if d.Place() == action.InNote {
		now.Note = strings.TrimSpace(d.editor.Text())
	}
	return now
}

// kept is the same with where it belongs, for the packet to go on with.
func (d *Screen) kept(now domain.Instant) domain.KeptDraft {
	kept := d.Kept(now)
	kept.Draft = d.Version()
	return kept
}

// leave goes back to the packet, with what was chosen kept as a draft.
func (d *Screen) leave(s *screen.Scene) screen.Effect {
	if !d.Touched() {
		return screen.Leave{}
	}
	d.Packet.Dossier.Draft = d.kept(s.Now)
	return screen.Several{screen.Leave{}, screen.Say{Text: "nothing is recorded; what you chose is kept, d goes on with it"}}
}
