package ui

import (
	"strings"
	"time"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
)

// A step of a decision is how the console draws it and takes its keys.
type step struct {
	// missing says what the step still lacks on the screen, "" if it may be left; nil for a step of which Missing tells.
	missing func(d *decideScreen, s *scene) string
	rows    func(d *decideScreen) int
	choose  func(d *decideScreen, s *scene) effect // what the key for choosing does on the line under the cursor
	view    func(d *decideScreen, s *scene, height int) line.Sheet
}

// stepFor is how a step is drawn.
func stepFor(s decision.Step) step {
	switch s {
	case decision.First, decision.Outcome:
		return outcomeStep
	case decision.Factors:
		return factorStep
	case decision.Blockers:
		return blockerStep
	case decision.Statement:
		return statementStep
	case decision.Note:
		return noteStep
	}
	return reviewStep
}

// decideScreen makes a decision step by step. It lies over the packet it is about.
type decideScreen struct {
	*decision.Decision
	packet   *packetScreen
	ticket   int          // of the evaluation that is waited for
	begun    domain.Draft // as it was before anything was chosen
	resumed  bool         // it goes on with a draft
	drawn    []step       // how each step is drawn
	lists    []list       // one a step
	search   string
	editor   *editor   // while something is typed
	quietTil time.Time // keys before that were typed before the last page could be read
	scroll   scroll    // of the last page

	read      shownText // the last page
	complaint string    // why the last page did not take what was typed last
}

// newDecideScreen begins a decision, or goes on with a draft.
func newDecideScreen(p *packetScreen, kept *domain.KeptDraft, s *scene) *decideScreen {
	d := &decideScreen{packet: p, Decision: decision.New(p.dossier, p.openedAt, p.blind)}
	if kept != nil {
		d.Resume(kept, p.blind)
		d.resumed = true
	}
	for _, one := range d.Steps() {
		d.drawn = append(d.drawn, stepFor(one))
	}
	d.lists = make([]list, len(d.drawn))
	d.prepare(s)
	d.begun = d.current()
	return d
}

func (d *decideScreen) step() *step { return &d.drawn[d.At()] }

func (d *decideScreen) list() *list { return &d.lists[d.At()] }

func (d *decideScreen) place() place {
	switch {
	case d.Step() == decision.Statement:
		return inStatement
	case d.Step() == decision.Note:
		return inNote
	case d.Step() == decision.Review:
		return inReview
	case d.editor != nil:
		return inSearch
	case d.Step() == decision.Blockers:
		return inBlockers
	}
	return inDecision
}

// enter begins the step at which the decision has arrived.
func (d *decideScreen) enter(s *scene) effect {
	d.prepare(s)
	return d.evaluateAgain()
}

// prepare gets the step ready to be drawn.
func (d *decideScreen) prepare(s *scene) {
	d.editor = nil
	switch d.place() {
	case inStatement:
		d.editor = newEditor("❯ ", "your reasons", d.Statement)
	case inNote:
		d.editor = newEditor("❯ ", "nothing, or a line for yourself", d.Note)
	case inReview:
		d.openReview(s)
	}
	if d.Step() == decision.First || d.Step() == decision.Outcome {
		d.outcomeCursor()
	}
}

func (d *decideScreen) obstacle(v verb, s *scene) string {
	switch v {
	case accept:
		if d.place() == inSearch {
			return ""
		}
		if d.step().missing != nil {
			return d.step().missing(d, s)
		}
		return d.Missing(d.Step(), s.reviewer)
	case toggle:
		if d.step().choose == nil {
			return "there is nothing to choose here"
		}
	}
	return ""
}

func (d *decideScreen) handle(v verb, s *scene) effect {
	if d.place() == inReview {
		if d.scroll.move(v) {
			return nil
		}
	} else if d.step().rows != nil && d.list().move(v, d.step().rows(d)) {
		return nil
	}
	switch v {
	case accept:
		return d.accept(s)
	case goBack:
		return d.back(s)
	case toggle:
		return d.step().choose(d, s)
	case editFilter:
		d.editor = newEditor("/ ", "part of a code or of what it means", d.search)
	}
	return nil
}

// accept leaves the step forwards.
func (d *decideScreen) accept(s *scene) effect {
	switch d.place() {
	case inSearch:
		d.editor = nil
		return nil
	case inStatement:
		d.takeStatement()
	case inNote:
		d.Note = strings.TrimSpace(d.editor.text())
	case inReview:
		return d.record()
	}
	d.Forward()
	d.packet.blind = d.packet.blind && d.Blind()
	return d.enter(s)
}

// back goes one step back, with everything kept; from the first one it leaves the decision.
func (d *decideScreen) back(s *scene) effect {
	var said effect
	switch d.place() {
	case inSearch:
		d.editor, d.search = nil, ""
		return nil
	case inStatement:
		said = d.takeStatement()
	case inNote:
		d.Note = strings.TrimSpace(d.editor.text())
	}
	if !d.Back() {
		return d.leave(s)
	}
	return several{d.enter(s), said}
}

func (d *decideScreen) typing() bool { return d.editor != nil }

func (d *decideScreen) typed(p press, s *scene) effect {
	if d.place() == inReview {
		return d.typeWord(p, s)
	}
	d.editor.take(p)
	if d.place() == inSearch {
		d.search = d.editor.text()
		*d.list() = list{height: d.list().height}
	}
	return nil
}
