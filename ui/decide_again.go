package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"time"
)

// showDecision shows a decision that begins or goes on.
func showDecision(d *decideScreen) effect { return several{show{d}, d.evaluateAgain()} }

// evaluateAgain has the packet evaluated once more, where the decision is at its last page.
func (d *decideScreen) evaluateAgain() effect {
	if d.Step() != decision.Review {
		return nil
	}
	return open{request{table: d.packet.request.table, id: d.packet.key().ID, revision: d.packet.key().Number}}
}

// renewSlack is how much younger than a minute an evaluation may be to be renewed: ticks come more seldom than that.
const renewSlack = 10 * time.Second

// ticked has the last page evaluated again once its evaluation is a minute old.
func (d *decideScreen) ticked(now domain.Instant) effect {
	if d.ticket != 0 || now.Sub(d.View().EvaluatedAt()) < decision.RenewEvery-renewSlack {
		return nil
	}
	return d.evaluateAgain()
}

// asked, awaits and arrived are those of a reader.
func (d *decideScreen) asked(r request) { d.ticket = r.ticket }

func (d *decideScreen) awaits(ticket int) bool { return d.ticket == ticket }

// arrived takes another evaluation over: the same result in silence; another one is told, and the decision goes back to the
// step that it touches.
func (d *decideScreen) arrived(msg opened, s *scene) effect {
	d.ticket = 0
	if d.Step() != decision.Review {
		return nil
	}
	if msg.err != nil {
		return say{text: "✗ the packet could not be evaluated again: " + msg.err.Error()}
	}
	renewal, seen := d.Renew(msg.dossier, d.packet.seen)
	d.packet.renewed(seen)
	switch renewal {
	case decision.Replaced:
		return newStaleScreen(d, d.Notices).open()
	case decision.Touched:
		d.prepare(s)
	}
	return nil
}
