// Package output is what commands print: JSON for programs; for people tables, wrapped pages and
// the bar of progress, in which every text is escaped, so that nothing in a packet can control the
// terminal.
package output

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/terms"
	"docket/domain/visible"
)

// JSON writes a value as one line of JSON, in which what cannot be seen is escaped.
func JSON(out io.Writer, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = out.Write(append(visible.JSON(text), '\n'))
	return err
}

// ToSecond returns a time to the second, for people; "" for an absent one.
func ToSecond(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return at.Time().Format(time.RFC3339)
}

// A Table is a table for standard output. Every cell is escaped: none can control the terminal.
type Table struct {
	Heads []string
	rows  [][]string
	// Headless leaves out the heads: an earlier page has printed them.
	Headless bool
}

func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = visible.String(cells[i])
	}
	t.rows = append(t.rows, cells)
}

func (t *Table) Empty() bool { return len(t.rows) == 0 }

// Print writes the heads and the rows. A column that is empty in every row is left out.
func (t *Table) Print(out io.Writer) {
	widths := make([]int, len(t.Heads))
	for _, row := range t.rows {
		for i, cell := range row {
			if width := ansi.StringWidth(cell); width > 0 {
				widths[i] = max(widths[i], width, len(t.Heads[i]))
			}
		}
	}
	rows := t.rows
	if !t.Headless {
		rows = append([][]string{t.Heads}, rows...)
	}
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
	_, _ = io.WriteString(out, text.String())
}
