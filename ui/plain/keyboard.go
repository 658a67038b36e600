package plain

import "errors"

// A keyboard is where a session's lines come from.
type keyboard interface {
	// line returns the next line without its end. The error is io.EOF once there are no more, errLongLine for one that is
	// too long, which is then gone, and errStopped if the session was told to stop meanwhile.
	line() (string, error)
	// letters starts to take keys one by one, for the final question. All that was typed before is dropped, wherever it
	// waits. It is an error where that cannot be promised, and then nothing may be recorded.
	letters() (letters, error)
	// echoes tells whether what is typed shows on the page by itself.
	echoes() bool
}

// letters are keys as they are typed.
type letters interface {
	// next waits for keys and returns those that came together. Errors are those of line.
	next() ([]byte, error)
	// hidden tells whether keys that used to show by themselves do not while they are taken, so that they have to be written.
	hidden() bool
	// done goes back to lines. What was typed and not taken is dropped.
	done() error
}

var (
	errLongLine = errors.New("the line is too long")
	errStopped  = errors.New("the input was stopped")
	// errNoLetters says that keys cannot be taken one by one here.
	errNoLetters = errors.New("keys cannot be taken one by one here")
)

// longestLine is in bytes: what a terminal keeps of a line that is being typed.
const longestLine = 4096
