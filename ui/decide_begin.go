package ui

import (
	"docket/domain"
	"docket/ui/decision"

	tea "github.com/charmbracelet/bubbletea"
)

// decidePacket begins a decision. Where one was begun before, it is asked what is to become of that.
func decidePacket(p *packetScreen, s *scene) effect {
	switch {
	case !p.dossier.Draft.Present():
		return showDecision(newDecideScreen(p, nil, s))
	case p.carried != nil:
		p.carried = nil
		return begin{p, false}.decide(s)
	}
	kept := decision.OfferOf(p.dossier, s.now)
	asked := &offer{title: kept.Title, text: kept.Text}
	for _, way := range kept.Ways {
		asked.choices = append(asked.choices, choice{way.Meaning, begin{p, way.Anew}})
	}
	return raise{asked}
}

// begin goes on with the draft of a packet, or begins anew.
type begin struct {
	packet *packetScreen
	anew   bool
}

func (e begin) carryOut(h Host) tea.Cmd { return apply(e.decide(h.Scene()), h) }

func (e begin) decide(s *scene) effect {
	p := e.packet
	kept := p.dossier.Draft
	p.dossier.Draft = domain.KeptDraft{}
	if !e.anew {
		return showDecision(newDecideScreen(p, &kept, s))
	}
	fresh := newDecideScreen(p, nil, s)
	if !fresh.Discard(&kept) {
		fresh.resumed = true
		return showDecision(fresh)
	}
	return several{dropDraft{p.request.table, p.key()}, showDecision(fresh)}
}
