//go:build unix

package bundle

import "syscall"

// nonblocking keeps the opening of a FIFO from waiting for its other end. It does nothing for a regular file or a folder.
const nonblocking = syscall.O_NONBLOCK
