//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package tty

import "time"

// takeLetters is not implemented for this system, so nothing can be recorded line by line here.
func takeLetters(uintptr, func()) (bool, func() error, error) { return false, nil, ErrNoLetters }

func takeBegun(uintptr, func()) {}

func dropTyped(uintptr) {}

func readable(uintptr, time.Duration) bool { return false }
