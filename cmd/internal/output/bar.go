package output

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"docket/domain/visible"
)

// A Bar shows the progress of a long command on standard error if that is a terminal. It is drawn at most ten times a second
// and is cleared at the end.
type Bar struct {
	mu    sync.Mutex // set and clear come from several goroutines
	out   io.Writer  // nil: silent
	label string
	total int64 // 0: not known
	now   func() time.Time
	drawn time.Time
	shown bool
}

const (
	barCells    = 30
	barInterval = 100 * time.Millisecond
)

// NewBar returns a bar on out; nil: it is silent. now is the clock.
func NewBar(out io.Writer, now func() time.Time) *Bar { return &Bar{out: out, now: now} }

// Begin starts work of the given size; 0 if the size is unknown.
func (b *Bar) Begin(label string, total int64) {
	b.Clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.label, b.total = visible.String(label), total
}

// Set draws the bar for the work done so far, in the unit of the total.
func (b *Bar) Set(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if b.out == nil || b.shown && now.Sub(b.drawn) < barInterval {
		return
	}
	b.drawn, b.shown = now, true
	if b.total <= 0 {
		fmt.Fprintf(b.out, "\r\x1b[K%s  %d", b.label, done)
		return
	}
	share := min(float64(done)/float64(b.total), 1)
	full := int(share * barCells)
	fmt.Fprintf(b.out, "\r\x1b[K%s  %s%s %3.0f %%", b.label, strings.Repeat("█", full), strings.Repeat("░", barCells-full), share*100)
}

// Stage is progress for work of several stages: it starts again when the label changes.
func (b *Bar) Stage(label string, done, total int64) {
	b.mu.Lock()
	next := b.label != visible.String(label)
	b.mu.Unlock()
	if next {
		b.Begin(label, total)
	}
	b.Progress(done, total)
}

// Progress is Set for work that reports its total each time.
func (b *Bar) Progress(done, total int64) {
	b.mu.Lock()
	b.total = total
	b.mu.Unlock()
	b.Set(done)
}

// Clear removes the bar from its line, so that a message can be printed there.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil && b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.shown = false
	}
}
