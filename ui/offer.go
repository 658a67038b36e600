package ui

import (
	"docket/ui/line"
	"docket/ui/theme"
)

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

func (o *offer) press(p press, _ *console) effect {
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

func (o *offer) box(_ *console, width, height int) (line.Sheet, int) {
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
