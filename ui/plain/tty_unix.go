//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package plain

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// takeLetters makes the terminal hand out keys as they are typed instead of whole lines, and show none of them by itself.
// Changing over drops what was typed before and not yet read, in one step with the change. shown reports whether the
// terminal showed keys until now; back changes back and drops again.
func takeLetters(terminal uintptr) (shown bool, back func() error, err error) {
	lines, err := unix.IoctlGetTermios(int(terminal), getMode)
	if err != nil {
		return false, nil, fmt.Errorf("%w: the terminal does not tell how it is set: %w", errNoLetters, err)
	}
	single := *lines
	single.Lflag &^= unix.ICANON | unix.ECHO | unix.ECHONL
	single.Cc[unix.VMIN], single.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(terminal), setModeAndDrop, &single); err != nil {
		return false, nil, fmt.Errorf("%w: the terminal does not change over: %w", errNoLetters, err)
	}
	shown = lines.Lflag&unix.ECHO != 0
	return shown, func() error { return unix.IoctlSetTermios(int(terminal), setModeAndDrop, lines) }, nil
}
