package widget

import (
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Scrolling adds the keys that scroll a text that does not fit.
func Scrolling(s *Scroll, keys []screen.Key) []screen.Key {
	if s.Lines > s.Height {
		return append(keys, screen.Key{Key: "down", Label: "down"}, screen.Key{Key: "up", Label: "up"})
	}
	return keys
}

// A Question is asked before an action that cannot be undone. It starts on "no".
type Question struct {
	Title, Text string
	Yes, No     string        // what each answer is called
	Answer      screen.Effect // on yes
	onYes       bool
}

func (q *Question) Press(p action.Press) screen.Effect {
	if p.Crowd {
		return nil // typed before the question was shown
	}
	switch p.Name {
	case "left", "right", "tab", "h", "l", "up", "down", "j", "k":
		q.onYes = !q.onYes
	case "esc", "n", "N", "q":
		return screen.Lower{}
	case "y", "Y":
		return screen.Several{screen.Lower{}, q.Answer}
	case "enter":
		if q.onYes {
			return screen.Several{screen.Lower{}, q.Answer}
		}
		return screen.Lower{}
	}
	return nil
}

func (q *Question) Keys() []screen.Key {
	under := map[bool]string{true: q.Yes, false: q.No}[q.onYes]
	return []screen.Key{{Key: "enter", Label: under}, {Key: "tab", Label: "other"}, {Key: "y", Label: q.Yes},
		{Key: "n", Label: q.No}}
}

func (q *Question) Box(width, height int) (line.Sheet, int) {
	size := min(width, 64)
	inner := line.Sheet(line.Of(theme.Plain, q.Text).Wrap(size-4, 0))
	inner = append(inner.Window(0, height-4), nil, button(q.No, !q.onYes).And(theme.Plain, "  ").Plus(button(q.Yes, q.onYes)))
	return line.Box(q.Title, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}

func button(label string, chosen bool) line.Line {
	if chosen {
		return line.Of(theme.Accent, "❯ "+label)
	}
	return line.Of(theme.Dim, "  "+label)
}

// A bulletin shows a text, mostly an error with its cure, until it is closed.
type bulletin struct {
	Card
	text   string
	scroll Scroll
}

func (b *bulletin) Press(p action.Press) screen.Effect {
	b.scroll.Move(map[string]action.Verb{"j": action.GoDown, "down": action.GoDown, "k": action.GoUp, "up": action.GoUp}[p.Name])
	return b.Card.Press(p)
}

func (b *bulletin) Keys() []screen.Key {
	return Scrolling(&b.scroll, b.Card.Keys())
}

func (b *bulletin) Box(width, height int) (line.Sheet, int) {
	size := min(width, 76)
	text := line.Sheet(line.Of(theme.Bad, "✗ ").And(theme.Plain, b.text).Wrap(size-4, 2))
	room := max(height-4, 1)
	top := b.scroll.Window(len(text), room)
	inner := append(text.Window(top, room)[:min(len(text), room):min(len(text), room)], nil,
		line.Of(theme.Accent, "↵").And(theme.Dim, " close"))
	return line.Box(b.Title, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}

// A Prompt asks for a line of text. An empty one is not taken.
type Prompt struct {
	Title, Text, Missing string
	Editor               *Editor
	Answer               func(text string) screen.Effect
	Fault                func(text string) string // why a text is not taken; nil: every text is
	complaint            string
}

// Ask raises a prompt for a text that read has to accept; answer takes the text and what it was read as.
func Ask[T any](q Prompt, read func(string) (T, error), answer func(string, T) screen.Effect) screen.Effect {
	q.Fault = func(text string) string {
		if _, err := read(text); err != nil {
			return err.Error()
		}
		return ""
	}
	q.Answer = func(text string) screen.Effect {
		value, _ := read(text) // Fault has read it
		return answer(text, value)
	}
	return screen.Raise{Overlay: &q}
}

func (q *Prompt) Press(p action.Press) screen.Effect {
	q.complaint = ""
	switch {
	case p.Name == "esc" && !p.Crowd:
		return screen.Lower{}
	case p.Name == "enter" && !p.Crowd:
		if text := strings.TrimSpace(q.Editor.Text()); text != "" {
			if q.fault(text) != "" {
				return nil // it stands there
			}
			return screen.Several{screen.Lower{}, q.Answer(text)}
		}
		q.complaint = q.Missing
	default:
		q.complaint = q.Editor.Take(p)
	}
	return nil
}

// fault says why a text is not taken; "" if it is, and of no text.
func (q *Prompt) fault(text string) string {
	if text == "" || q.Fault == nil {
		return ""
	}
	return q.Fault(text)
}

func (q *Prompt) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "done"}, {Key: "esc", Label: "cancel"}}
}

func (q *Prompt) Box(width, height int) (line.Sheet, int) {
	size := min(width, 72)
	inner := append(line.Sheet(line.Of(theme.Dim, q.Text).Wrap(size-4, 0)).Window(0, height-5), q.Editor.View(size-4))
	last := line.Of(theme.Accent, "↵").And(theme.Dim, " done   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	if q.complaint != "" {
		last = line.Of(theme.Warn, "! "+q.complaint)
	}
	if why := q.fault(strings.TrimSpace(q.Editor.Text())); why != "" {
		lines := line.Of(theme.Warn, "! "+why).Wrap(size-4, 2)
		return line.Box(q.Title, append(append(inner, nil), lines...).Window(max(len(inner)+1+len(lines)-(height-2), 0), height-2), size), size
	}
	return line.Box(q.Title, append(inner, nil, last).Window(max(len(inner)+2-(height-2), 0), height-2), size), size
}

// Alarm shows an error until it is closed.
type Alarm struct{ About, Text string }

func (e Alarm) CarryOut(h screen.Host) tea.Cmd {
	h.Stage().Status = ""
	h.Stage().Overlay = &bulletin{Card: Card{Title: e.About}, text: e.Text}
	return nil
}

// A Card shows a few lines until it is closed.
type Card struct {
	Title string
	Lines func(width int) line.Sheet
}

func (k *Card) Press(p action.Press) screen.Effect {
	if !p.Crowd && (p.Name == "enter" || p.Name == "esc" || p.Name == "q") {
		return screen.Lower{}
	}
	return nil
}

func (*Card) Keys() []screen.Key { return []screen.Key{{Key: "enter", Label: "close"}} }

func (k *Card) Box(width, height int) (line.Sheet, int) {
	size := min(width, 72)
	inner := k.Lines(size-4).Window(0, max(height-4, 1))
	inner = append(inner[:len(inner):len(inner)], nil, line.Of(theme.Accent, "↵").And(theme.Dim, " close"))
	return line.Box(k.Title, inner.Window(0, height-2), size), size
}
