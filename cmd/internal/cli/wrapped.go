package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/visible"
)

// pageWidth is the width in columns to which texts are wrapped on standard output.
const pageWidth = 80

// noBreak stands for a hyphen while lines are broken, because Wrap breaks behind hyphens. No text that was made visible
// holds it.
const noBreak = "\ue000"

// A wrappedPage is a page of text for standard output that keeps to pageWidth. Every text is made visible before it is
// wrapped, so that nothing of it reaches the terminal as a control.
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
	whole := strings.ReplaceAll(visible.String(text), "-", noBreak)  // paths and ids stay whole where they fit
	wrapped := ansi.Hardwrap(ansi.Wrap(whole, room, ""), room, true) // Wrap lets a line with spaces before it be too long
	wrapped = strings.ReplaceAll(wrapped, noBreak, "-")
	for i, line := range strings.Split(wrapped, "\n") {
		if i > 0 {
			lead = indent
		}
		w.WriteString(strings.TrimRight(lead+line, " ") + "\n")
	}
}

// pair writes a name and a text beside it; all pairs of a part have the same width of names.
func (w *wrappedPage) pair(width int, name, text string) {
	name = ansi.Truncate(visible.String(name), width, "…")
	w.text("  "+name+strings.Repeat(" ", width-ansi.StringWidth(name)+2), text)
}
