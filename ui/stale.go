package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// staleScreen says what has changed under a decision, which was therefore not recorded.
type staleScreen struct {
	silent
	decision *decideScreen
	changes  []string
	scroll   scroll
}

func newStaleScreen(d *decideScreen, changes []string) *staleScreen {
	return &staleScreen{decision: d, changes: changes}
}

func (t *staleScreen) place() place { return inStale }

func (t *staleScreen) title(*scene) line.Line {
	return line.Of(theme.Warn, "! not recorded: ").And(theme.Strong, string(t.decision.packet.key().ID)).
		And(theme.Dim, " has changed")
}

func (t *staleScreen) handle(v verb, s *scene) effect {
	if t.scroll.move(v) {
		return nil
	}
	switch v {
	case accept:
		return t.reopen()
	case goBack:
		t.decision.refuse(s)
		return leave{}
	}
	return nil
}

// reopen shows the packet as it is now. The decision is kept with it; what the packet no longer allows is dropped when
// the decision goes on.
func (t *staleScreen) reopen() effect {
	v := &t.decision.packet.dossier.View
	r := t.decision.packet.request
	r.revision = v.Key().Number
	if v.Latest().Revision <= r.revision {
		r.revision = 0 // it was the latest one that was judged, so it is the latest one that is wanted
	}
	packet := newPacketScreen(r)
	packet.carried = &domain.KeptDraft{Draft: t.decision.current(), Revision: v.Key().Number}
	return several{home{}, show{packet}, open{r}, readQueue{domain.AreaOf(r.table)}}
}

func (t *staleScreen) view(s *scene) line.Sheet {
	sheet := line.Sheet{nil}
	first := "Nothing was written. What you judged is no longer what is held here:"
	sheet = append(sheet, line.Of(theme.Plain, first).Wrap(s.width, 0)...)
	sheet = append(sheet, nil)
	for _, change := range t.changes {
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, change).Wrap(s.width, 4)...)
	}
	sheet = append(sheet, nil)
	last := "Enter opens it again and keeps your decision as far as it can be kept."
	sheet = append(sheet, line.Of(theme.Dim, last).Wrap(s.width, 0)...)
	return sheet.Window(t.scroll.window(len(sheet), s.height), s.height)
}
