package widget

import (
	"fmt"
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/wording"
)

// A Pickable is a line of a Picker.
type Pickable struct{ Name, Meaning string }

// A Picker lists lines, finds those that hold what is typed, and takes the one under the cursor, or those that were chosen.
type Picker struct {
	Title, Text string
	Lines       []Pickable
	Several     bool   // Space chooses lines, and Enter takes those that are chosen
	Missing     string // said where none is chosen
	Answer      func(chosen []int) screen.Effect

	search    *Editor
	list      List
	chosen    map[int]bool
	complaint string
}

// found lists the indexes of the lines that hold every word that was typed.
func (k *Picker) found() []int {
	if k.search == nil {
		k.search, k.chosen = NewEditor("❯ ", "type to search", ""), map[int]bool{}
	}
	var found []int
	for i, one := range k.Lines {
		holds := true
		for word := range strings.FieldsSeq(strings.ToLower(k.search.Text())) {
			holds = holds && strings.Contains(strings.ToLower(one.Name+" "+one.Meaning), word)
		}
		if holds {
			found = append(found, i)
		}
	}
	return found
}

func (k *Picker) Press(p action.Press) screen.Effect {
	found := k.found()
	verbs := map[string]action.Verb{"up": action.GoUp, "down": action.GoDown, "pgup": action.PageUp, "pgdown": action.PageDown, "tab": action.GoDown,
		"shift+tab": action.GoUp}
	if v, moves := verbs[p.Name]; moves {
		k.list.Move(v, len(found))
		return nil
	}
	k.complaint = ""
	switch {
	case p.Name == "esc" && !p.Crowd:
		return screen.Lower{}
	case p.Name == "enter" && !p.Crowd:
		return k.take(found)
	case p.Name == "space" && k.Several:
		if len(found) > 0 {
			here := found[Clamp(k.list.Cursor, len(found))]
			k.chosen[here] = !k.chosen[here]
		}
	default:
		before := k.search.Text()
		if k.complaint = k.search.Take(p); k.search.Text() != before {
			k.list = List{Height: k.list.Height}
		}
	}
	return nil
}

// take answers with what is chosen.
func (k *Picker) take(found []int) screen.Effect {
	var taken []int
	for i := range k.Lines {
		if k.chosen[i] {
			taken = append(taken, i)
		}
	}
	if !k.Several && len(found) > 0 {
		taken = []int{found[Clamp(k.list.Cursor, len(found))]}
	}
	if len(taken) == 0 {
		k.complaint = k.Missing
		return nil
	}
	return screen.Several{screen.Lower{}, k.Answer(taken)}
}

func (k *Picker) Keys() []screen.Key {
	keys := []screen.Key{{Key: "enter", Label: "next"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"}, {Key: "up", Label: "up"}}
	if k.Several {
		return append([]screen.Key{{Key: "space", Label: "choose"}}, keys...)
	}
	return keys
}

const pickerWidth = 100

func (k *Picker) Box(width, height int) (line.Sheet, int) {
	size := min(width, pickerWidth)
	found := k.found()
	sheet := line.Sheet(line.Of(theme.Dim, k.Text).Wrap(size-4, 0)).Window(0, max(height-8, 0))
	if len(sheet) > height/2 {
		sheet = nil
	}
	sheet = append(sheet, k.search.View(size-4))
	names := 0
	for _, one := range k.Lines {
		names = max(names, line.Width(one.Name))
	}
	top, end := k.list.Window(len(found), min(max(height-4-len(sheet), 1), max(len(k.Lines), 1)))
	for at := top; at < end; at++ {
		sheet = append(sheet, CursorLine(k.line(found[at], min(names, max(size-10, 1))), at == k.list.Cursor, size-4))
	}
	if len(found) == 0 {
		sheet = append(sheet, line.Of(theme.Dim, "  nothing matches"))
	}
	return line.Box(k.Title, append(sheet, k.last().Fit(size-4)).Window(max(len(sheet)+1-(height-2), 0), height-2), size), size
}

func (k *Picker) line(i, names int) line.Line {
	mark := line.Line(nil)
	if k.Several {
		mark = line.Of(theme.Dim, "[ ] ")
		if k.chosen[i] {
			mark = line.Of(theme.Pass, "[✓] ")
		}
	}
	return mark.Plus(line.Of(theme.Plain, k.Lines[i].Name).Pad(names)).And(theme.Dim, "  "+k.Lines[i].Meaning)
}

// last says how many are chosen, or why none is accepted.
func (k *Picker) last() line.Line {
	if k.complaint != "" {
		return line.Of(theme.Warn, "! "+k.complaint)
	}
	count := 0
	for _, is := range k.chosen {
		if is {
			count++
		}
	}
	keys := line.Of(theme.Accent, "↵").And(theme.Dim, " next   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
	if k.Several {
		return line.Of(theme.Accent, "Space").And(theme.Dim, " choose   ").Plus(keys).And(theme.Plain, fmt.Sprintf("   %s chosen",
			wording.Thousands(count)))
	}
	return keys
}
