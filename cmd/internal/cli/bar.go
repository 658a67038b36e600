package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"docket/domain/visible"
)

// A bar shows on a terminal how far a long command has come. Elsewhere it is silent. It is drawn on standard error, at
// most ten times a second, and leaves nothing behind.
type bar struct {
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

func (p *program) newBar() *bar {
	b := &bar{now: p.Now}
	if p.ErrTerminal {
		b.out = p.Err
	}
	return b
}

// begin starts a piece of work of that size; 0 where it is not known.
func (b *bar) begin(label string, total int64) {
	b.clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.label, b.total = visible.String(label), total
}

// set draws the bar for what has been done so far, in the unit of the total.
func (b *bar) set(done int64) {
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

// stage is progress for work of several stages: it begins anew where the label changes.
func (b *bar) stage(label string, done, total int64) {
	if b.label != visible.String(label) {
		b.begin(label, total)
	}
	b.progress(done, total)
}

// progress is set for work that says each time how much there is in all.
func (b *bar) progress(done, total int64) {
	b.mu.Lock()
	b.total = total
	b.mu.Unlock()
	b.set(done)
}

// clear takes the bar off the line, so that a message can stand there.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil && b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.shown = false
	}
}
