package decide

import (
	"fmt"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/widget"
)

// NewPacket makes the screen of a packet, from which a decision is begun.
func NewPacket(of screen.OpenPacket) screen.Reader {
	return packet.New(of, packet.Deciding{Begin: begin, Discard: discard, Recuse: recuse})
}

// begin starts a decision, or resumes the draft at once if there is one.
func begin(p *packet.Screen, s *screen.Scene) screen.Cmd {
	if why := decision.Unreadable(p.CaseFile, s.Key(action.DiscardDraft, action.InPacket)); why != "" {
		return s.Refuse(why)
	}
	p.Carried = nil
	return resumed(p, s).show(s)
}

func resumed(p *packet.Screen, s *screen.Scene) *Screen {
	kept := p.CaseFile.Draft
	p.CaseFile.Draft = records.KeptDraft{}
	if !kept.Present() || kept.Unreadable != "" {
		return newDecideScreen(p, nil, s)
	}
	return newDecideScreen(p, &kept, s)
}

func discard(p *packet.Screen, s *screen.Scene) screen.Cmd {
	return s.Raise(&widget.Question{Title: "Discard the draft?", Text: decision.DraftOf(p.CaseFile, s.Now),
		Yes: "discard", No: "keep", Answer: func(s *screen.Scene) screen.Cmd { return discarded(s, p, &p.CaseFile.Draft) }})
}

func discarded(s *screen.Scene, p *packet.Screen, kept *records.KeptDraft) screen.Cmd {
	draft := *kept
	p.CaseFile.Draft = records.KeptDraft{}
	fresh := newDecideScreen(p, nil, s)
	if !fresh.Discard(&draft) {
		fresh.resumed = true
		cmd := fresh.show(s)
		s.Say("discarded, except for your own judgment: the advice has been shown since")
		return cmd
	}
	s.Say("the draft is discarded")
	return s.DropDraft(p.Request.Table, p.Key())
}

func recuse(p *packet.Screen, s *screen.Scene) screen.Cmd {
	d := resumed(p, s)
	d.Recuse("")
	d.lay()
	d.resumed = true
	d.prepare(s)
	return d.show(s)
}

func (d *Screen) show(s *screen.Scene) screen.Cmd {
	s.Show(d)
	return d.evaluateAgain(s)
}

func (d *Screen) evaluateAgain(s *screen.Scene) screen.Cmd {
	if d.Step() != decision.Review {
		return nil
	}
	key := d.Packet.Key()
	return s.Open(d, &d.awaits, screen.Request{Table: d.Packet.Request.Table, ID: key.ID, Revision: key.Number}, d.evaluated)
}

// renewSlack: ticks may come less than once a minute.
const renewSlack = 10 * time.Second

// Ticked has the last page evaluated again once its evaluation is a minute old.
func (d *Screen) Ticked(s *screen.Scene, now terms.Instant) screen.Cmd {
	if d.awaits != 0 || now.Sub(d.Decision.View().EvaluatedAt()) < decision.RenewEvery-renewSlack {
		return nil
	}
	return d.evaluateAgain(s)
}

// evaluated takes a change with a notice, at the step that it affects, else in silence.
func (d *Screen) evaluated(s *screen.Scene, o *screen.Opened) screen.Cmd {
	if d.Step() != decision.Review {
		return nil
	}
	if o.Err != nil {
		return s.Refuse(fmt.Sprintf("the packet could not be evaluated again: %s", o.Err))
	}
	renewal, seen := d.Renew(o.CaseFile, d.Packet.Seen)
	d.Packet.Renewed(seen)
	switch renewal {
	case decision.Replaced:
		return openStale(s, d, d.Notices)
	case decision.Touched:
		d.prepare(s)
	}
	return nil
}
