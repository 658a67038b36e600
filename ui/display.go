package ui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// A display sends the changed lines of a frame as soon as it is drawn, and sleeps otherwise:
// bubbletea's own renderer polls at each tick of a clock, which delays keys and uses the processor
// while idle.
type display struct {
	out   io.Writer     // the terminal as long as it is read
	shown io.Writer     // the terminal itself
	fresh chan struct{} // a frame waits to be sent

	mutex     sync.Mutex // held while the terminal takes a frame: the console waits for a slow one
	lines     []string   // of the newest frame; none before the first
	width     int
	sent      []string // what the terminal shows; nil: unknown
	alternate bool     // the terminal shows the screen of the console
}

func newDisplay(ctx context.Context, out io.Writer) *display {
	return &display{out: UntilStopped(ctx, out), shown: out, fresh: make(chan struct{}, 1)}
}

// show queues the frame in place of one that waits; it ignores an empty one.
func (d *display) show(frame string, width int) {
	if frame == "" {
		return
	}
	d.mutex.Lock()
	lines := strings.Split(frame, "\n")
	if width != d.width || len(lines) != len(d.lines) { // the terminal may have moved its lines
		d.sent = nil
	}
	d.lines, d.width = lines, width
	d.mutex.Unlock()
	select {
	case d.fresh <- struct{}{}:
	default:
	}
}

func (d *display) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.fresh:
		}
		d.mutex.Lock()
		_, _ = d.send(nil) // a lost terminal also sends a signal
		d.mutex.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second / screen.FramesPerSecond):
		}
	}
}

// start runs the display until ctx ends and then closes the channel; a panic ends the program.
func (d *display) start(ctx context.Context, stop context.CancelCauseFunc, program Quitter) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if value := recover(); value != nil {
				stop(NewCrash("while sending a frame to the terminal", value))
				program.Kill()
			}
		}()
		d.run(ctx)
	}()
	return ended
}

// Write passes on what bubbletea writes. It may change the screen, so the whole frame is sent
// again.
func (d *display) Write(control []byte) (int, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	leaves := d.alternate && bytes.Contains(control, []byte(ansi.ResetModeAltScreenSaveCursor))
	switch {
	case bytes.Contains(control, []byte(ansi.SetModeAltScreenSaveCursor)):
		d.alternate = true
	case leaves:
		d.alternate = false
	}
	d.sent = nil
	first := control
	if leaves { // a terminal that was resized meanwhile may keep lines of a screen that is not empty
		first = append([]byte(ansi.EraseEntireScreen+ansi.CursorHomePosition), control...)
	}
	if _, err := d.send(first); err != nil {
		return 0, err
	}
	return len(control), nil
}

// send writes first and then the lines that the terminal does not show yet, under the mutex.
func (d *display) send(first []byte) (int, error) {
	out := bytes.NewBuffer(first[:len(first):len(first)])
	if d.alternate {
		before := out.Len()
		for i, line := range d.lines {
			if d.sent != nil && d.sent[i] == line {
				continue
			}
			out.WriteString(ansi.CursorPosition(1, i+1))
			out.WriteString(line)
			if ansi.StringWidth(line) < d.width { // at the edge this would erase the last character
				out.WriteString(ansi.EraseLineRight)
			}
		}
		if out.Len() > before {
			out.WriteString(ansi.CursorPosition(1, len(d.lines)))
		}
		d.sent = d.lines
	}
	if out.Len() == 0 {
		return 0, nil
	}
	n, err := d.out.Write(out.Bytes())
	if err != nil {
		d.sent = nil
	}
	return n, err
}

func (d *display) stream() io.Writer {
	if file, is := d.shown.(term.File); is {
		return displayedFile{file, d}
	}
	return d
}

type displayedFile struct {
	term.File
	display *display
}

func (f displayedFile) Write(control []byte) (int, error) { return f.display.Write(control) }

type displayed struct {
	console *console
	display *display
}

func (m displayed) Init() screen.Cmd { return m.console.Init() }

func (m displayed) Update(msg tea.Msg) (tea.Model, screen.Cmd) {
	_, cmd := m.console.Update(msg)
	m.display.show(m.console.View(), m.console.frame.Width)
	return m, cmd
}

// View is empty: the display has the frame.
func (m displayed) View() string { return "" }
