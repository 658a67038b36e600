package output

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/visible"
)

// PageWidth is the width in columns to which texts are wrapped on standard output.
const PageWidth = 80

// noBreak replaces hyphens while lines are wrapped, because Wrap breaks after a hyphen. Escaped text never contains it.
const noBreak = "\ue000"

// A Page is text for standard output, wrapped to PageWidth. Every text is escaped before it is wrapped, so that it
// cannot control the terminal.
type Page struct{ strings.Builder }

// Heading begins a part of the page.
func (w *Page) Heading(text string) {
	if w.Len() > 0 {
		w.WriteString("\n")
	}
	w.Text("", strings.ToUpper(text))
}

// Text writes a paragraph. Its first line begins with lead, the others with as many spaces.
func (w *Page) Text(lead, text string) {
	lead = ansi.Truncate(visible.String(lead), PageWidth/2, "…")
	indent := strings.Repeat(" ", ansi.StringWidth(lead))
	room := PageWidth - len(indent)
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

// WordWrap wraps a text at spaces only: flags and dates stay whole.
func WordWrap(text string, width int) string {
	return strings.ReplaceAll(ansi.Wordwrap(strings.ReplaceAll(text, "-", noBreak), width, ""), noBreak, "-")
}
