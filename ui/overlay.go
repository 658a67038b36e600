package ui

import (
	"strings"

	"docket/ui/line"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// scrolling adds the keys that move a text of which not all shows.
func scrolling(s *scroll, keys []overlayKey) []overlayKey {
	if s.lines > s.height {
		return append(keys, overlayKey{"down", "down"}, overlayKey{"up", "up"})
	}
	return keys
}

// A question is asked before something that cannot be taken back. It starts on "no".
type question struct {
	title, text string
	yes, no     string // what each answer is called
	answer      effect // on yes
	onYes       bool
}

func (q *question) press(p press) effect {
	if p.crowd {
		return nil // typed before the question was there
	}
	switch p.name {
	case "left", "right", "tab", "h", "l", "up", "down", "j", "k":
		q.onYes = !q.onYes
	case "esc", "n", "N", "q":
		return lower{}
	case "y", "Y":
		return several{lower{}, q.answer}
	case "enter":
		if q.onYes {
			return several{lower{}, q.answer}
		}
		return lower{}
	}
	return nil
}

func (q *question) keys() []overlayKey {
	under := q.no
	if q.onYes {
		under = q.yes
	}
	return []overlayKey{{"enter", under}, {"tab", "other"}, {"y", q.yes}, {"n", q.no}}
}

func (q *question) box(width, height int) (line.Sheet, int) {
	size := min(width, 64)
	inner := line.Sheet(line.Of(theme.Plain, q.text).Wrap(size-4, 0))
	inner = append(inner.Window(0, height-4), nil, button(q.no, !q.onYes).And(theme.Plain, "  ").Plus(button(q.yes, q.onYes)))
	return line.Box(q.title, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}

func button(label string, chosen bool) line.Line {
	if chosen {
		return line.Of(theme.Accent, "❯ "+label)
	}
	return line.Of(theme.Dim, "  "+label)
}

// A bulletin shows a text, mostly an error with what to do, until it has been seen.
type bulletin struct {
	about, text string
	scroll      scroll
}

func (b *bulletin) press(p press) effect {
	switch p.name {
	case "enter", "esc", "q":
		if p.crowd {
			return nil
		}
		return lower{}
	case "j", "down":
		b.scroll.move(goDown)
	case "k", "up":
		b.scroll.move(goUp)
	}
	return nil
}

func (b *bulletin) keys() []overlayKey {
	return scrolling(&b.scroll, []overlayKey{{"enter", "close"}})
}

func (b *bulletin) box(width, height int) (line.Sheet, int) {
	size := min(width, 76)
	text := line.Sheet(line.Of(theme.Bad, "✗ ").And(theme.Plain, b.text).Wrap(size-4, 2))
	room := max(height-4, 1)
	top := b.scroll.window(len(text), room)
	inner := append(text.Window(top, room)[:min(len(text), room):min(len(text), room)], nil,
		line.Of(theme.Accent, "↵").And(theme.Dim, " close"))
	return line.Box(b.about, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}

// A prompt asks for a line of text. An empty one is not taken.
type prompt struct {
	title, text, missing string
	editor               *editor
	answer               func(text string) effect
	complaint            string
}

func (q *prompt) press(p press) effect {
	q.complaint = ""
	switch {
	case p.name == "esc" && !p.crowd:
		return lower{}
	case p.name == "enter" && !p.crowd:
		if text := strings.TrimSpace(q.editor.text()); text != "" {
			return several{lower{}, q.answer(text)}
		}
		q.complaint = q.missing
	default:
		q.editor.take(p)
	}
	return nil
}

func (q *prompt) keys() []overlayKey { return []overlayKey{{"enter", "done"}, {"esc", "cancel"}} }

func (q *prompt) box(width, height int) (line.Sheet, int) {
	size := min(width, 72)
	inner := append(line.Sheet(line.Of(theme.Dim, q.text).Wrap(size-4, 0)).Window(0, height-5), q.editor.view(size-4))
	last := line.Of(theme.Accent, "↵").And(theme.Dim, " done   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	if q.complaint != "" {
		last = line.Of(theme.Warn, "! "+q.complaint)
	}
	return line.Box(q.title, append(inner, nil, last).Window(max(len(inner)+2-(height-2), 0), height-2), size), size
}

// alarm shows an error and waits until it has been seen.
type alarm struct{ about, text string }

func (e alarm) carryOut(h Host) tea.Cmd {
	h.Stage().status = ""
	h.Stage().overlay = &bulletin{about: e.about, text: e.text}
	return nil
}

// An offer asks which of a few things is wanted. The first is the one that loses nothing; Esc does none of them.
type offer struct {
	title, text string
	choices     []choice
	cursor      int
}

type choice struct {
	label  string
	effect effect
}

func (o *offer) press(p press) effect {
	if p.crowd {
		return nil // typed before the offer was there
	}
	switch p.name {
	case "up", "k", "left", "shift+tab":
		o.cursor = clamp(o.cursor-1, len(o.choices))
	case "down", "j", "right", "tab":
		o.cursor = clamp(o.cursor+1, len(o.choices))
	case "esc", "q":
		return lower{}
	case "enter":
		return several{lower{}, o.choices[o.cursor].effect}
	}
	return nil
}

func (o *offer) keys() []overlayKey {
	keys := []overlayKey{{"enter", "done"}, {"esc", "cancel"}}
	if len(o.choices) > 1 {
		keys = append(keys, overlayKey{"down", "down"}, overlayKey{"up", "up"})
	}
	return keys
}

func (o *offer) box(width, height int) (line.Sheet, int) {
	size := min(width, 72)
	room := max(height-2-len(o.choices), 0)
	inner := line.Sheet(line.Of(theme.Plain, o.text).Wrap(size-4, 0)).Window(0, max(room-1, 0))
	if room > 1 {
		inner = append(inner[:len(inner):len(inner)], nil)
	}
	for i, one := range o.choices {
		inner = append(inner, button(one.label, i == o.cursor))
	}
	if room > len(inner)-len(o.choices)+2 {
		inner = append(inner, nil, line.Of(theme.Accent, "↵").And(theme.Dim, " done   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel"))
	}
	return line.Box(o.title, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}

// A card shows a few lines until they have been read.
type card struct {
	title string
	lines func(width int) line.Sheet
}

func (k *card) press(p press) effect {
	switch p.name {
	case "enter", "esc", "q":
		if !p.crowd {
			return lower{}
		}
	}
	return nil
}

func (*card) keys() []overlayKey { return []overlayKey{{"enter", "close"}} }

func (k *card) box(width, height int) (line.Sheet, int) {
	size := min(width, 72)
	inner := k.lines(size-4).Window(0, max(height-4, 1))
	inner = append(inner[:len(inner):len(inner)], nil, line.Of(theme.Accent, "↵").And(theme.Dim, " close"))
	return line.Box(k.title, inner.Window(0, height-2), size), size
}
