package pages

import (
	"strings"
	"unicode/utf8"
)

// textWidth is how many characters a line of a plain text has, where its words let it.
const textWidth = 80

// Text writes the page as plain text.
func (p *Page) Text() string {
	var w textWriter
	w.line(p.Title)
	w.line(strings.Repeat("=", utf8.RuneCountInString(p.Title)))
	w.line("")
	for _, notice := range p.Notices {
		w.wrap("! ", "  ", notice)
		w.line("")
	}
	for i := range p.Parts {
		section := &p.Parts[i]
		w.line(section.Title)
		w.line(strings.Repeat("-", utf8.RuneCountInString(section.Title)))
		w.line("")
		for j := range section.Blocks {
			w.block(section.Title, &section.Blocks[j])
			w.line("")
		}
	}
	return strings.TrimRight(w.String(), "\n") + "\n"
}

type textWriter struct{ strings.Builder }

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
	if text := name + ": " + cells[last]; utf8.RuneCountInString(text) <= textWidth {
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
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
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
