package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/contracts/incident"
	"docket/domain/visible"
)

// The widths of the matrix: a phase's name, and the least that a severity's key takes.
const (
	matrixName = 24
	matrixCell = 6
)

// drawMatrix draws as many columns beside one another as fit, and the others below.
func drawMatrix(page *wrappedPage, m *incident.Matrix) {
	for from := 0; from < len(m.Columns); {
		if from > 0 {
			page.WriteString("\n")
		}
		widths := matrixColumns(m.Columns[from:])
		page.WriteString(matrixLine("", widths, func(i int) string { return m.Columns[from+i] }))
		for _, row := range m.Rows {
			page.WriteString(matrixLine(row.Name, widths, func(i int) string {
				if row.Marks[from+i] {
					return "✓"
				}
				return "·"
			}))
		}
		from += len(widths)
	}
}

// matrixColumns are the widths of the first columns, as many as fit.
func matrixColumns(keys []string) (widths []int) {
	left := pageWidth - 2 - matrixName
	for _, key := range keys {
		width := min(max(ansi.StringWidth(visible.String(key)), matrixCell), pageWidth/4)
		if left -= 2 + width; left < 0 {
			return widths
		}
		widths = append(widths, width)
	}
	return widths
}

func matrixLine(name string, widths []int, cell func(i int) string) string {
	line := "  " + fitted(name, matrixName)
	for i, width := range widths {
		line += "  " + fitted(cell(i), width)
	}
	return strings.TrimRight(line, " ") + "\n"
}

// fitted is the text in exactly so many columns.
func fitted(text string, width int) string {
	text = ansi.Truncate(visible.String(text), width, "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}
