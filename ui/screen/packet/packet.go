// Package packet is the screen of one revision of a case or an amendment, its preview beside a
// list, and the screen of the difference between two revisions.
package packet

import (
	"fmt"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/listing"
	"docket/ui/screen"
	"docket/ui/task"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen shows one revision of a case or an amendment.
type Screen struct {
	keys     keys // that its text names
	Request  screen.Request
	deciding Deciding
	awaits   screen.Ticket
	CaseFile *queue.CaseFile
	OpenedAt terms.Instant
	trouble  string

	cursor   spot
	scroll   widget.Scroll
	folds    map[string]bool // what the reader has folded, true, or unfolded on this packet
	unfolded map[string]bool // the long lists that show as a whole
	entire   bool            // every list shows as a whole
	preview  bool            // it stands beside a list
	search   search
	drawn    drawnPacket       // as last laid out
	lit      map[spot]bool     // the rows that have been in the window as a whole
	items    []screen.CopyItem // set when the copy menu opens
	Seen     []views.SectionName
	Said     bool               // all that is said has been on the screen
	Blind    bool               // what the rules advise is not shown yet
	Carried  *records.KeptDraft // a decision whose packet changed, and that continues on this one
	opened   screen.OpenPacket  // what it was opened for, as far as that is not done yet
}

// Deciding is how an open packet starts a decision.
type Deciding struct {
	Begin   func(*Screen, *screen.Scene) screen.Cmd // begins one, or goes on with the draft
	Discard func(*Screen, *screen.Scene) screen.Cmd // asks, and discards the draft
	Recuse  func(*Screen, *screen.Scene) screen.Cmd // begins a recusal, at its reason
}

// New makes the screen of a packet that is about to be opened.
func New(of screen.OpenPacket, deciding Deciding) *Screen {
	return &Screen{Request: of.Request, Carried: of.Carried, opened: of, deciding: deciding,
		folds: map[string]bool{}, unfolded: map[string]bool{}, lit: map[spot]bool{}}
}

func (p *Screen) Place() action.Place {
	if p.Typing() {
		return action.InFind
	}
	return action.InPacket
}

// Waits reports whether a key waits for the packet to open.
func (p *Screen) Waits(action.Press, action.Keymap) bool { return p.CaseFile == nil && p.trouble == "" }

// Read reads the packet that it was opened for.
func (p *Screen) Read(s *screen.Scene) screen.Cmd { return p.load(s, p.Request.Revision) }

func (p *Screen) load(s *screen.Scene, revision int64) screen.Cmd {
	r := p.Request
	r.Revision = revision
	return s.Open(p, &p.awaits, r, p.arrived)
}

// arrived counts no sections seen of another view, and keeps the reader's place within the case.
func (p *Screen) arrived(s *screen.Scene, msg *screen.Opened) screen.Cmd {
	if msg.Err != nil {
		if p.CaseFile == nil {
			p.trouble = msg.Err.Error()
			return nil
		}
		return widget.Alarm(s, "The packet could not be opened", msg.Err.Error())
	}
	again := p.CaseFile != nil && p.Key().ID == msg.CaseFile.View.Key().ID
	p.Request, p.CaseFile, p.OpenedAt, p.trouble = msg.Request, msg.CaseFile, msg.OpenedAt, ""
	p.Request.Revision = p.Key().Number
	p.Seen, p.Said, p.drawn, p.items, p.lit = nil, false, drawnPacket{}, nil, map[spot]bool{}
	p.search = search{}
	if p.Carried != nil {
		p.CaseFile.Draft = *p.Carried
	}
	p.Blind = s.BlindFirst && decision.HoldsBackAdvice(p.CaseFile)
	if !again {
		p.cursor, p.scroll = spot{}, widget.Scroll{}
	} else if s.Width > 0 {
		p.follow(s)
	}
	p.seek(s)
	return p.pursue(s)
}

func (p *Screen) Key() packets.Key {
	if p.CaseFile == nil {
		return packets.Key{ID: p.Request.ID, Number: p.Request.Revision}
	}
	return p.CaseFile.View.Key()
}

func (p *Screen) NoteSkip(table terms.Table, key packets.Key, reason string) {
	if p.CaseFile != nil && p.Request.Table == table && key == p.Key() {
		p.CaseFile.Skipped, p.drawn = reason, drawnPacket{}
	}
}

func (p *Screen) Erased(s *screen.Scene) screen.Cmd {
	return tea.Batch(p.Read(s), s.Queue.Refresh(s, terms.AreaOf(p.Request.Table), p.Key().ID))
}

func (p *Screen) otherRevision(newer bool) (int64, bool) {
	return listing.Revision(p.CaseFile.Revisions, p.Key().Number, newer)
}

func (p *Screen) Obstacle(v action.Verb, s *screen.Scene) string {
	if p.CaseFile == nil {
		switch v {
		case action.Decide, action.Recuse, action.DiscardDraft, action.Erase, action.SetAside,
			action.EarlierRevision, action.LaterRevision, action.Accept, action.Fold, action.FoldAll,
			action.ShowChanges, action.CopyOut, action.Explain, action.EditFilter,
			action.LaterMatch, action.EarlierMatch:
			return "the packet is not open yet"
		}
		return ""
	}
	switch v {
	case action.Decide, action.Recuse:
		return s.WhyNotDecide(p.CaseFile)
	case action.Erase:
		return task.WhyNotErase(s)
	case action.DiscardDraft:
		if !p.CaseFile.Draft.Present() {
			return wording.NoDraft
		}
	case action.SetAside:
		return decision.WhyNotSkip(p.CaseFile.Decided(), s.Reviewer, s.Locked)
	case action.LaterRevision, action.EarlierRevision:
		if _, ok := p.otherRevision(v == action.LaterRevision); !ok {
			return map[action.Verb]string{action.LaterRevision: wording.NoNewer, action.EarlierRevision: wording.NoOlder}[v]
		}
	case action.ShowChanges:
		if len(p.CaseFile.Revisions) < 2 {
			return decision.OneRevision
		}
	case action.LaterMatch, action.EarlierMatch:
		switch {
		case p.search.text == "":
			return fmt.Sprintf("no search yet; %s begins one", s.Key(action.EditFilter, action.InPacket))
		case len(p.search.finds) == 0:
			return "nothing in this packet matches"
		}
	case action.Accept:
		if !p.Typing() {
			return p.here(s).why
		}
	}
	return ""
}

func (p *Screen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	if p.Typing() {
		switch v {
		case action.Accept, action.GoBack:
			return p.endSearch(v == action.Accept, s)
		case action.GoUp, action.GoDown:
			p.toFind(map[action.Verb]int{action.GoUp: -1, action.GoDown: 1}[v], s)
		}
		return nil
	}
	if p.CaseFile != nil && p.move(v, s) {
		return nil
	}
	switch v {
	case action.EditFilter:
		p.search.editor = widget.NewEditor("/ ", "text in this packet", p.search.text)
		p.search.begun = p.cursor
	case action.LaterMatch:
		p.toFind(1, s)
		return p.found(s)
	case action.EarlierMatch:
		p.toFind(-1, s)
		return p.found(s)
	case action.GoBack:
		s.Leave()
		return s.Queue.Refresh(s, terms.AreaOf(p.Request.Table))
	case action.Decide:
		return p.deciding.Begin(p, s)
	case action.DiscardDraft:
		return p.deciding.Discard(p, s)
	case action.Recuse:
		return p.deciding.Recuse(p, s)
	case action.Erase:
		return task.AskErase(s, records.ErasuresOfRevision(p.Request.Table, p.Key(), p.CaseFile.Draft.Revision))
	case action.SetAside:
		return widget.SetAside(s, p.Request.Table, p.Key(), p.CaseFile.Skipped)
	case action.ShowReceipt:
		return s.ShowReceipt()
	case action.LaterCase, action.EarlierCase:
		return s.NextCase(p.Key(), v == action.EarlierCase, nil, false)
	case action.LaterRevision, action.EarlierRevision:
		number, _ := p.otherRevision(v == action.LaterRevision)
		return p.load(s, number)
	case action.Reread:
		s.Await("evaluating it again …")
		return p.Read(s)
	case action.Accept:
		return p.enter(s)
	case action.Fold:
		return p.fold(s)
	case action.FoldAll:
		p.foldAll(s)
	case action.ShowChanges:
		return compareRevisions(p, s)
	}
	return nil
}

func (p *Screen) enter(s *screen.Scene) screen.Cmd {
	switch here := p.here(s); {
	case here.open != nil:
		return here.open(s)
	case here.turn != "":
		p.turnTo(here.turn, s)
	case here.list != "":
		p.unfold(here.list, s)
	case p.cursor.nth == 0 && p.cursor.key != "":
		p.fold(s)
	default:
		return s.Do(action.Explain)
	}
	return nil
}

// pursue does what the packet was opened for, once: supersede, judge again, or continue a draft.
func (p *Screen) pursue(s *screen.Scene) screen.Cmd {
	of, about := p.opened, "Not yours to decide"
	p.opened = screen.OpenPacket{Sought: of.Sought}
	switch {
	case of.Replaces.Present():
		about = "Not yours to supersede"
		if why := decision.WhyNotSuperseded(p.CaseFile, of.Replaces); why != "" {
			return widget.Alarm(s, decision.NotSuperseded, why)
		}
	case of.Rejected.Present():
		about = "Not yours to judge again"
		if why := decision.JudgedAgain(p.CaseFile, of.Rejected); why != "" {
			return widget.Alarm(s, wording.NoJudgeAgain, why)
		}
	case !of.Resumes:
		return nil
	}
	if why := s.WhyNotDecide(p.CaseFile); why != "" {
		return widget.Alarm(s, about, why)
	}
	if of.Rejected.Present() {
		return s.Say(fmt.Sprintf("this is its state now; %s decides on it again", s.Key(action.Decide, action.InPacket)))
	}
	return p.deciding.Begin(p, s)
}

// FoldHere folds or unfolds what is under the cursor, a section or a list, and opens nothing.
func (p *Screen) FoldHere(s *screen.Scene) screen.Cmd {
	if here := p.here(s); here.list == "" && here.turn == "" {
		return p.fold(s)
	}
	return p.enter(s)
}

// Renewed takes a new evaluation of the packet, and which of the sections seen are unchanged.
func (p *Screen) Renewed(seen []views.SectionName) {
	p.Seen, p.drawn, p.items, p.lit = seen, drawnPacket{}, nil, map[spot]bool{}
	p.search.made = nil
}
