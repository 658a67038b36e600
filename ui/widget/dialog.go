package widget

import (
	"cmp"
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
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
	Yes, No     string      // what each answer is called
	Answer      screen.Then // on yes
	onYes       bool
}

func (q *Question) Press(p action.Press, s *screen.Scene) screen.Cmd {
	if p.Crowd {
		return nil // typed before the question was shown
	}
	yes := q.onYes
	switch p.Name {
	case "left", "right", "tab", "h", "l", "up", "down", "j", "k":
		q.onYes = !q.onYes
		return nil
	case "esc", "n", "N", "q":
		yes = false
	case "y", "Y":
		yes = true
	case "enter":
	default:
		return nil
	}
	s.Lower()
	if yes {
		return q.Answer(s)
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

// A Prompt asks for a line of text. An empty one is not taken.
type Prompt struct {
	Title, Text, Missing string
	Editor               *Editor
	Answer               func(text string, s *screen.Scene) screen.Cmd
	Fault                func(text string) string // why a text is not taken; nil: every text is
	complaint            string
}

// Ask raises a prompt for a text that read accepts; answer takes the text and what read made of it.
func Ask[T any](s *screen.Scene, q Prompt, read func(string) (T, error),
	answer func(s *screen.Scene, text string, value T) screen.Cmd) screen.Cmd {
	q.Fault = func(text string) string {
		if _, err := read(text); err != nil {
			return err.Error()
		}
		return ""
	}
	q.Answer = func(text string, s *screen.Scene) screen.Cmd {
		value, _ := read(text) // Fault has read it
		return answer(s, text, value)
	}
	return s.Raise(&q)
}

func (q *Prompt) Press(p action.Press, s *screen.Scene) screen.Cmd {
	q.complaint = ""
	switch {
	case p.Name == "esc" && !p.Crowd:
		return s.Lower()
	case p.Name == "enter" && !p.Crowd:
		if text := strings.TrimSpace(q.Editor.Text()); text != "" {
			if q.fault(text) != "" {
				return nil // it stands there
			}
			s.Lower()
			return q.Answer(text, s)
		}
		q.complaint = q.Missing
	default:
		q.complaint = q.Editor.Take(p)
	}
	return nil
}

// fault is "" also of no text.
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
		return line.Box(q.Title, append(append(inner, nil), lines...).Window(max(len(inner)+1+len(lines)-
			(height-2), 0), height-2), size), size
	}
	return line.Box(q.Title, append(inner, nil, last).Window(max(len(inner)+2-(height-2), 0), height-2), size), size
}

// Alarm shows an error, mostly with its cure, until it is closed.
func Alarm(s *screen.Scene, about, text string) screen.Cmd {
	s.Status = ""
	return s.Raise(&Card{Title: about, width: 76, Lines: func(width int) line.Sheet {
		return line.Of(theme.Bad, "✗ ").And(theme.Plain, text).Wrap(width, 2)
	}})
}

// A Card shows a text until it is closed.
type Card struct {
	Title  string
	Lines  func(width int) line.Sheet
	width  int // 0: as wide as a prompt
	scroll Scroll
}

func (k *Card) Press(p action.Press, s *screen.Scene) screen.Cmd {
	k.scroll.Move(Moves[p.Name])
	if !p.Crowd && (p.Name == "enter" || p.Name == "esc" || p.Name == "q") {
		return s.Lower()
	}
	return nil
}

func (k *Card) Keys() []screen.Key {
	return Scrolling(&k.scroll, []screen.Key{{Key: "enter", Label: "close"}})
}

func (k *Card) Box(width, height int) (line.Sheet, int) {
	size, room := min(width, cmp.Or(k.width, 72)), max(height-4, 1)
	text := k.Lines(size - 4)
	inner := text.Window(k.scroll.Window(len(text), room), room)
	inner = append(inner[:len(inner):len(inner)], nil, line.Of(theme.Accent, "↵").And(theme.Dim, " close"))
	return line.Box(k.Title, inner.Window(max(len(inner)-(height-2), 0), height-2), size), size
}
