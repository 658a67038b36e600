//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// takeLetters makes the terminal deliver keys as they are typed instead of whole lines, without echo. The change drops input that was typed before and not yet
// read, in one step. shown reports whether the terminal showed keys until now; back changes back and drops again.
func takeLetters(terminal uintptr) (shown bool, back func() error, err error) {
	lines, err := unix.IoctlGetTermios(int(terminal), getMode)
	if err != nil {
		return false, nil, fmt.Errorf("%w: the terminal does not give its settings: %w", errNoLetters, err)
	}
	single := *lines
	single.Lflag &^= unix.ICANON | unix.ECHO | unix.ECHONL
	single.Cc[unix.VMIN], single.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(terminal), setModeAndDrop, &single); err != nil {
		return false, nil, fmt.Errorf("%w: the terminal does not take new settings: %w", errNoLetters, err)
	}
	shown = lines.Lflag&unix.ECHO != 0
	return shown, func() error { return unix.IoctlSetTermios(int(terminal), setModeAndDrop, lines) }, nil
}
