package output

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"docket/domain/visible"
)

// A Bar shows the progress of a long command on standard error if that is a terminal. It is drawn
// at most ten times a second and is cleared at the end.
type Bar struct {
	mu    sync.Mutex // stages and clear come from several goroutines
	out   io.Writer  // nil: silent
	label string     // of the stage that is shown
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

// Of is the progress of one stage that tells its total each time; 0 if that is not known.
func (b *Bar) Of(label string) func(done, total int64) {
	return func(done, total int64) { b.Stage(label, done, total) }
}

// Toward is the progress of one stage toward a total; 0 if that is not known.
func (b *Bar) Toward(label string, total int64) func(done int64) {
	return func(done int64) { b.Stage(label, done, total) }
}

// Stage draws the bar, in the unit of the total; it starts again when the label changes.
func (b *Bar) Stage(label string, done, total int64) {
	if b.out == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if b.shown && b.label == label && now.Sub(b.drawn) < barInterval {
		return
	}
	b.label, b.drawn, b.shown = label, now, true
	text := fmt.Sprint(done)
	if total > 0 {
		share := min(float64(done)/float64(total), 1)
		full := int(share * barCells)
		text = fmt.Sprintf("%s%s %3.0f %%", strings.Repeat("█", full), strings.Repeat("░", barCells-full), share*100)
	}
	fmt.Fprintf(b.out, "\r\x1b[K%s  %s", visible.String(label), text)
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
