package decide

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Begin begins a decision. Where one was begun before, it is asked what is to become of that.
func Begin(p *packet.Screen, s *screen.Scene) screen.Effect {
	switch {
	case !p.Dossier.Draft.Present():
		return showDecision(newDecideScreen(p, nil, s))
	case p.Carried != nil:
		p.Carried = nil
		return begin{p, false}.decide(s)
	}
	kept := decision.OfferOf(p.Dossier, s.Now)
	asked := &widget.Offer{Title: kept.Title, Text: kept.Text}
	for _, way := range kept.Ways {
		asked.Choices = append(asked.Choices, widget.Choice{Label: way.Meaning, Effect: begin{p, way.Anew}})
	}
	return screen.Raise{Overlay: asked}
}

// begin goes on with the draft of a packet, or begins anew.
type begin struct {
	packet *packet.Screen
	anew   bool
}

func (e begin) CarryOut(h screen.Host) tea.Cmd { return screen.Apply(e.decide(h.Scene()), h) }

func (e begin) decide(s *screen.Scene) screen.Effect {
	p := e.packet
	kept := p.Dossier.Draft
	p.Dossier.Draft = domain.KeptDraft{}
	if !e.anew {
		return showDecision(newDecideScreen(p, &kept, s))
	}
	fresh := newDecideScreen(p, nil, s)
	if !fresh.Discard(&kept) {
		fresh.resumed = true
		return showDecision(fresh)
	}
	return screen.Several{screen.DropDraft{Table: p.Request.Table, Key: p.Key()}, showDecision(fresh)}
}
