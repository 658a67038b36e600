package ui

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// work lets no job start once it is closed, and close waits for the running ones, so that none
// outlives Run and uses a workbench that its owner has closed.
type work struct {
	ctx     context.Context
	trace   trace
	running sync.WaitGroup
	mutex   sync.Mutex // guards closed, and Add against Wait
	closed  bool
}

// do makes a command of a job; a panic in it ends the program in an orderly way.
func (w *work) do(about string, job func(context.Context) tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		if !w.begin() {
			return nil
		}
		defer w.running.Done()
		defer func(began time.Time) { w.trace.job(about, began) }(time.Now())
		defer func() {
			if value := recover(); value != nil {
				msg = crashed{NewCrash(about, value)}
			}
		}()
		return job(w.ctx)
	}
}

func (w *work) begin() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.closed {
		return false
	}
	w.running.Add(1)
	return true
}

// close starts no further job and waits for the running ones; the context should have ended.
func (w *work) close() {
	w.mutex.Lock()
	w.closed = true
	w.mutex.Unlock()
	w.running.Wait()
}

type crashed struct{ err *CrashError }

// A CrashError says that the program went wrong. Nothing unconfirmed has been recorded.
type CrashError struct {
	About string // what it was doing
	Stack string // for a bug report: the panic and where it happened; may hold text of a packet
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("the console failed %s and has stopped; a decision is recorded only if its receipt was shown, "+
		"see `docket records`", e.About)
}

func NewCrash(about string, value any) *CrashError {
	return &CrashError{About: about, Stack: fmt.Sprintf("%v\n%s", value, debug.Stack())}
}

// A trace writes kinds and durations on demand, never a key, text, id or error: they may quote a
// packet.
type trace struct{ log *slog.Logger }

func (t trace) message(msg tea.Msg, began time.Time) {
	if t.log != nil {
		t.log.Info("message", "kind", fmt.Sprintf("%T", msg), "took", time.Since(began))
	}
}

// job writes about, one of the console's own sentences.
func (t trace) job(about string, began time.Time) {
	if t.log != nil {
		t.log.Info("job", "kind", about, "took", time.Since(began))
	}
}
