package decide

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/widget"
)

// Begin starts a decision. Where a draft is there, it asks whether to go on with it.
func Begin(p *packet.Screen, s *screen.Scene) screen.Effect {
	switch {
	case !p.CaseFile.Draft.Present():
		return showDecision(newDecideScreen(p, nil, s))
	case p.Carried != nil:
		p.Carried = nil
		return begin{p, false}.decide(s)
	}
	kept := decision.OfferOf(p.CaseFile, s.Now)
	asked := &widget.Offer{Title: kept.Title, Text: kept.Text}
	for _, way := range kept.Ways {
		asked.Choices = append(asked.Choices, widget.Choice{Label: way.Meaning, Effect: begin{p, way.Anew}})
	}
	return screen.Raise{Overlay: asked}
}

// begin goes on with the draft of a packet, or starts over.
type begin struct {
	packet *packet.Screen
	anew   bool
}

func (e begin) CarryOut(h screen.Host) tea.Cmd { return screen.Apply(e.decide(h.Scene()), h) }

func (e begin) decide(s *screen.Scene) screen.Effect {
	p := e.packet
	kept := p.CaseFile.Draft
	p.CaseFile.Draft = records.KeptDraft{}
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

// showDecision shows a decision that begins or goes on.
func showDecision(d *Screen) screen.Effect {
	return screen.Several{screen.Show{Screen: d}, d.evaluateAgain()}
}

// evaluateAgain has the packet evaluated once more, where the decision is at its last page.
func (d *Screen) evaluateAgain() screen.Effect {
	if d.Step() != decision.Review {
		return nil
	}
	key := d.Packet.Key()
	return screen.Open{Request: screen.Request{Table: d.Packet.Request.Table, ID: key.ID, Revision: key.Number}}
}

// renewSlack is how much younger than a minute an evaluation may be to be renewed: ticks come more seldom than that.
const renewSlack = 10 * time.Second

// Ticked has the last page evaluated again once its evaluation is a minute old.
func (d *Screen) Ticked(now terms.Instant) screen.Effect {
	if d.ticket != 0 || now.Sub(d.Decision.View().EvaluatedAt()) < decision.RenewEvery-renewSlack {
		return nil
	}
	return d.evaluateAgain()
}

// Asked, Awaits and Arrived are those of a Reader.
func (d *Screen) Asked(r screen.Request) { d.ticket = r.Ticket }

func (d *Screen) Awaits(ticket int) bool { return d.ticket == ticket }

// Arrived takes another evaluation over: the same result in silence; another one is told, and the decision goes back to the
// step that it touches.
func (d *Screen) Arrived(msg screen.Opened, s *screen.Scene) screen.Effect {
	d.ticket = 0
	if d.Step() != decision.Review {
		return nil
	}
	if msg.Err != nil {
		return screen.Say{Text: "✗ the packet could not be evaluated again: " + msg.Err.Error()}
	}
	renewal, seen := d.Renew(msg.CaseFile, d.Packet.Seen)
	d.Packet.Renewed(seen)
	switch renewal {
	case decision.Replaced:
		return NewStale(d, d.Notices).Open()
	case decision.Touched:
		d.prepare(s)
	}
	return nil
}
