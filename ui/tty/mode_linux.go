package tty

import "golang.org/x/sys/unix"

// How to get a terminal's settings, and set them at once or after dropping what was typed before.
const (
	getMode        = unix.TCGETS
	setMode        = unix.TCSETS
	setModeAndDrop = unix.TCSETSF
)
