// Package tty takes lines and single keys from a terminal, or lines from another reader.
package tty

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// A Keyboard is where the lines of a session come from.
type Keyboard interface {
	// Line returns the next line without its end. The error is io.EOF at the end of the input, with
	// what was typed of a last line that has no end, ErrLongLine for a line that may be cut, which
	// is dropped, and errStopped if the session was stopped, with the same.
	Line() (string, error)
	// Waiting reports whether a line was typed, or is within the time, that Line has not returned.
	// False if no person types.
	Waiting(within time.Duration) bool
	// End ends a line that was begun, as Enter does, so that Line returns it with what comes within
	// the time after its last key. It reports whether a line was begun. False if no person types.
	End(within time.Duration) bool
	// Letters starts to take keys one by one, for the final question. Everything typed before is
	// dropped, in the terminal as well. If that cannot be guaranteed it returns an error, and
	// nothing may be recorded.
	Letters() (Letters, error)
	// Dropped returns what Letters and Done have dropped since it was called last.
	Dropped() string
	// Echoes reports whether the terminal shows what is typed.
	Echoes() bool
}

// Letters are keys as they are typed.
type Letters interface {
	// Next waits for keys and returns those that came together. Its errors are those of Line.
	Next() ([]byte, error)
	// Hidden reports whether the terminal has stopped echoing keys, so that they must be written.
	Hidden() bool
	// Done goes back to lines. Keys that were typed and not taken are dropped.
	Done() error
}

var (
	ErrLongLine = errors.New("the line is too long") // it may be cut
	errStopped  = errors.New("the input was stopped")
	// ErrNoLetters says that keys cannot be taken one by one here.
	ErrNoLetters = errors.New("keys cannot be taken one by one here")
)

// LongestLine is how many bytes of a line a terminal keeps: a line that fills it may be cut.
const LongestLine = 4095

// A Terminal is a Keyboard on a reader. Another goroutine can stop a waiting read.
type Terminal struct {
	input   io.Reader // as it was given
	read    cancelreader.CancelReader
	pending []byte // read and not yet handed out
	ended   error  // the error that ended reading
	typed   bool   // both ends are terminals
	lost    []byte // dropped, and not yet said
}

// Open opens a keyboard; person: input and output are terminals.
func Open(input io.Reader, person bool) (*Terminal, error) {
	read, err := cancelreader.NewReader(input)
	if err != nil {
		// A regular file cannot be waited for, and never has to be.
		read, err = cancelreader.NewReader(struct{ io.Reader }{input})
	}
	if err != nil {
		return nil, err
	}
	return &Terminal{input: input, read: read, typed: person}, nil
}

// Quit ends the read that waits, and every later one. It may be called from another goroutine.
func (t *Terminal) Quit() { t.read.Cancel() }

// Kill is Quit, which never waits.
func (t *Terminal) Kill() { t.Quit() }

func (t *Terminal) Close() error { return t.read.Close() }

func (t *Terminal) Echoes() bool { return IsTerminal(t.input) }

func (t *Terminal) Line() (string, error) {
	long := false
	for {
		if at := bytes.IndexByte(t.pending, '\n'); at >= 0 {
			line := string(bytes.TrimSuffix(t.pending[:at], []byte("\r")))
			t.pending = t.pending[at+1:]
			if long || len(line) >= LongestLine {
				return "", ErrLongLine
			}
			return line, nil
		}
		if len(t.pending) >= LongestLine {
			long, t.pending = true, nil
		}
		if t.ended != nil {
			line := string(t.pending)
			t.pending = nil
			return line, t.ended
		}
		t.fill()
		if errors.Is(t.ended, errStopped) {
			t.pending = append(t.pending, t.begun(0)...)
		}
	}
}

// begun takes what was typed of an undelivered line, until nothing more comes within the time.
func (t *Terminal) begun(within time.Duration) (typed []byte) {
	file, is := t.input.(*os.File)
	if !is || !t.typed {
		return nil
	}
	takeBegun(file.Fd(), func() {
		wait := time.Duration(0) // most often nothing was begun
		for buffer := make([]byte, LongestLine); readable(file.Fd(), wait); wait = within {
			n, err := file.Read(buffer)
			typed = append(typed, buffer[:n]...)
			if err != nil || n == 0 {
				return
			}
		}
	})
	return typed
}

func (t *Terminal) End(within time.Duration) bool {
	if !t.typed || t.ended != nil || bytes.IndexByte(t.pending, '\n') >= 0 {
		return false
	}
	t.pending = append(t.pending, t.begun(within)...)
	if len(t.pending) == 0 {
		return false
	}
	if !bytes.HasSuffix(t.pending, []byte("\n")) {
		t.pending = append(t.pending, '\n')
	}
	return true
}

func (t *Terminal) Waiting(within time.Duration) bool {
	if !t.typed || t.ended != nil || bytes.IndexByte(t.pending, '\n') >= 0 {
		return t.typed && t.ended == nil
	}
	file, is := t.input.(*os.File)
	return is && readable(file.Fd(), within)
}

// drop drops what was typed so far at a terminal that sends keys one by one.
func (t *Terminal) drop() {
	for file := t.input.(*os.File); t.ended == nil && readable(file.Fd(), 0); {
		t.fill()
	}
	t.lost, t.pending = append(t.lost, t.pending...), nil
}

func (t *Terminal) Dropped() string {
	lost := string(t.lost)
	t.lost = nil
	return lost
}

// fill waits for more; the buffer is new each time, because what was read may have been handed out.
func (t *Terminal) fill() {
	buffer := make([]byte, LongestLine)
	n, err := t.read.Read(buffer)
	t.pending = append(t.pending, buffer[:n]...)
	switch {
	case errors.Is(err, cancelreader.ErrCanceled):
		t.ended = errStopped
	case err != nil:
		t.ended = err
	case n == 0:
		t.ended = io.EOF
	}
}

func (t *Terminal) Letters() (Letters, error) {
	file, is := t.input.(*os.File)
	if !is || !t.typed {
		return nil, ErrNoLetters
	}
	shown, back, err := takeLetters(file.Fd(), t.drop)
	if err != nil {
		return nil, err
	}
	return &terminalLetters{t, shown, back}, nil
}

type terminalLetters struct {
	tty   *Terminal
	shown bool
	back  func() error
}

func (l *terminalLetters) Hidden() bool { return l.shown }

func (l *terminalLetters) Next() ([]byte, error) {
	if l.tty.ended == nil {
		l.tty.fill()
	}
	typed := l.tty.pending
	l.tty.pending = nil
	if len(typed) == 0 {
		return nil, l.tty.ended
	}
	return typed, nil
}

func (l *terminalLetters) Done() error {
	l.tty.drop()
	return l.back()
}

// DropTyped drops what was typed ahead at a terminal, such as the rest of a passphrase.
func DropTyped(input io.Reader) {
	if file, is := input.(term.File); is && IsTerminal(file) {
		dropTyped(file.Fd())
	}
}

// IsTerminal reports whether something is a file that is a terminal.
func IsTerminal(stream any) bool {
	file, is := stream.(term.File)
	return is && term.IsTerminal(file.Fd())
}
