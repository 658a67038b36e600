//go:build unix

package bundle

import "syscall"

// nonblocking keeps opening a FIFO from waiting for its other end. On a regular file or a folder it does nothing.
const nonblocking = syscall.O_NONBLOCK
