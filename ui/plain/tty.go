package plain

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// A keyboard is where a session's lines come from.
type keyboard interface {
	// line returns the next line without its end. The error is io.EOF at the end of the input, with what was typed of a last line
	// that has no end, errLongLine for a line that may be cut, which is dropped, and errStopped if the session was stopped, with the same.
	line() (string, error)
	// waiting reports whether a line was typed, or is within the time, that line has not returned. False if no person types.
	waiting(within time.Duration) bool
	// letters starts to take keys one by one, for the final question. Everything typed before is dropped, in the terminal as
	// well. If that cannot be guaranteed it returns an error, and nothing may be recorded.
	letters() (letters, error)
	// dropped returns what letters and done have dropped since it was called last.
	dropped() string
	// echoes reports whether the terminal shows what is typed.
	echoes() bool
}

// letters are keys as they are typed.
type letters interface {
	// next waits for keys and returns those that came together. Its errors are those of line.
	next() ([]byte, error)
	// hidden reports whether the terminal has stopped echoing keys, so that they have to be written.
	hidden() bool
	// done goes back to lines. Keys that were typed and not taken are dropped.
	done() error
}

var (
	errLongLine = errors.New("the line is too long")
	errStopped  = errors.New("the input was stopped")
	// errNoLetters says that keys cannot be taken one by one here.
	errNoLetters = errors.New("keys cannot be taken one by one here")
)

// longestLine is how many bytes of a line a terminal keeps while it is typed. A line that fills it may be cut.
const longestLine = 4095

// tty is a keyboard on a file or another reader. A read that waits can be stopped from another goroutine.
type tty struct {
	input   io.Reader // as it was given
	read    cancelreader.CancelReader
	pending []byte // read and not yet handed out
	ended   error  // the error that ended reading
	typed   bool   // both ends are terminals
	lost    []byte // dropped, and not yet said
}

// newTTY opens a keyboard. person says whether a person sits at it: whether input and output are terminals.
func newTTY(input io.Reader, person bool) (*tty, error) {
	read, err := cancelreader.NewReader(input)
	if err != nil {
		// A regular file cannot be waited for, and never has to be.
		read, err = cancelreader.NewReader(struct{ io.Reader }{input})
	}
	if err != nil {
		return nil, err
	}
	return &tty{input: input, read: read, typed: person}, nil
}

// Quit ends the read that waits, and every later one. It may be called from another goroutine.
func (t *tty) Quit() { t.read.Cancel() }

// Kill is Quit, which never waits.
func (t *tty) Kill() { t.Quit() }

func (t *tty) close() error { return t.read.Close() }

func (t *tty) echoes() bool { return isTerminal(t.input) }

func (t *tty) line() (string, error) {
	long := false
	for {
		if at := bytes.IndexByte(t.pending, '\n'); at >= 0 {
			line := string(bytes.TrimSuffix(t.pending[:at], []byte("\r")))
			t.pending = t.pending[at+1:]
			if long || len(line) >= longestLine {
				return "", errLongLine
			}
			return line, nil
		}
		if len(t.pending) >= longestLine {
			long, t.pending = true, nil
		}
		if t.ended != nil {
			line := string(t.pending)
			t.pending = nil
			return line, t.ended
		}
		t.fill()
		if errors.Is(t.ended, errStopped) {
			t.pending = append(t.pending, t.half()...)
		}
	}
}

// half returns what was typed of a line that the terminal has not delivered yet, once the session was stopped.
func (t *tty) half() (typed []byte) {
	file, is := t.input.(*os.File)
	if !is || !t.typed {
		return nil
	}
	_, back, err := takeLetters(file.Fd(), func() {
		for buffer := make([]byte, longestLine); readable(file.Fd(), 0); {
			n, err := file.Read(buffer)
			typed = append(typed, buffer[:n]...)
			if err != nil {
				return
			}
		}
	})
	if err == nil {
		_ = back()
	}
	return typed
}

func (t *tty) waiting(within time.Duration) bool {
	if !t.typed || t.ended != nil || bytes.IndexByte(t.pending, '\n') >= 0 {
		return t.typed && t.ended == nil
	}
	file, is := t.input.(*os.File)
	return is && readable(file.Fd(), within)
}

// drop drops what was typed so far at a terminal that sends keys one by one.
func (t *tty) drop() {
	for file := t.input.(*os.File); t.ended == nil && readable(file.Fd(), 0); {
		t.fill()
	}
	t.lost, t.pending = append(t.lost, t.pending...), nil
}

func (t *tty) dropped() string {
	lost := string(t.lost)
	t.lost = nil
	return lost
}

// fill waits for more. The buffer is new each time, because what was read may have been handed out.
func (t *tty) fill() {
	buffer := make([]byte, longestLine)
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

func (t *tty) letters() (letters, error) {
	file, is := t.input.(*os.File)
	if !is || !t.typed {
		return nil, errNoLetters
	}
	shown, back, err := takeLetters(file.Fd(), t.drop)
	if err != nil {
		return nil, err
	}
	return &ttyLetters{t, shown, back}, nil
}

// ttyLetters takes keys one by one from a terminal.
type ttyLetters struct {
	tty   *tty
	shown bool
	back  func() error
}

func (l *ttyLetters) hidden() bool { return l.shown }

func (l *ttyLetters) next() ([]byte, error) {
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

func (l *ttyLetters) done() error {
	l.tty.drop()
	return l.back()
}

// DropTyped drops what was typed ahead, such as the rest of a passphrase, where the input is a
// terminal.
func DropTyped(input io.Reader) {
	if file, is := input.(term.File); is && isTerminal(file) {
		dropTyped(file.Fd())
	}
}

// isTerminal reports whether something is a file that is a terminal.
func isTerminal(stream any) bool {
	file, is := stream.(term.File)
	return is && term.IsTerminal(file.Fd())
}
