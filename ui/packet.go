package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// packetScreen shows one revision of a case or an amendment.
type packetScreen struct {
	silent
	request  request
	ticket   int // of the answer that is waited for
	dossier  *domain.Dossier
	openedAt domain.Instant
	trouble  string
	refusal  string // why the reviewer may not decide on it, as last drawn

	scroll   scroll
	covered  bool            // by an overlay, as last drawn
	sections []placedSection // as last laid out
	seen     []domain.SectionName
	blind    bool              // what the rules advise is not shown yet
	carried  *domain.KeptDraft // a decision that met a changed packet, and goes on with this one
	replaces domain.RecordID   // a record that the reviewer wants to supersede
}

func newPacketScreen(r request) *packetScreen { return &packetScreen{request: r} }

func (p *packetScreen) place() place { return inPacket }

// arrived takes the dossier. What was seen of another view does not count for this one.
func (p *packetScreen) arrived(msg opened, s *scene) effect {
	if msg.err != nil {
		if p.dossier == nil {
			p.trouble = msg.err.Error()
			return nil
		}
		return alarm{"The packet could not be opened", msg.err.Error()}
	}
	p.request, p.dossier, p.openedAt, p.trouble = msg.request, msg.dossier, msg.openedAt, ""
	p.request.revision = p.key().Number
	p.scroll, p.seen = scroll{}, nil
	if p.carried != nil {
		p.dossier.Draft = *p.carried
	}
	p.blind = blindTo(p.dossier, s)
	return p.supersede(s)
}

func (p *packetScreen) key() domain.Key {
	if p.dossier == nil {
		return domain.Key{ID: p.request.id, Number: p.request.revision}
	}
	return p.dossier.View.Key()
}

// noteSkip takes over that this revision was skipped, or no longer is.
func (p *packetScreen) noteSkip(s skip) {
	if p.dossier != nil && p.key() == s.key {
		p.dossier.Skipped = s.reason
	}
}

// otherRevision is the held revision next to the one in view; false if there is none.
func (p *packetScreen) otherRevision(newer bool) (int64, bool) {
	held, here := p.dossier.Revisions, p.key().Number
	found, ok := int64(0), false
	for _, n := range held {
		if newer && n > here {
			return n, true
		}
		if !newer && n < here {
			found, ok = n, true
		}
	}
	return found, ok
}

func (p *packetScreen) obstacle(v verb, s *scene) string {
	if p.dossier == nil {
		switch v {
		case decide, setAside, earlierRevision, laterRevision:
			return "the packet is not open yet"
		}
		return ""
	}
	switch v {
	case decide:
		return whyNotDecide(&p.dossier.View, s)
	case setAside:
		switch {
		case s.locked != "":
			return s.locked
		case !s.reviewer.Known():
			return "no reviewer is set up on this machine, so nothing can be skipped; run `docket identity init` first"
		case p.dossier.InForce.Present():
			return "it is decided; there is nothing to skip"
		}
	case laterRevision:
		if _, ok := p.otherRevision(true); !ok {
			return "this is the newest revision held"
		}
	case earlierRevision:
		if _, ok := p.otherRevision(false); !ok {
			return "no older revision is held"
		}
	}
	return ""
}

// whyNotDecide says why this reviewer may not decide on the packet; "" if they may.
func whyNotDecide(v *domain.View, s *scene) string {
	err := domain.MayDecide(v, s.reviewer)
	switch {
	case s.locked != "":
		return s.locked
	case err != nil:
		return plain(err)
	case s.reviewer.KeyFingerprint == "":
		return "you have no signing key, and a record must be signed; run `docket identity init` first"
	}
	return ""
}

func (p *packetScreen) handle(v verb, s *scene) effect {
	if p.scroll.move(v) {
		return nil
	}
	switch v {
	case goBack:
		return several{leave{}, refresh{domain.AreaOf(p.request.table)}}
	case decide:
		return p.decide(s)
	case setAside:
		return setAsideEffect(p.request.table, p.key(), p.dossier.Skipped)
	case laterCase, earlierCase:
		return nextCase{after: p.key(), backwards: v == earlierCase}
	case laterRevision, earlierRevision:
		number, _ := p.otherRevision(v == laterRevision)
		r := p.request
		r.revision = number
		return open{r}
	case laterSection, earlierSection:
		p.jump(v == laterSection)
	case reread:
		return several{open{p.request}, say{text: "judging it again …", waiting: true}}
	}
	return nil
}

// jump scrolls to the next heading, or to the one before.
func (p *packetScreen) jump(forward bool) {
	to := p.scroll.top
	for _, s := range p.sections {
		if forward && s.beside == 0 && s.heading > p.scroll.top {
			to = s.heading
			break
		}
		if !forward && s.beside == 0 && s.heading < p.scroll.top {
			to = s.heading
		}
	}
	if !forward && to == p.scroll.top {
		to = 0
	}
	p.scroll.top = max(min(to, p.scroll.lines-p.scroll.height), 0)
}

// title names the packet.
func (p *packetScreen) title(s *scene) line.Line {
	noun := "case "
	if domain.AreaOf(p.request.table) == domain.Amendments {
		noun = "amendment "
	}
	left := line.Of(theme.Dim, noun).And(theme.Strong, string(p.key().ID))
	if p.dossier == nil {
		return left
	}
	left = left.And(theme.Dim, " revision "+thousands(int(p.key().Number)))
	if newest := p.dossier.Revisions; len(newest) > 0 && newest[len(newest)-1] > p.key().Number {
		left = left.And(theme.Warn, " of "+thousands(int(newest[len(newest)-1])))
	}
	if s.compact {
		return gateMark(p.gate()).And(theme.Plain, " ").Plus(left)
	}
	if c := p.dossier.View.Record().AppealCase(); c.Held() {
		record := c.Record()
		return line.Spread(left.And(theme.Dim, " · "+orDash(record.Subject.Label())+" · "+orDash(record.Trigger.Label())),
			timeLeft(record.Deadline, s.now), s.width)
	}
	record := p.dossier.View.Record().Amendment().Record()
	return line.Spread(left.And(theme.Dim, " · "+orDash(record.Transition.Label())),
		line.Of(theme.Dim, record.State.Label()), s.width)
}

func (p *packetScreen) gate() domain.Gate { return p.dossier.View.Judgment().Gate() }
