package ui

import (
	"docket/domain"
	"docket/ui/decision"
)

// decide begins a decision. Where one was begun before, it is asked what is to become of that.
func (p *packetScreen) decide(s *scene) effect {
	kept := &p.dossier.Draft
	switch {
	case !kept.Present():
		return showDecision(newDecideScreen(p, nil, s))
	case p.carried != nil:
		p.carried = nil
		return p.begin(false, s)
	case kept.Unreadable != "":
		return raise{&offer{title: "A draft that cannot be read", text: "A decision on this was begun " + p.begunAt(s) +
			", but its draft cannot be read: " + kept.Unreadable + ".", choices: []choice{{"drop it and begin anew", begin{p, true}}}}}
	}
	return raise{&offer{title: "A decision was begun", text: "A draft of " + p.begunAt(s) + " is there: " +
		decision.Sum(&p.dossier.View, &kept.Draft) + ".",
		choices: []choice{{"go on with the draft", begin{p, false}}, {"discard it and begin anew", begin{p, true}}}}}
}

// begin carries out the answer to that.
func (p *packetScreen) begin(anew bool, s *scene) effect {
	kept := p.dossier.Draft
	p.dossier.Draft = domain.KeptDraft{}
	if !anew {
		return showDecision(newDecideScreen(p, &kept, s))
	}
	fresh := newDecideScreen(p, nil, s)
	if kept.Revision == p.key().Number && kept.Preliminary.Present() {
		// The advice has been shown: what was said before that stays said.
		fresh.Preliminary, fresh.resumed = kept.Preliminary, true
		return showDecision(fresh)
	}
	return several{dropDraft{p.request.table, p.key()}, showDecision(fresh)}
}

// begunAt says when the draft was kept last and, if that is another one, on which revision.
func (p *packetScreen) begunAt(s *scene) string {
	return decision.Began(&p.dossier.Draft, p.key().Number, s.now)
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
