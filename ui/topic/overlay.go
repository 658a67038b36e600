package topic

import (
	"fmt"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
)

type contractText struct {
	topics []Topic
	at     int
	scroll widget.Scroll
}

func Explanation(on screen.Screen, s *screen.Scene) screen.Cmd {
	return s.Raise(&contractText{topics: On(on, s)})
}

// On are the topics of a screen; none if it is no explainer.
func On(s screen.Screen, scene *screen.Scene) []Topic {
	if e, is := s.(explainer); is {
		return Unique(e.Topics(scene))
	}
	return nil
}

func (t *contractText) Press(p action.Press, s *screen.Scene) screen.Cmd {
	count := len(t.topics)
	switch p.Name {
	case "esc", "enter", "q", "t":
		return s.Lower()
	case "tab", "right", "l", "n":
		t.at, t.scroll = (t.at+1)%count, widget.Scroll{}
	case "shift+tab", "left", "h", "p", "N":
		t.at, t.scroll = (t.at+count-1)%count, widget.Scroll{}
	default:
		t.scroll.Move(widget.Moves[p.Name])
	}
	return nil
}

func (t *contractText) Keys() []screen.Key {
	keys := []screen.Key{{Key: "esc", Label: "back"}}
	if len(t.topics) > 1 {
		keys = append(keys, screen.Key{Key: "tab", Label: "next"})
	}
	return widget.Scrolling(&t.scroll, keys)
}

func (t *contractText) Box(width, height int) (line.Sheet, int) {
	size := min(width, 84)
	text := t.topics[t.at].Text(size - 4)
	room := max(min(height-4, len(text)), 1)
	top := t.scroll.Window(len(text), room)
	last := line.Of(theme.Accent, "Esc").And(theme.Dim, " back")
	if len(t.topics) > 1 {
		last = last.And(theme.Accent, "  Tab").And(theme.Dim, fmt.Sprintf(" next of %s", wording.Thousands(len(t.topics))))
	}
	if more := len(text) - top - room; more > 0 {
		last = line.Spread(last, line.Of(theme.Dim, "↓ "+wording.Plural(more, "line", "lines")), size-4)
	}
	title := "contract text"
	if len(t.topics) > 1 {
		title += " " + wording.Thousands(t.at+1) + "/" + wording.Thousands(len(t.topics))
	}
	inner := append(text.Window(top, room).To(room), nil, last)
	if height-2 < len(inner) {
		inner = append(inner[:room:room], last)
	}
	return line.Box(title, inner.Window(0, height-2), size), size
}
