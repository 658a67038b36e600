package ui

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/theme"
)

// staleScreen says what has changed under a decision, which was therefore not recorded: in the words of the one who
// refused it, and as the difference between the packet that the reviewer saw and the one that is there now.
type staleScreen struct {
	silent
	decision *decideScreen
	changes  []string
	ticket   int
	now      *domain.Dossier // nil: not there yet
	trouble  string
	scroll   scroll
	drawn    drawnDifference
}

func newStaleScreen(d *decideScreen, changes []string) *staleScreen {
	return &staleScreen{decision: d, changes: changes}
}

// open shows the screen and reads the packet as it is now.
func (t *staleScreen) open() effect { return several{show{t}, open{t.wanted()}} }

// wanted is the packet as it is now: of the latest revision, if it was the latest one that was judged.
func (t *staleScreen) wanted() request {
	r := t.decision.packet.request
	r.revision = t.decision.Reopen()
	return r
}

func (t *staleScreen) place() place { return inStale }

// asked, awaits and arrived are those of a reader.
func (t *staleScreen) asked(r request) { t.ticket = r.ticket }

func (t *staleScreen) awaits(ticket int) bool { return t.ticket == ticket }

func (t *staleScreen) arrived(msg opened, _ *scene) effect {
	if msg.err != nil {
		t.trouble = msg.err.Error()
		return nil
	}
	t.now, t.trouble = msg.dossier, ""
	return nil
}

func (t *staleScreen) title(*scene) line.Line {
	return line.Of(theme.Warn, "! not recorded: ").And(theme.Strong, string(t.decision.packet.key().ID)).
		And(theme.Dim, " has changed")
}

func (t *staleScreen) handle(v verb, s *scene) effect {
	if t.scroll.move(v) {
		return nil
	}
	switch v {
	case accept:
		return t.reopen()
	case goBack:
		t.decision.refuse(s)
		return leave{}
	}
	return nil
}

// reopen shows the packet as it is now. The decision is kept with it; what the packet no longer allows is dropped when
// the decision goes on.
func (t *staleScreen) reopen() effect {
	carried := t.decision.kept(domain.Instant{})
	return several{home{}, openPacket{request: t.wanted(), carried: &carried}, readQueue{domain.AreaOf(t.decision.packet.request.table)}}
}

// topics are the blockers that came or went, then those of the packet as it is now.
func (t *staleScreen) topics(*scene) []topic {
	seen := &t.decision.packet.dossier.View
	if t.now == nil {
		return viewTopics(seen)
	}
	return append(changedTopics(seen, &t.now.View), viewTopics(&t.now.View)...)
}

// copies are the hashes of the packet as it was seen and as it is now.
func (t *staleScreen) copies(*scene) []copyItem {
	items := viewCopies(&t.decision.packet.dossier.View)
	if t.now == nil {
		return items
	}
	for _, item := range viewCopies(&t.now.View) {
		items = append(items, copyItem{item.what + " now", item.text})
	}
	return append(items, copyItem{"record in force now", string(t.now.InForce)})
}

func (t *staleScreen) view(s *scene) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Plain, decision.ChangedTitle+":").Wrap(s.width, 0))
	for _, change := range t.changes {
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, change).Wrap(s.width, 4)...)
	}
	last := "Enter opens it again and keeps your decision as far as it can be kept."
	sheet = append(sheet, line.Of(theme.Dim, last).Wrap(s.width, 0)...)
	sheet = append(sheet, nil)
	sheet = append(sheet, t.difference(s.width)...)
	return sheet.Window(t.scroll.window(len(sheet), s.height), s.height)
}

// difference is what the packet shows otherwise now.
func (t *staleScreen) difference(width int) line.Sheet {
	seen := t.decision.packet.dossier
	switch {
	case t.trouble != "":
		return line.Of(theme.Bad, "✗ The packet as it is now cannot be opened: ").And(theme.Plain, t.trouble).Wrap(width, 2)
	case t.now == nil:
		return line.Of(theme.Dim, "Opening the packet as it is now …").Wrap(width, 0)
	}
	sheet := line.Sheet{heading("What you saw, and what is there now", width)}
	if before, after := seen.InForce, t.now.InForce; before != after {
		text := line.Of(theme.Accent, "~ ").And(theme.Dim, "record in force  "+orNone(string(before))).
			And(theme.Accent, " → ").And(theme.Plain, orNone(string(after)))
		sheet = append(sheet, text.Wrap(width, 4)...)
	}
	return append(sheet, t.drawn.lines(&seen.View, &t.now.View, width)...)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
