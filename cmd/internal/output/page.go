package output

import (
	"cmp"
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

// Contract writes a page of a contract, wrapped to PageWidth. Every text is escaped before it is
// wrapped, so that it cannot control the terminal.
func Contract(out io.Writer, page pages.Page) {
	text := paragraph("", page.Title) + paragraph(lead(page.Mark), page.State)
	for _, part := range page.Parts {
		text += "\n" + paragraph("", strings.ToUpper(part.Title))
		for _, e := range part.Rows {
			said := strings.TrimLeft(e.Value, " ")
			mark := cmp.Or(lead(e.Mark), "  ") + e.Value[:len(e.Value)-len(said)]
			if e.Label != "" && said != "" {
				said = ": " + said
			}
			text += paragraph(mark, e.Label+said)
			for _, note := range e.Notes {
				text += paragraph("    ", note)
			}
		}
	}
	_, _ = io.WriteString(out, text)
}

// lead is a mark with a blank after it; "" for None.
func lead(m pages.Mark) string {
	if m == pages.None {
		return ""
	}
	return m.Sign() + " "
}

// paragraph begins the first line of a text with lead, the others with as many spaces.
func paragraph(lead, text string) string {
	indent := strings.Repeat(" ", ansi.StringWidth(lead))
	room := PageWidth - len(indent)
	// Paths and ids stay whole where they fit. Wrap lets a line with spaces before it be too long,
	// and a mark after a hyphen is wider than one after noBreak.
	whole := strings.ReplaceAll(visible.String(text), "-", noBreak)
	wrapped := ansi.Hardwrap(ansi.Wrap(whole, room, ""), room, true)
	wrapped = ansi.Hardwrap(strings.ReplaceAll(wrapped, noBreak, "-"), room, true)
	var lines strings.Builder
	for line := range strings.SplitSeq(wrapped, "\n") {
		lines.WriteString(strings.TrimRight(lead+line, " ") + "\n")
		lead = indent
	}
	return lines.String()
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
