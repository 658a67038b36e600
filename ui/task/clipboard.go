package task

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"docket/ui/action"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"

	"github.com/aymanbagabas/go-osc52/v2"
)

// A multiplexer passes sequences on to the terminal only if they are wrapped for it.
type multiplexer uint8

const (
	noMultiplexer multiplexer = iota
	tmux
	gnuScreen
)

func multiplexerOf(getenv func(string) string) multiplexer {
	switch {
	case getenv("TMUX") != "":
		return tmux
	case getenv("STY") != "", strings.HasPrefix(getenv("TERM"), "screen"):
		return gnuScreen
	}
	return noMultiplexer
}

// toClipboard asks the terminal by OSC 52, in one write, so that it never splits a frame: that also
// works over ssh, runs no other program, and gets no answer.
func toClipboard(out io.Writer, through multiplexer, text string) error {
	if !copyable(text) {
		return fmt.Errorf("it is neither an id nor a hash")
	}
	sequence := osc52.New(text)
	written := sequence.String()
	switch through {
	case tmux: // it takes the plain form with set-clipboard, or passes the wrapped one on
		written += sequence.Tmux().String()
	case gnuScreen:
		written = sequence.Screen().String()
	}
	if _, err := io.WriteString(out, written); err != nil {
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// copyable reports whether each line of a text has the form of an id or a hash, harmless to paste.
var copyable = regexp.MustCompile(`^[A-Za-z0-9._:+/=-]{1,256}(\n[A-Za-z0-9._:+/=-]{1,256})*$`).MatchString

// A Clipboard is the one of the terminal.
type Clipboard struct {
	terminal io.Writer
	through  multiplexer
}

func NewClipboard(terminal io.Writer, getenv func(string) string) Clipboard {
	return Clipboard{terminal, multiplexerOf(getenv)}
}

func (k Clipboard) copy(s *screen.Scene, item screen.CopyItem) screen.Cmd {
	return s.Go("copying", func(context.Context, screen.Workbench) screen.Then {
		err := toClipboard(k.terminal, k.through, item.Text)
		return func(s *screen.Scene) screen.Cmd {
			if err != nil {
				return s.Refuse(fmt.Sprintf("not copied: %s", err))
			}
			return s.Say(fmt.Sprintf("copied: %s, if the terminal allows it", item.What))
		}
	})
}

func (k Clipboard) Choose(on screen.Screen, s *screen.Scene) screen.Cmd {
	return s.Raise(&copyMenu{items: Copies(on, s), to: k})
}

// Copies lists the ids and hashes that can be copied from a screen, each once.
func Copies(on screen.Screen, s *screen.Scene) []screen.CopyItem {
	from, is := on.(screen.Copier)
	if !is {
		return nil
	}
	var list []screen.CopyItem
	seen := map[string]bool{}
	for _, item := range from.Copies(s) {
		if copyable(item.Text) && !seen[item.Text] {
			seen[item.Text] = true
			list = append(list, item)
		}
	}
	return list
}

type copyMenu struct {
	items []screen.CopyItem
	to    Clipboard
	list  widget.List
}

func (m *copyMenu) Press(p action.Press, s *screen.Scene) screen.Cmd {
	at, name := m.list.Cursor, p.Name
	switch {
	case m.list.Move(widget.Moves[name], len(m.items)), m.list.Move(widget.TypingMoves[name], len(m.items)):
		return nil
	case name == "esc", name == "q":
		return s.Lower()
	case len(name) == 1 && name[0] >= '1' && name[0] <= '9' && int(name[0]-'1') < len(m.items):
		at = int(name[0] - '1')
	case name != "enter" && name != "y":
		return nil
	}
	s.Lower()
	return m.to.copy(s, m.items[at])
}

func (m *copyMenu) Keys() []screen.Key {
	return []screen.Key{{Key: "enter", Label: "copy"}, {Key: "esc", Label: "cancel"}, {Key: "down", Label: "down"},
		{Key: "up", Label: "up"}, {Key: "1", Label: "copy first"}}
}

func (m *copyMenu) Box(width, height int) (line.Sheet, int) {
	size := min(width, 100)
	room := min(max(height-4, 1), len(m.items))
	labels := 0
	for _, item := range m.items {
		labels = max(labels, line.Width(item.What))
	}
	labels = min(labels, max(size/3, 8))
	sheet := m.list.Rows(len(m.items), room, size-4, func(i int) line.Line {
		number := "  "
		if i < 9 {
			number = wording.Thousands(i+1) + " "
		}
		return line.Of(theme.Accent, number).Plus(line.Of(theme.Plain, m.items[i].What).Pad(labels)).
			And(theme.Dim, "  "+strings.ReplaceAll(m.items[i].Text, "\n", " "))
	})
	if height > len(sheet)+3 {
		keys := line.Of(theme.Accent, "↵").And(theme.Dim, " copy   ").And(theme.Accent, "Esc").And(theme.Dim, " cancel")
		sheet = append(sheet, nil, keys)
	}
	return line.Box("copy to the clipboard", sheet.Window(0, height-2), size), size
}
