package pages

import (
	"cmp"
	"math"
	"strings"

	"docket/domain/terms"

	"github.com/charmbracelet/x/ansi"
)

// textWidth is how many characters a line of a plain text has, where its words let it.
const textWidth = 80

// Text writes the page as plain text. A part that says nothing is left out.
func (p *Page) Text() string { return p.TextIn(textWidth) }

// TextIn is Text for lines of another width in characters; 0: nothing is wrapped, so that each row
// is one line to search for.
func (p *Page) TextIn(width int) string {
	w := textWriter{width: cmp.Or(width, math.MaxInt)}
	if p.Title != "" {
		w.fill("", "", p.Title)
		w.line(strings.Repeat("=", min(columns(p.Title), textWidth)))
		w.line("")
	}
	if p.State != "" {
		lead := p.Mark.lead()
		w.fill(lead, strings.Repeat(" ", columns(lead)), p.State)
		w.line("")
	}
	for _, notice := range p.Notices {
		w.wrap("! ", "  ", notice)
		w.line("")
	}
	for i := range p.Parts {
		w.part(&p.Parts[i])
	}
	return strings.TrimRight(w.String(), "\n") + "\n"
}

func (w *textWriter) part(p *Part) {
	rows := p.All()
	if len(rows)+len(p.Blocks) == 0 {
		return
	}
	if p.Title != "" {
		w.line(p.Title)
		w.line(strings.Repeat("-", columns(p.Title)))
		w.line("")
	}
	marked, labels := "", 0
	for i := range rows {
		if rows[i].Mark != None {
			marked = "  "
		}
		if size := columns(rows[i].Label); size <= widestLabel {
			labels = max(labels, size)
		}
	}
	for i := range rows {
		w.labelled(&rows[i], marked, labels)
	}
	if len(rows) > 0 {
		w.line("")
	}
	for j := range p.Blocks {
		w.block(p.Title, &p.Blocks[j])
		w.line("")
	}
}

// widestLabel is up to which width a label stands beside its value.
const widestLabel = 28

// labelled writes a row: its mark, its label in a column of that width, and its value, which begins
// on a line of its own where a word of it has no room beside the label.
func (w *textWriter) labelled(r *Row, unmarked string, labels int) {
	first, rest := cmp.Or(r.Mark.lead(), unmarked), unmarked
	text, longest := r.Said()+codesAfter("  ↳ ", r.Codes), 0
	for word := range strings.FieldsSeq(text) {
		longest = max(longest, columns(word))
	}
	switch size := columns(r.Label); {
	case size > labels || size > 0 && longest > w.width-labels-4 && longest <= w.width-6:
		w.fill(first, unmarked+"  ", r.Label+":")
		first, rest = unmarked+"    ", unmarked+"    "
	case size > 0:
		first += r.Label + strings.Repeat(" ", labels-size+2)
		rest += strings.Repeat(" ", labels+2)
	}
	for line := range strings.SplitSeq(text, "\n") {
		blanks := line[:len(line)-len(strings.TrimLeft(line, " "))]
		w.fill(first+blanks, rest+blanks, line)
		first = rest
	}
	for _, note := range r.Notes {
		w.fill(unmarked+"  ", unmarked+"  ", note)
	}
}

// columns is how wide a text is on a terminal.
func columns(text string) int { return ansi.StringWidth(text) }

// fill is wrap with words cut that are longer than a line, as in scripts without blanks.
func (w *textWriter) fill(first, rest, text string) {
	room := w.width - columns(rest)
	var words []string
	for word := range strings.FieldsSeq(text) {
		words = append(words, strings.Split(ansi.Hardwrap(word, room, true), "\n")...)
	}
	w.wrap(first, rest, strings.Join(words, " "))
}

// codesAfter lists codes after a text; "" for none.
func codesAfter(between string, codes []terms.Blocker) (text string) {
	for _, code := range codes {
		text += between + code.String()
		between = ", "
	}
	return text
}

// lead is the mark with a blank after it; "" for None.
func (m Mark) lead() string {
	if m == None {
		return ""
	}
	return m.Sign() + " "
}

type textWriter struct {
	strings.Builder
	width int
}

func (w *textWriter) line(text string) { w.WriteString(text + "\n") }

func (w *textWriter) block(section string, b *Block) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != section {
			w.line(b.Table.Caption + ":")
			w.line("")
		}
		for _, row := range b.Table.Rows {
			w.row(row)
		}
	case b.Items != nil:
		for _, item := range b.Items {
			w.wrap("- ", "  ", item)
		}
	case b.Quote != nil:
		for _, line := range b.Quote {
			w.wrap("> ", "> ", line)
		}
	case b.Command != "":
		w.line("  " + b.Command)
	default:
		w.wrap("", "", b.Text)
	}
}

// row writes the name, the middle cells in brackets, and below it the last cell.
func (w *textWriter) row(cells []string) {
	last := len(cells) - 1
	name := cells[0]
	if between := strings.Join(cells[1:last], ", "); between != "" {
		name += " (" + between + ")"
	}
	if text := name + ": " + cells[last]; columns(text) <= w.width {
		w.line(text)
		return
	}
	w.line(name + ":")
	w.wrap("    ", "    ", cells[last])
}

// wrap breaks a text at blanks; rest begins each line but the first, a longer word has its own.
func (w *textWriter) wrap(first, rest, text string) {
	line, empty := first, true
	for word := range strings.FieldsSeq(text) {
		if !empty && columns(line)+1+columns(word) > w.width {
			w.line(line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	w.line(strings.TrimRight(line, " "))
}
