package pages

import (
	"fmt"
	"strings"
)

// Markdown writes the page as CommonMark with tables.
func (p *Page) Markdown() string {
	var w strings.Builder
	w.WriteString("# " + escaped(p.Title) + "\n\n")
	if p.State != "" {
		w.WriteString(p.Mark.lead() + escaped(p.State) + "\n\n")
	}
	for _, notice := range p.Notices {
		w.WriteString(fmt.Sprintf("> **Note:** %s\n\n", escaped(notice)))
	}
	for i := range p.Parts {
		rows := p.Parts[i].All()
		if len(rows)+len(p.Parts[i].Blocks) == 0 {
			continue
		}
		if p.Parts[i].Title != "" {
			w.WriteString("## " + escaped(p.Parts[i].Title) + "\n\n")
		}
		for j := range rows {
			labelledItem(&w, &rows[j])
		}
		if len(rows) > 0 {
			w.WriteString("\n")
		}
		for j := range p.Parts[i].Blocks {
			markdownBlock(&w, &p.Parts[i].Blocks[j], p.Parts[i].Title)
		}
	}
	return strings.TrimRight(w.String(), "\n") + "\n"
}

func labelledItem(w *strings.Builder, r *Row) {
	w.WriteString("- " + r.Mark.lead())
	if r.Label != "" {
		w.WriteString("**" + escaped(r.Label) + "**: ")
	}
	lines := strings.Split(r.Said()+codesAfter("; ", r.Codes), "\n")
	for i := range lines {
		lines[i] = escaped(lines[i])
	}
	w.WriteString(strings.Join(lines, "\\\n  ") + "\n")
	for _, note := range r.Notes {
		w.WriteString("  - " + escaped(note) + "\n")
	}
}

func markdownBlock(w *strings.Builder, b *Block, title string) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != title {
			w.WriteString("**" + escaped(b.Table.Caption) + "**\n\n")
		}
		markdownRow(w, b.Table.Heads)
		w.WriteString(strings.Repeat("|---", len(b.Table.Heads)) + "|\n")
		for _, row := range b.Table.Rows {
			markdownRow(w, row)
		}
	case b.Items != nil:
		for _, item := range b.Items {
			w.WriteString("- " + escaped(item) + "\n")
		}
	case b.Quote != nil:
		for i, line := range b.Quote {
			if i > 0 && line != "" && b.Quote[i-1] != "" { // two lines in a row would be one paragraph
				w.WriteString(">\n")
			}
			w.WriteString(strings.TrimRight("> "+escaped(line), " ") + "\n")
		}
	case b.Command != "":
		w.WriteString("```sh\n" + b.Command + "\n```\n")
	default:
		w.WriteString(escaped(b.Text) + "\n")
	}
	w.WriteString("\n")
}

func markdownRow(w *strings.Builder, cells []string) {
	for _, cell := range cells {
		w.WriteString("| " + escaped(cell) + " ")
	}
	w.WriteString("|\n")
}

const marks = "\\`*[]<>#|~&@$"

// escaped puts a backslash before each character that would mean something where it stands, also in
// dialects that link bare addresses and make pictures of words between colons.
func escaped(text string) string {
	var w strings.Builder
	text = strings.TrimLeft(text, " ") // four of them begin a block of code
	for i := range len(text) {
		if strings.IndexByte(marks, text[i]) >= 0 || marksHere(text, i) {
			w.WriteByte('\\')
		}
		w.WriteByte(text[i])
	}
	return w.String()
}

// marksHere reports whether a character means something only because of its place.
func marksHere(text string, i int) bool {
	before, after := text[:i], text[i+1:]
	switch text[i] {
	case '_':
		return before == "" || after == "" || !isWord(before[i-1]) || !isWord(after[0])
	case '-', '+', '=':
		return before == ""
	case '.', ')':
		return before != "" && strings.Trim(before, "0123456789") == "" || strings.HasSuffix(strings.ToLower(before), "www")
	case ':':
		return before == "" || !isWord(before[i-1]) || strings.HasPrefix(after, "/")
	}
	return false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
