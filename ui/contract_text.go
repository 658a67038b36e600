package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// contractText shows what the contract says about the topics of a screen, one at a time.
type contractText struct {
	topics []topic
	at     int
	scroll scroll
}

// explanation raises the contract's text for what is under the cursor of a screen.
func explanation(s screen, scene *scene) effect {
	return raise{&contractText{topics: topicsOf(s, scene)}}
}

// topicsOf are the topics of a screen; none if it is no explainer.
func topicsOf(s screen, scene *scene) []topic {
	if e, is := s.(explainer); is {
		return once(e.topics(scene))
	}
	return nil
}

func (t *contractText) press(p press) effect {
	count := len(t.topics)
	switch p.name {
	case "esc", "enter", "q", "t":
		return lower{}
	case "tab", "right", "l", "n":
		t.at, t.scroll = (t.at+1)%count, scroll{}
	case "shift+tab", "left", "h", "p", "N":
		t.at, t.scroll = (t.at+count-1)%count, scroll{}
	case "j", "down":
		t.scroll.move(goDown)
	case "k", "up":
		t.scroll.move(goUp)
	case "pgdown", "space", "ctrl+d", "ctrl+f":
		t.scroll.move(pageDown)
	case "pgup", "ctrl+u", "ctrl+b":
		t.scroll.move(pageUp)
	case "g", "home":
		t.scroll.move(goTop)
	case "G", "end":
		t.scroll.move(goBottom)
	}
	return nil
}

func (t *contractText) keys() []overlayKey {
	keys := []overlayKey{{"esc", "back"}}
	if len(t.topics) > 1 {
		keys = append(keys, overlayKey{"tab", "next"})
	}
	return scrolling(&t.scroll, keys)
}

func (t *contractText) box(width, height int) (line.Sheet, int) {
	size := min(width, 84)
	text := t.topics[t.at].text(size - 4)
	room := max(min(height-4, len(text)), 1)
	top := t.scroll.window(len(text), room)
	last := line.Of(theme.Accent, "Esc").And(theme.Dim, " back")
	if len(t.topics) > 1 {
		last = last.And(theme.Accent, "  Tab").And(theme.Dim, " next of "+wording.Thousands(len(t.topics)))
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
