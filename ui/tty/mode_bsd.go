//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package tty

import "golang.org/x/sys/unix"

// How this system asks a terminal for its settings, and sets them, the second time once what was typed before is dropped.
const (
	getMode        = unix.TIOCGETA
	setMode        = unix.TIOCSETA
	setModeAndDrop = unix.TIOCSETAF
)
