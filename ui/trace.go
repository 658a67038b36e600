package ui

import (
	"fmt"
	"log/slog"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// A trace writes how long the console takes for what, on demand only. It writes kinds and durations: never a key, never a
// text, an id or an error, which could hold what a packet says.
type trace struct{ log *slog.Logger }

// message writes that a message was taken and the frame drawn. Its kind is the name of its type.
func (t trace) message(msg tea.Msg, began time.Time) {
	if t.log != nil {
		t.log.Info("message", "kind", fmt.Sprintf("%T", msg), "took", time.Since(began))
	}
}

// job writes that something was asked of the desk. about is one of the console's own sentences.
func (t trace) job(about string, began time.Time) {
	if t.log != nil {
		t.log.Info("job", "kind", about, "took", time.Since(began))
	}
}
