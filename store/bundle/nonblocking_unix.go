//go:build unix

package bundle

import "syscall"

// nonblocking prevents that opening a FIFO waits for its other end. It does nothing for a regular file or a folder.
const nonblocking = syscall.O_NONBLOCK
