package ui

import (
	"time"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/phrase"
)

// A step of a decision: its name, what it takes to leave it forwards, and how it is drawn. Steps of amendments are those
// of appeals without the outcome.
type step struct {
	name string
	// outcome is where the step's outcome belongs; nil for a step that takes none.
	outcome func(*domain.Draft) *domain.Outcome
	// missing says what the step still lacks; "" if it may be left.
	missing func(d *decideScreen, s *scene) string
	rows    func(d *decideScreen) int
	choose  func(d *decideScreen, s *scene) effect // what the key for choosing does on the line under the cursor
	view    func(d *decideScreen, s *scene, height int) line.Sheet
}

// decideScreen makes a decision step by step. It lies over the packet it is about.
type decideScreen struct {
	packet   *packetScreen
	draft    domain.Draft
	begun    domain.Draft // as it was before anything was chosen
	resumed  bool         // it goes on with a draft
	steps    []step
	at       int
	furthest int      // step that was reached
	lists    []list   // one a step
	notice   []string // plain words about something that changed
	search   string
	editor   *editor   // while something is typed
	quietTil time.Time // keys before that were typed before the last page could be read
	scroll   scroll    // of the last page

	read      shownText // the last page
	complaint string    // why the last page did not take what was typed last
}

// newDecideScreen begins a decision, or goes on with a draft.
func newDecideScreen(p *packetScreen, kept *domain.KeptDraft, s *scene) *decideScreen {
	v := &p.dossier.View
	d := &decideScreen{packet: p, draft: newDraft(v)}
	if kept != nil {
		d.draft, d.notice = phrase.Adopt(kept, p.dossier)
		d.resumed = true
	}
	d.notice = append(phrase.AgainBecause(p.dossier), d.notice...)
	if p.blind {
		d.steps = append(d.steps, firstStep)
	}
	if v.Area() == domain.Appeals {
		d.steps = append(d.steps, outcomeStep)
	}
	d.steps = append(d.steps, factorStep, blockerStep, noteStep, reviewStep)
	d.lists = make([]list, len(d.steps))
	d.enter(d.resumeAt(kept), s)
	d.begun = d.current()
	return d
}

func (d *decideScreen) packetView() *domain.View { return &d.packet.dossier.View }

func (d *decideScreen) step() *step { return &d.steps[d.at] }

func (d *decideScreen) list() *list { return &d.lists[d.at] }

func (d *decideScreen) place() place {
	switch {
	case d.step().name == noteStep.name:
		return inNote
	case d.step().name == reviewStep.name:
		return inReview
	case d.editor != nil:
		return inSearch
	case d.step().name == blockerStep.name:
		return inBlockers
	}
	return inDecision
}

// gate is what would be recorded now.
func (d *decideScreen) gate() domain.Gate { return domain.GateWith(d.packetView(), d.draft.Added) }

// enter goes to a step.
func (d *decideScreen) enter(at int, s *scene) {
	d.at, d.furthest, d.editor = at, max(d.furthest, at), nil
	switch d.place() {
	case inNote:
		d.editor = newEditor("❯ ", "nothing, or a line for yourself", d.draft.Note)
	case inReview:
		d.openReview(s)
	}
	if d.step().outcome != nil {
		d.outcomeCursor()
	}
}

func (d *decideScreen) obstacle(v verb, s *scene) string {
	switch v {
	case accept:
		if d.place() == inSearch {
			return ""
		}
		return d.step().missing(d, s)
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
	case inNote:
		d.draft.Note = trimmed(d.editor.text())
	case inReview:
		return d.record()
	}
	d.notice = nil
	if d.step().outcome != nil {
		*d.step().outcome(&d.draft) = d.optionAtCursor().Outcome
	}
	if d.step().name == firstStep.name {
		d.packet.blind = false
	}
	if d.step().name == blockerStep.name && unrecordable(d.packetView(), &d.draft) != "" {
		d.notice = []string{"With the blockers you added the gate is blocked, so " + d.draft.Outcome.Label() +
			" may not be recorded. Choose again."}
		d.draft.Outcome = 0
		d.enter(d.stepNamed(outcomeStep.name), s)
		return nil
	}
	d.enter(min(d.at+1, len(d.steps)-1), s)
	return nil
}

// stepNamed is the index of a step; 0 if there is none of that name.
func (d *decideScreen) stepNamed(name string) int {
	for i := range d.steps {
		if d.steps[i].name == name {
			return i
		}
	}
	return 0
}

// back goes one step back, with everything kept; from the first one it leaves the decision. What was judged before the
// advice was shown is not judged again once that has been.
func (d *decideScreen) back(s *scene) effect {
	switch {
	case d.place() == inSearch:
		d.editor, d.search = nil, ""
		return nil
	case d.place() == inNote:
		d.draft.Note = trimmed(d.editor.text())
	case d.at == 0, d.steps[d.at-1].name == firstStep.name:
		return d.leave(s)
	}
	d.notice = nil
	d.enter(d.at-1, s)
	return nil
}

func (d *decideScreen) typing() *editor { return d.editor }

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
