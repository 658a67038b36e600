package ui

import (
	"docket/domain"
	"docket/ui/decision"
)

// packetScreen shows one revision of a case or an amendment.
type packetScreen struct {
	silent
	request  request
	begin    func(*packetScreen, *scene) effect // a decision
	ticket   int                                // of the answer that is waited for
	dossier  *domain.Dossier
	openedAt domain.Instant
	trouble  string

	cursor   spot
	scroll   scroll
	folds    map[string]bool // what the reader has folded, true, or unfolded on this packet
	drawn    drawnPacket     // as last laid out
	items    []copyItem      // what can be copied, once somebody asked
	seen     []domain.SectionName
	blind    bool              // what the rules advise is not shown yet
	carried  *domain.KeptDraft // a decision that met a changed packet, and goes on with this one
	replaces domain.RecordID   // a record that the reviewer wants to supersede
	rejected domain.RecordID   // a record that the service rejected, for which the reviewer wants to judge again
}

// newPacketScreen makes the screen of a packet that is going to be opened. begin begins a decision on it, once it is.
func newPacketScreen(of openPacket, begin func(*packetScreen, *scene) effect) *packetScreen {
	return &packetScreen{request: of.request, carried: of.carried, replaces: of.replaces, rejected: of.rejected, begin: begin,
		folds: map[string]bool{}}
}

func (p *packetScreen) place() place { return inPacket }

// asked, awaits and arrived are those of a reader.
func (p *packetScreen) asked(r request) { p.ticket = r.ticket }

func (p *packetScreen) awaits(ticket int) bool { return p.ticket == ticket }

// arrived takes the dossier. What was seen of another view does not count for this one; the reader's place does, if it
// is of the same case.
func (p *packetScreen) arrived(msg opened, s *scene) effect {
	if msg.err != nil {
		if p.dossier == nil {
			p.trouble = msg.err.Error()
			return nil
		}
		return alarm{"The packet could not be opened", msg.err.Error()}
	}
	again := p.dossier != nil && p.key().ID == msg.dossier.View.Key().ID
	p.request, p.dossier, p.openedAt, p.trouble = msg.request, msg.dossier, msg.openedAt, ""
	p.request.revision = p.key().Number
	p.seen, p.drawn, p.items = nil, drawnPacket{}, nil
	if p.carried != nil {
		p.dossier.Draft = *p.carried
	}
	p.blind = s.blindFirst && decision.HoldsBackAdvice(p.dossier)
	if !again {
		p.cursor, p.scroll = spot{}, scroll{}
	} else if s.width > 0 {
		p.follow(s)
	}
	return several{p.supersede(s), p.judgeAnew(s)}
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
		p.dossier.Skipped, p.drawn = s.reason, drawnPacket{}
	}
}

// otherRevision is the held revision next to the one in view; false if there is none.
func (p *packetScreen) otherRevision(newer bool) (int64, bool) {
	return neighbouring(p.dossier.Revisions, p.key().Number, newer)
}

// neighbouring is the number in an ascending list that comes after the given one, or before it; false if there is none.
func neighbouring(held []int64, here int64, newer bool) (found int64, ok bool) {
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
		case decide, setAside, earlierRevision, laterRevision, accept, fold, foldAll, showChanges, copyOut, explain:
			return "the packet is not open yet"
		}
		return ""
	}
	switch v {
	case decide:
		return s.whyNotDecide(p.dossier)
	case setAside:
		return decision.WhyNotSkip(p.dossier.Decided(), s.reviewer, s.locked)
	case laterRevision:
		if _, ok := p.otherRevision(true); !ok {
			return "this is the newest revision held"
		}
	case earlierRevision:
		if _, ok := p.otherRevision(false); !ok {
			return "no older revision is held"
		}
	case showChanges:
		if len(p.dossier.Revisions) < 2 {
			return "only this revision is held, so there is nothing to compare it with"
		}
	case accept:
		return p.here(s).why
	}
	return ""
}

func (p *packetScreen) handle(v verb, s *scene) effect {
	if p.dossier != nil && p.move(v, s) {
		return nil
	}
	switch v {
	case goBack:
		return several{leave{}, judgeAgain{area: domain.AreaOf(p.request.table)}}
	case decide:
		return p.begin(p, s)
	case setAside:
		return setAsideEffect(p.request.table, p.key(), p.dossier.Skipped)
	case laterCase, earlierCase:
		return nextCase{after: p.key(), backwards: v == earlierCase}
	case laterRevision, earlierRevision:
		number, _ := p.otherRevision(v == laterRevision)
		r := p.request
		r.revision = number
		return open{r}
	case reread:
		return several{open{p.request}, say{text: "judging it again …", waiting: true}}
	case accept:
		return p.enter(s)
	case fold:
		p.fold(s)
	case foldAll:
		p.foldAll(s)
	case showChanges:
		return compareRevisions(p)
	}
	return nil
}

// enter opens what is under the cursor: a record, a revision, a related packet, or the contract's text for it, or goes to
// the section that it is about; a heading folds.
func (p *packetScreen) enter(s *scene) effect {
	switch here := p.here(s); {
	case here.open != nil:
		return here.open
	case here.turn != "":
		p.turnTo(here.turn, s)
		return nil
	case p.cursor.nth == 0 && p.cursor.key != "":
		p.fold(s)
		return nil
	}
	return run{explain}
}

// judgeAnew says what to do with a packet that was opened to be judged again, once it is there.
func (p *packetScreen) judgeAnew(s *scene) effect {
	wanted := p.rejected
	p.rejected = ""
	if wanted == "" {
		return nil
	}
	if why := decision.JudgedAgain(p.dossier, wanted); why != "" {
		return alarm{"Nothing to judge again", why}
	}
	if why := s.whyNotDecide(p.dossier); why != "" {
		return alarm{"Not yours to judge again", why}
	}
	return say{text: "this is how it stands now; d decides on it anew"}
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
	return p.begin(p, s)
}

// renewed takes over that the packet was evaluated again, and which of the sections seen say the same still.
func (p *packetScreen) renewed(seen []domain.SectionName) {
	p.seen, p.drawn, p.items = seen, drawnPacket{}, nil
}
