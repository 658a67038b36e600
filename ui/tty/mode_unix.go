//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package tty

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// takeLetters makes the terminal deliver keys as they are typed instead of whole lines, without echo. drop reads what was typed
// before; what comes after that and before the change ends is dropped with it. shown reports whether the terminal showed keys
// until now; back changes back and drops again.
func takeLetters(terminal uintptr, drop func()) (shown bool, back func() error, err error) {
	lines, err := unix.IoctlGetTermios(int(terminal), getMode)
	if err != nil {
		return false, nil, fmt.Errorf("%w: the terminal does not give its settings: %w", ErrNoLetters, err)
	}
	single := *lines
	single.Lflag &^= unix.ICANON | unix.ECHO | unix.ECHONL
	single.Cc[unix.VMIN], single.Cc[unix.VTIME] = 1, 0
	for i, set := range []uint{setMode, setModeAndDrop} {
		if err := unix.IoctlSetTermios(int(terminal), set, &single); err != nil {
			return false, nil, fmt.Errorf("%w: the terminal does not take new settings: %w", ErrNoLetters, err)
		}
		if i == 0 {
			drop() // half a line is read only now
		}
	}
	shown = lines.Lflag&unix.ECHO != 0
	return shown, func() error { return unix.IoctlSetTermios(int(terminal), setModeAndDrop, lines) }, nil
}

// takeBegun makes what was typed of a line that has no end yet readable while take runs. Nothing is dropped.
func takeBegun(terminal uintptr, take func()) {
	lines, err := unix.IoctlGetTermios(int(terminal), getMode)
	if err != nil {
		return
	}
	single := *lines
	single.Lflag &^= unix.ICANON
	single.Cc[unix.VMIN], single.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(int(terminal), setMode, &single) == nil {
		take()
		_ = unix.IoctlSetTermios(int(terminal), setMode, lines)
	}
}

// dropTyped drops what was typed at a terminal and is not read yet.
func dropTyped(terminal uintptr) {
	if mode, err := unix.IoctlGetTermios(int(terminal), getMode); err == nil {
		_ = unix.IoctlSetTermios(int(terminal), setModeAndDrop, mode)
	}
}

// readable reports whether a read from a terminal returns within a time.
func readable(terminal uintptr, within time.Duration) bool {
	poll := []unix.PollFd{{Fd: int32(terminal), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(poll, int(within.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n > 0 && err == nil
		}
	}
}
