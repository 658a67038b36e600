package decide

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/widget"
)

// NewPacket makes the screen of a packet, from which a decision is begun.
func NewPacket(of screen.OpenPacket) screen.Screen {
	return packet.New(of, packet.Deciding{Begin: begin, Discard: discard, Recuse: recuse})
}

// begin starts a decision, or resumes the draft at once if there is one.
func begin(p *packet.Screen, s *screen.Scene) screen.Effect {
	if why := decision.Unreadable(p.CaseFile, s.Key(action.DiscardDraft, action.InPacket)); why != "" {
		return screen.Say{Text: "✗ " + why}
	}
	p.Carried = nil
	return showDecision(resumed(p, s))
}

// resumed makes a decision on a packet from the packet's draft.
func resumed(p *packet.Screen, s *screen.Scene) *Screen {
	kept := p.CaseFile.Draft
	p.CaseFile.Draft = records.KeptDraft{}
	if !kept.Present() || kept.Unreadable != "" {
		return newDecideScreen(p, nil, s)
	}
	return newDecideScreen(p, &kept, s)
}

// discard asks whether to discard the draft of a packet.
func discard(p *packet.Screen, s *screen.Scene) screen.Effect {
	return screen.Raise{Overlay: &widget.Question{Title: "Discard the draft?", Text: decision.DraftOf(p.CaseFile, s.Now),
		Yes: "discard", No: "keep", Answer: discarded{packet: p}}}
}

// discarded discards the draft of a packet, or the decision that is being made on it.
type discarded struct {
	packet *packet.Screen
	of     *Screen // nil: the draft is not resumed
}

func (e discarded) CarryOut(h screen.Host) tea.Cmd {
	p, leave := e.packet, screen.Effect(nil)
	kept := p.CaseFile.Draft
	if e.of != nil {
		kept, leave = e.of.Kept(h.Scene().Now), screen.Leave{}
	}
	p.CaseFile.Draft = records.KeptDraft{}
	fresh := newDecideScreen(p, nil, h.Scene())
	if !fresh.Discard(&kept) {
		fresh.resumed = true
		return screen.Apply(screen.Several{leave, showDecision(fresh), screen.Say{Text: "discarded, except for your own judgment: the advice has been shown since"}}, h)
	}
	return screen.Apply(screen.Several{leave, screen.DropDraft{Table: p.Request.Table, Key: p.Key()}, screen.Say{Text: "the draft is discarded"}}, h)
}

// recuse begins a recusal at the statement, which says why.
func recuse(p *packet.Screen, s *screen.Scene) screen.Effect {
	d := resumed(p, s)
	d.Recuse("")
	d.lay()
	d.resumed = true
	d.prepare(s)
	return showDecision(d)
}

// showDecision shows a decision that begins or is resumed.
func showDecision(d *Screen) screen.Effect {
	return screen.Several{screen.Show{Screen: d}, d.evaluateAgain()}
}

// evaluateAgain has the packet evaluated again if the decision is at its last page.
func (d *Screen) evaluateAgain() screen.Effect {
	if d.Step() != decision.Review {
		return nil
	}
	key := d.Packet.Key()
	return screen.Open{Request: screen.Request{Table: d.Packet.Request.Table, ID: key.ID, Revision: key.Number}}
}

// renewSlack is how much younger than a minute an evaluation may be when it is renewed, since ticks may come less than once a minute.
const renewSlack = 10 * time.Second

// Ticked has the last page evaluated again once its evaluation is a minute old.
func (d *Screen) Ticked(now terms.Instant) screen.Effect {
	if d.Ticket != 0 || now.Sub(d.Decision.View().EvaluatedAt()) < decision.RenewEvery-renewSlack {
		return nil
	}
	return d.evaluateAgain()
}

// Arrived takes a new evaluation: an unchanged result in silence; a changed one with a notice, and the decision goes back to the step that it affects.
func (d *Screen) Arrived(msg screen.Opened, s *screen.Scene) screen.Effect {
	d.Ticket = 0
	if d.Step() != decision.Review {
		return nil
	}
	if msg.Err != nil {
		return screen.Say{Text: fmt.Sprintf("✗ the packet could not be evaluated again: %s", msg.Err)}
	}
	renewal, seen := d.Renew(msg.CaseFile, d.Packet.Seen)
	d.Packet.Renewed(seen)
	switch renewal {
	case decision.Replaced:
		return openStale(d, d.Notices)
	case decision.Touched:
		d.prepare(s)
	}
	return nil
}
