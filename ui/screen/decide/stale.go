package decide

import (
	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/screen/packet"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// staleScreen shows why a decision was not recorded, and how the packet differs from the one seen.
type staleScreen struct {
	widget.Document
	decision *Screen
	changes  []string
	now      *queue.CaseFile // nil: not there yet
	trouble  string
	drawn    packet.DrawnDifference
}

func openStale(s *screen.Scene, d *Screen, changes []string) screen.Cmd {
	t := &staleScreen{decision: d, changes: changes}
	s.Show(t)
	return s.Open(t, new(screen.Ticket), t.wanted(), t.arrived)
}

// wanted is of the latest revision, if the latest one was judged.
func (t *staleScreen) wanted() screen.Request {
	r := t.decision.Packet.Request
	r.Revision = t.decision.Reopen()
	return r
}

func (t *staleScreen) Place() action.Place { return action.InStale }

func (t *staleScreen) arrived(_ *screen.Scene, msg *screen.Opened) screen.Cmd {
	if msg.Err != nil {
		t.trouble = msg.Err.Error()
		return nil
	}
	t.now, t.trouble = msg.CaseFile, ""
	return nil
}

func (t *staleScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Warn, "! not recorded: ").And(theme.Strong, string(t.decision.Packet.Key().ID)).
		And(theme.Dim, " has changed")
}

func (t *staleScreen) Handle(v action.Verb, s *screen.Scene) screen.Cmd {
	switch v {
	case action.Accept: // choices that the packet no longer allows are dropped on resuming
		carried := t.decision.Kept(terms.Instant{})
		r := t.wanted()
		s.Home()
		return tea.Batch(s.OpenPacket(screen.OpenPacket{Request: r, Carried: &carried}), s.Queue.Read(s, terms.AreaOf(r.Table)))
	case action.GoBack:
		t.decision.word.Ask(s.Clock())
	}
	return t.Document.Handle(v, s)
}

func (t *staleScreen) Topics(*screen.Scene) []topic.Topic {
	seen := &t.decision.Packet.CaseFile.View
	if t.now == nil {
		return topic.OfView(seen)
	}
	return append(packet.ChangedTopics(seen, &t.now.View), topic.OfView(&t.now.View)...)
}

func (t *staleScreen) Copies(*screen.Scene) []screen.CopyItem {
	items := packet.Copies(&t.decision.Packet.CaseFile.View)
	if t.now == nil {
		return items
	}
	for _, item := range packet.Copies(&t.now.View) {
		items = append(items, screen.CopyItem{What: fmt.Sprintf("%s now", item.What), Text: item.Text})
	}
	return append(items, screen.Copy("record in force now", string(t.now.InForce)))
}

func (t *staleScreen) View(s *screen.Scene) line.Sheet {
	sheet := line.Sheet(line.Of(theme.Plain, decision.ChangedTitle+":").Wrap(s.Width, 0))
	for _, change := range t.changes {
		sheet = append(sheet, line.Of(theme.Warn, "  ! ").And(theme.Plain, change).Wrap(s.Width, 4)...)
	}
	last := fmt.Sprintf(
		"%s opens it again and keeps your choices as far as the packet still allows them.",
		s.Key(action.Accept, action.InStale))
	sheet = append(sheet, line.Of(theme.Dim, last).Wrap(s.Width, 0)...)
	sheet = append(sheet, nil)
	sheet = append(sheet, t.difference(s.Width)...)
	return t.Scroll.Show(sheet, s.Height)
}

func (t *staleScreen) difference(width int) line.Sheet {
	seen := t.decision.Packet.CaseFile
	switch {
	case t.trouble != "":
		return line.Of(theme.Bad, "✗ The current packet cannot be opened: ").And(theme.Plain, t.trouble).Wrap(width, 2)
	case t.now == nil:
		return line.Of(theme.Dim, "Opening the current packet …").Wrap(width, 0)
	}
	sheet := line.Sheet{widget.Heading("Before and now", width)}
	if before, after := seen.InForce, t.now.InForce; before != after {
		text := line.Of(theme.Accent, "~ ").And(theme.Dim, fmt.Sprintf("record in force  %s", wording.OrNone(string(before)))).
			And(theme.Accent, " → ").And(theme.Plain, wording.OrNone(string(after)))
		sheet = append(sheet, text.Wrap(width, 4)...)
	}
	return append(sheet, t.drawn.Lines(&seen.View, &t.now.View, width)...)
}
