package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/terms"
	"docket/domain/visible"
)

// columns is a table for standard output. Every cell is escaped, so that no text of a packet can control the terminal.
type columns struct {
	heads []string
	rows  [][]string
	// headless leaves out the heads: an earlier page has printed them.
	headless bool
}

func (c *columns) add(cells ...string) {
	for i := range cells {
		cells[i] = visible.String(cells[i])
	}
	c.rows = append(c.rows, cells)
}

func (c *columns) empty() bool { return len(c.rows) == 0 }

// print writes the heads and the rows, two spaces between columns. A column that is empty in every row is left out.
func (c *columns) print(out io.Writer) error {
	widths := c.widths()
	for i, head := range c.heads {
		if widths[i] > 0 {
			widths[i] = max(widths[i], len(head))
		}
	}
	if c.headless {
		return write(out, c.rows, widths)
	}
	return write(out, append([][]string{c.heads}, c.rows...), widths)
}

// printRows is print without the heads.
func (c *columns) printRows(out io.Writer) error { return write(out, c.rows, c.widths()) }

func (c *columns) widths() []int {
	widths := make([]int, len(c.heads))
	for _, row := range c.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	return widths
}

func write(out io.Writer, rows [][]string, widths []int) error {
	var text strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if widths[i] > 0 {
				line.WriteString(cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2))
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// pageWidth is the width in columns to which texts are wrapped on standard output.
const pageWidth = 80

// noBreak replaces hyphens while lines are wrapped, because Wrap breaks after a hyphen. Escaped text never contains it.
const noBreak = "\ue000"

// A wrappedPage is text for standard output, wrapped to pageWidth. Every text is escaped before it is wrapped, so that it
// cannot control the terminal.
type wrappedPage struct{ strings.Builder }

// heading begins a part of the page.
func (w *wrappedPage) heading(text string) {
	if w.Len() > 0 {
		w.WriteString("\n")
	}
	w.text("", strings.ToUpper(text))
}

// text writes a paragraph. Its first line begins with lead, the others with as many spaces.
func (w *wrappedPage) text(lead, text string) {
	lead = ansi.Truncate(visible.String(lead), pageWidth/2, "…")
	indent := strings.Repeat(" ", ansi.StringWidth(lead))
	room := pageWidth - len(indent)
	whole := strings.ReplaceAll(visible.String(text), "-", noBreak)                // paths and ids stay whole where they fit
	wrapped := ansi.Hardwrap(ansi.Wrap(whole, room, ""), room, true)               // Wrap lets a line with spaces before it be too long
	wrapped = ansi.Hardwrap(strings.ReplaceAll(wrapped, noBreak, "-"), room, true) // a mark after a hyphen is wider than one after noBreak
	for i, line := range strings.Split(wrapped, "\n") {
		if i > 0 {
			lead = indent
		}
		w.WriteString(strings.TrimRight(lead+line, " ") + "\n")
	}
}

// pair writes a name in a column of the given width, and a text after it.
func (w *wrappedPage) pair(width int, name, text string) {
	name = ansi.Truncate(visible.String(name), width, "…")
	w.text("  "+name+strings.Repeat(" ", width-ansi.StringWidth(name)+2), text)
}

// A bar shows the progress of a long command on standard error if that is a terminal. It is drawn at most ten times a second
// and is cleared at the end.
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

// begin starts work of the given size; 0 if the size is unknown.
func (b *bar) begin(label string, total int64) {
	b.clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.label, b.total = visible.String(label), total
}

// set draws the bar for the work done so far, in the unit of the total.
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

// stage is progress for work of several stages: it starts again when the label changes.
func (b *bar) stage(label string, done, total int64) {
	if b.label != visible.String(label) {
		b.begin(label, total)
	}
	b.progress(done, total)
}

// progress is set for work that reports its total each time.
func (b *bar) progress(done, total int64) {
	b.mu.Lock()
	b.total = total
	b.mu.Unlock()
	b.set(done)
}

// clear removes the bar from its line, so that a message can be printed there.
func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil && b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
		b.shown = false
	}
}

// toSecond returns a time to the second, for people; --json has the whole fraction. An absent time is "".
func toSecond(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return at.Time().Format(time.RFC3339)
}
