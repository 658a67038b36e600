package contracts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

const (
	firstWindow = 64 << 10
	// leastRead keeps reads large when most of the window is held.
	leastRead = 16 << 10
	// emptyReads is how often in a row a reader may give nothing and no error.
	emptyReads = 100
)

// A window shows a stream, of which it holds the bytes from hold on; a caller that moves at over a
// line feed calls newline.
type window struct {
	ctx      context.Context
	name     string
	r        io.Reader
	progress func(int64)

	buf      []byte
	hold     int   // buf[hold:at] is kept
	at       int   // the next byte to look at
	to       int   // buf[at:to] has been read and not looked at
	offset   int64 // of buf[0] in the stream
	line     int   // of the byte at at, from 1
	lineHead int64 // where that line begins in the stream
	ended    bool
}

func newWindow(ctx context.Context, name string, r io.Reader, progress func(int64)) window {
	return window{ctx: ctx, name: name, r: r, progress: progress, buf: make([]byte, firstWindow), line: 1}
}

// more makes sure that there is a byte at at; false if the stream has ended.
func (w *window) more() (bool, error) {
	for empty := 0; w.at == w.to; empty++ {
		if w.ended {
			return false, nil
		}
		if err := w.ctx.Err(); err != nil {
			return false, err
		}
		if empty == emptyReads {
			return false, w.failed(io.ErrNoProgress)
		}
		w.room()
		n, err := w.r.Read(w.buf[w.to:])
		w.to += n
		if n > 0 && w.progress != nil {
			w.progress(w.offset + int64(w.to))
		}
		if errors.Is(err, io.EOF) {
			w.ended = true
		} else if err != nil {
			return false, w.failed(err)
		}
	}
	return true, nil
}

// room drops what is not held or, with most of the window held, grows it; the framer bounds that.
func (w *window) room() {
	if len(w.buf)-w.to >= leastRead {
		return
	}
	held := w.buf[w.hold:w.to]
	target := w.buf
	if len(held) > len(w.buf)/2 {
		target = make([]byte, 2*len(w.buf))
	}
	copy(target, held)
	w.buf = target
	w.offset += int64(w.hold)
	w.at, w.to, w.hold = w.at-w.hold, len(held), 0
}

func (w *window) failed(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("read %s: %w", w.name, err)
}

func (w *window) position() int64 { return w.offset + int64(w.at) }

// atHead reports whether the byte at at is the first of its line.
func (w *window) atHead() bool { return w.position() == w.lineHead }

// newline is to be called when at has moved past a line feed.
func (w *window) newline() { w.line, w.lineHead = w.line+1, w.position() }

func (w *window) held() int { return w.at - w.hold }

func (w *window) release() { w.hold = w.at }

// back goes back to a byte that is held and begins a line.
func (w *window) back(index, line int) {
	w.at, w.line = index, line
	w.lineHead = w.position()
}

// space moves past white space without holding it; false at the end of the stream.
func (w *window) space() (bool, error) {
	for {
		w.release()
		if ok, err := w.more(); !ok {
			return false, err
		}
		switch w.buf[w.at] {
		case '\n':
			w.at++
			w.newline()
		case ' ', '\t', '\r':
			w.at++
		default:
			w.release()
			return true, nil
		}
	}
}

// toLineEnd moves to the next line feed or the end of the stream, or until limit bytes are held,
// and reports whether it got there; with limit 0 it holds nothing.
func (w *window) toLineEnd(limit int) (bool, error) {
	for {
		if limit == 0 {
			w.release()
		}
		if ok, err := w.more(); !ok {
			return err == nil, err
		}
		feed := bytes.IndexByte(w.buf[w.at:w.to], '\n')
		if feed >= 0 {
			w.at += feed
		} else {
			w.at = w.to
		}
		if limit > 0 && w.held() > limit {
			return false, nil
		}
		if feed >= 0 {
			return true, nil
		}
	}
}
