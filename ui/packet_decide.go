package ui

import (
	"docket/domain"
	"docket/ui/decision"
)

// decide begins a decision. Where one was begun before, it is asked what is to become of that.
func (p *packetScreen) decide(s *scene) effect {
	switch {
	case !p.dossier.Draft.Present():
		return showDecision(newDecideScreen(p, nil, s))
	case p.carried != nil:
		p.carried = nil
		return p.begin(false, s)
	}
	kept := decision.OfferOf(p.dossier, s.now)
	asked := &offer{title: kept.Title, text: kept.Text}
	for _, way := range kept.Ways {
		asked.choices = append(asked.choices, choice{way.Meaning, begin{p, way.Anew}})
	}
	return raise{asked}
}

// begin carries out the answer to that.
func (p *packetScreen) begin(anew bool, s *scene) effect {
	kept := p.dossier.Draft
	p.dossier.Draft = domain.KeptDraft{}
	if !anew {
		return showDecision(newDecideScreen(p, &kept, s))
	}
	fresh := newDecideScreen(p, nil, s)
	if !fresh.Discard(&kept) {
		fresh.resumed = true
		return showDecision(fresh)
	}
	return several{dropDraft{p.request.table, p.key()}, showDecision(fresh)}
}

// supersede goes on to deciding where that is why the packet was opened: if the record still is in force and the
// reviewer may.
func (p *packetScreen) supersede(s *scene) effect {
	wanted := p.replaces
	p.replaces = ""
	if wanted == "" {
		return nil
	}
	if inForce := p.dossier.InForce; inForce != wanted {
		text := "no record is in force on this revision"
		if inForce.Present() {
			text = "record " + string(inForce) + " has taken its place, and is the one that can be superseded"
		}
		return alarm{"Not superseded", text}
	}
	if why := s.whyNotDecide(p.dossier); why != "" {
		return alarm{"Not yours to supersede", why}
	}
	return p.decide(s)
}
