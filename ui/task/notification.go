package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// A Notification is how the terminal is asked to notify the reader. The zero Notification asks for nothing.
type Notification uint8

// Notifications. No terminal takes all of the sequences, and none says which it takes.
const (
	NoNotification Notification = iota
	Bell
	OSC9   // iTerm2, WezTerm, Ghostty
	OSC99  // kitty
	OSC777 // foot, urxvt, WezTerm, Ghostty
	notifications
)

// notificationForms is indexed by Notification: the word of each and the sequence that carries a text.
var notificationForms = [notifications]struct {
	word     string
	sequence func(text string) string
}{
	NoNotification: {"off", nil},
	Bell:           {"bell", func(string) string { return bell }},
	OSC9:           {"osc9", ansi.Notify},
	OSC99:          {"osc99", func(text string) string { return ansi.DesktopNotification(text) }},
	OSC777:         {"osc777", func(text string) string { return "\x1b]777;notify;docket;" + text + bell }},
}

const bell = "\a"

// String returns the word by which ParseNotification knows it.
func (n Notification) String() string { return notificationForms[n].word }

// NotificationWords lists the words of every Notification.
func NotificationWords() []string {
	words := make([]string, notifications)
	for i := range words {
		words[i] = notificationForms[i].word
	}
	return words
}

// ParseNotification reads the word of a Notification. The error lists the words and does not repeat the text.
func ParseNotification(text string) (Notification, error) {
	for i := range notificationForms {
		if notificationForms[i].word == text {
			return Notification(i), nil
		}
	}
	return NoNotification, fmt.Errorf("a notification is one of %s", strings.Join(NotificationWords(), ", "))
}

// notify asks the terminal to notify the reader of a text. A multiplexer passes the sequence on where that is allowed; it also gets a bell, for which it marks
// the window. A text with characters other than letters, digits, blanks and commas is refused.
func notify(out io.Writer, through multiplexer, how Notification, text string) error {
	if how == NoNotification {
		return nil
	}
	if !plainWords(text) {
		return errors.New("the text of a notification has characters other than letters, digits, blanks and commas")
	}
	written := notificationForms[how].sequence(text)
	switch {
	case how == Bell:
	case through == tmux:
		written = ansi.TmuxPassthrough(written) + bell
	case through == gnuScreen:
		written = ansi.ScreenPassthrough(written, 0) + bell
	}
	return toTerminal(out, written)
}

// mostNotified is the longest text of a notification, in bytes.
const mostNotified = 120

func plainWords(text string) bool {
	return text != "" && len(text) <= mostNotified && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != ' ' && r != ','
	})
}

// A Notifier has the terminal notify the reader.
type Notifier struct {
	terminal io.Writer
	through  multiplexer
	how      Notification
}

// NewNotifier is that of a terminal in an environment.
func NewNotifier(terminal io.Writer, getenv func(string) string, how Notification) Notifier {
	return Notifier{terminal, multiplexerOf(getenv), how}
}

// Notify asks the terminal to, if the reader wants that.
func (n Notifier) Notify(h screen.Host, text string) tea.Cmd {
	if n.how == NoNotification {
		return nil
	}
	return h.Ask("notifying", func(context.Context, screen.Workbench) screen.Effect {
		return notified{notify(n.terminal, n.through, n.how, fmt.Sprintf("docket, %s", text))}
	})
}

// notified is the result of a notification.
type notified struct{ err error }

func (notified) Background() {}

func (e notified) CarryOut(h screen.Host) tea.Cmd {
	if e.err == nil {
		return nil
	}
	return screen.Say{Text: fmt.Sprintf("✗ not notified: %s", e.err)}.CarryOut(h)
}
