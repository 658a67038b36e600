package output

import (
	"io"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/pages"
	"docket/domain/visible"
)

// PageWidth is the width in columns to which texts are wrapped on standard output.
const PageWidth = 80

// noBreak replaces hyphens, after which Wrap breaks; escaped text never contains it.
const noBreak = "\ue000"

// Page writes a page, wrapped to a width in columns; 0: it is not wrapped. Every text is escaped, so
// that it cannot control the terminal.
func Page(out io.Writer, page pages.Page, width int) {
	_, _ = io.WriteString(out, visible.Text(page.TextIn(width)))
}

// wordWrap wraps a text at spaces only: flags and dates stay whole.
func wordWrap(text string, width int) string {
	return strings.ReplaceAll(ansi.Wordwrap(strings.ReplaceAll(text, "-", noBreak), width, ""), noBreak, "-")
}

// inColumns matches a line with a description in a second column, such as that of a flag.
var inColumns = regexp.MustCompile(`^( +\S.*? {2,}| {8,})(\S.*)$`)

// WrapHelp wraps a help page: the paragraphs, and the second column of lists. Other lines with
// leading spaces, such as examples, stay whole.
func WrapHelp(page string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, wordWrap(strings.Join(paragraph, " "), width))
			paragraph = nil
		}
	}
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		columns := inColumns.FindStringSubmatch(line)
		switch {
		case line != "" && line[0] != ' ':
			paragraph = append(paragraph, line)
			continue
		case columns != nil && ansi.StringWidth(line) > width && len(columns[1]) < width/2+10:
			flush()
			indent := strings.Repeat(" ", len(columns[1]))
			wrapped := wordWrap(columns[2], width-len(indent))
			line = columns[1] + strings.ReplaceAll(wrapped, "\n", "\n"+indent)
		default:
			flush()
		}
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n") + "\n"
}
