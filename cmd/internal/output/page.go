package output

import (
	"cmp"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"docket/domain/visible"
	"docket/ui/contractpage"
)

// PageWidth is the width in columns to which texts are wrapped on standard output.
const PageWidth = 80

// noBreak replaces hyphens while lines are wrapped, because Wrap breaks after a hyphen. Escaped text never contains it.
const noBreak = "\ue000"

// contractMarks are the marks of a page of a contract, as the console draws them.
var contractMarks = map[contractpage.Mark]string{contractpage.Good: "✓ ", contractpage.Bad: "✗ ", contractpage.Open: "○ "}

// Contract writes a page of a contract, wrapped to PageWidth. Every text is escaped before it is wrapped, so that it
// cannot control the terminal.
func Contract(out io.Writer, page contractpage.Page) error {
	text := paragraph("", page.Title) + paragraph(contractMarks[page.Mark], page.State)
	for _, part := range page.Parts {
		text += "\n" + paragraph("", strings.ToUpper(part.Heading))
		for _, e := range part.Entries {
			said := strings.TrimLeft(e.Text, " ")
			lead := cmp.Or(contractMarks[e.Mark], "  ") + e.Text[:len(e.Text)-len(said)]
			if e.Name != "" && said != "" {
				said = ": " + said
			}
			text += paragraph(lead, e.Name+said)
			for _, note := range e.Notes {
				text += paragraph("    ", note)
			}
		}
	}
	_, err := io.WriteString(out, text)
	return err
}

// paragraph begins the first line of a text with lead, the others with as many spaces.
func paragraph(lead, text string) string {
	indent := strings.Repeat(" ", ansi.StringWidth(lead))
	room := PageWidth - len(indent)
	whole := strings.ReplaceAll(visible.String(text), "-", noBreak)                // paths and ids stay whole where they fit
	wrapped := ansi.Hardwrap(ansi.Wrap(whole, room, ""), room, true)               // Wrap lets a line with spaces before it be too long
	wrapped = ansi.Hardwrap(strings.ReplaceAll(wrapped, noBreak, "-"), room, true) // a mark after a hyphen is wider than one after noBreak
	var lines strings.Builder
	for line := range strings.SplitSeq(wrapped, "\n") {
		lines.WriteString(strings.TrimRight(lead+line, " ") + "\n")
		lead = indent
	}
	return lines.String()
}

// WordWrap wraps a text at spaces only: flags and dates stay whole.
func WordWrap(text string, width int) string {
	return strings.ReplaceAll(ansi.Wordwrap(strings.ReplaceAll(text, "-", noBreak), width, ""), noBreak, "-")
}
