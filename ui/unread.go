package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
)

// unread is how long a terminal may keep a write once the console was told to stop.
const unread = 1500 * time.Millisecond

var errUnread = errors.New("nobody reads the terminal any more")

// UntilStopped is a writer for a terminal that may no longer be read: a while after ctx has ended,
// a write that still waits fails, and so does every later one. The writes that out has kept may go
// on.
func UntilStopped(ctx context.Context, out io.Writer) io.Writer {
	w := untilStopped{out, make(chan struct{})}
	context.AfterFunc(ctx, func() { time.AfterFunc(unread, func() { close(w.lost) }) })
	return w
}

type untilStopped struct {
	out  io.Writer
	lost chan struct{}
}

func (w untilStopped) Write(text []byte) (n int, err error) {
	select {
	case <-w.lost:
		return 0, errUnread
	default:
	}
	written := make(chan struct{})
	kept := bytes.Clone(text) // its caller may use it again before a write that waits has ended
	var count int
	var failed error
	go func() {
		defer close(written)
		count, failed = w.out.Write(kept)
	}()
	select {
	case <-written:
		return count, failed
	case <-w.lost:
		return 0, errUnread
	}
}
