package queue

import (
	"strings"

	"docket/domain/queue"
	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
)

// A completion cycles through the completions of the word at the cursor of a filter.
type completion struct {
	options    []completed // of the word when completing began; nil: nothing is being completed
	at         int         // the one that stands in the editor
	head, tail string      // the text before and after it
}

type completed struct {
	text  string
	label string // what it is called among the others
}

func completionsOf(word string, saved []SavedFilter) []completed {
	var out []completed
	for _, text := range queue.CompleteFilter(word) {
		label := strings.TrimPrefix(text, "-")
		if key, value, keyed := strings.Cut(label, ":"); keyed && value != "" && key != "" {
			label = value
		}
		out = append(out, completed{text, label})
	}
	for _, one := range saved {
		if len(one.Name) >= len(word) && strings.EqualFold(one.Name[:len(word)], word) {
			out = append(out, completed{one.Text, one.Name + savedMark})
		}
	}
	return out
}

const savedMark = " (saved)"

func (c *completion) rest() { c.options, c.at = nil, 0 }

func (c *completion) next(e *widget.Editor, step int, saved []SavedFilter) bool {
	if c.options == nil {
		word, runes, at := wordAt(e), []rune(e.Text()), e.Input.Position()
		c.head, c.tail = strings.TrimSuffix(string(runes[:at]), word), string(runes[at:])
		c.options, c.at = completionsOf(word, saved), 0
		if step < 0 {
			c.at = len(c.options) - 1
		}
	} else {
		c.at = (c.at + step + len(c.options)) % len(c.options)
	}
	if len(c.options) == 0 {
		c.options = nil
		return false
	}
	before := c.head + c.options[c.at].text
	e.Input.SetValue(before + c.tail)
	e.Input.SetCursor(len([]rune(before)))
	if len(c.options) == 1 {
		c.options = nil // the next Tab goes on from here: behind a key come its values
	}
	return true
}

func wordAt(e *widget.Editor) string {
	before := string([]rune(e.Text())[:e.Input.Position()])
	return before[queue.LastTerm(before):]
}

// unfinished reports whether a key has been typed but not its value yet: that is no error so far.
func unfinished(e *widget.Editor) bool {
	word := ""
	if e != nil {
		word = strings.TrimSuffix(wordAt(e), `"`)
	}
	return strings.HasSuffix(word, ":") && e.Input.Position() == len([]rune(e.Text()))
}

func (q *Screen) assist(v action.Verb, s *screen.Scene) bool {
	step, completes := map[action.Verb]int{action.CompleteWord: 1, action.CompleteBack: -1}[v]
	if q.editor == nil || !completes {
		return false
	}
	if q.completion.next(q.editor, step, q.Saved) {
		q.current().setFilter(q.editor.Text(), s)
	} else {
		s.Say("no completion for this word")
	}
	return true
}

func (c *completion) hint(e *widget.Editor, width int, saved []SavedFilter) line.Line {
	word := strings.TrimPrefix(strings.ToLower(wordAt(e)), "-")
	if len(c.options) > 0 {
		return c.choice(width)
	}
	out := line.Of(theme.Dim, "  ")
	key, _, keyed := strings.Cut(word, ":")
	for _, option := range completionsOf(word, nil) {
		if value := strings.HasSuffix(option.text, ":"+word); value && word != "" && !keyed {
			out = out.And(theme.Accent, option.text).And(theme.Dim, "   ")
		}
	}
	for _, known := range queue.FilterKeys() {
		switch {
		case keyed && known.Key == key && known.Values == nil:
			return out.And(theme.Dim, known.Meaning)
		case !keyed && strings.HasPrefix(known.Key, key):
			out = out.And(theme.Accent, known.Key+":").And(theme.Dim, " "+known.Meaning+"   ")
		}
	}
	for _, option := range completionsOf(wordAt(e), saved) {
		if keyed || strings.HasSuffix(option.label, savedMark) {
			out = out.And(theme.Dim, option.label+"  ")
		}
	}
	return out.Fit(width)
}

func (c *completion) choice(width int) line.Line {
	for from := 0; ; from++ {
		out, seen := line.Of(theme.Dim, "  "), 0
		for i := from; i < len(c.options); i++ {
			if out = out.Plus(c.option(i)); i == c.at {
				seen = out.Width()
			}
		}
		if seen <= width || from == c.at {
			return out.Fit(width)
		}
	}
}

// option has a glyph in the editor, too, since there may be no colours.
func (c *completion) option(i int) line.Line {
	text := c.options[i].label
	if i == c.at {
		return line.Of(theme.Accent, "❯"+text+"  ")
	}
	return line.Of(theme.Dim, " "+text+"  ")
}
