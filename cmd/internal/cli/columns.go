package cli

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/visible"
)

// columns is a table for standard output. Every cell is made visible, so that no text of a packet reaches the terminal
// as a control.
type columns struct {
	heads []string
	rows  [][]string
	// headless leaves the heads out, which stand above an earlier page.
	headless bool
}

func (c *columns) add(cells ...string) {
	for i := range cells {
		cells[i] = visible.String(cells[i])
	}
	c.rows = append(c.rows, cells)
}

func (c *columns) empty() bool { return len(c.rows) == 0 }

// print writes the heads and the rows, two spaces between columns. A column in which no row has anything is left out.
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
