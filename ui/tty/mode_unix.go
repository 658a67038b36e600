//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package tty

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// takeLetters delivers keys as they are typed, without echo; drop reads what was typed before,
// later keys until the change are dropped too, and back drops again.
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

// takeBegun makes an unfinished line readable while take runs; nothing is dropped.
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

func dropTyped(terminal uintptr) {
	if mode, err := unix.IoctlGetTermios(int(terminal), getMode); err == nil {
		_ = unix.IoctlSetTermios(int(terminal), setModeAndDrop, mode)
	}
}

func readable(terminal uintptr, within time.Duration) bool {
	poll := []unix.PollFd{{Fd: int32(terminal), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(poll, int(within.Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n > 0 && err == nil
		}
	}
}
