package pages

import (
	_ "embed" // the head of the page is part of the program
	"fmt"
	"io"
	"strconv"
	"strings"

	"docket/domain/terms"
)

// headHTML is what each page begins with, with an empty title.
//
//go:embed head.html
var headHTML string

// htmlText writes a text so that it stands as text in an element or in a quoted attribute.
var htmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;", "\x00", "\ufffd")

// markup stands in for html/template, which calls methods by name and so keeps the linker from
// leaving any out: three megabytes.
type markup struct{ strings.Builder }

// element writes an element that holds only a text; attributes in its tag are not escaped.
func (m *markup) element(tag, text string) {
	name, _, _ := strings.Cut(tag, " ")
	m.WriteString("<" + tag + ">" + htmlText.Replace(text) + "</" + name + ">")
}

func (m *markup) line(tag, text string) {
	m.element(tag, text)
	m.WriteByte('\n')
}

func (m *markup) open(title string) {
	m.WriteString(strings.Replace(headHTML, "<title></title>", "<title>"+htmlText.Replace(title)+"</title>", 1))
	m.WriteString("<body>\n<main>\n")
}

func (m *markup) end() { m.WriteString("</main>\n</body>\n</html>\n") }

func (m *markup) notices(notices []string) {
	if len(notices) == 0 {
		return
	}
	m.WriteString("<div class=\"notice\" role=\"note\">\n")
	for _, notice := range notices {
		m.WriteString("<p><strong>Note:</strong> " + htmlText.Replace(notice) + "</p>\n")
	}
	m.WriteString("</div>\n")
}

func (m *markup) section(attributes, head string, s *Part, common bool) {
	m.WriteString("<section" + attributes + ">\n")
	if s.Title != "" {
		m.line(head, s.Title)
	}
	if rows := s.All(); len(rows) > 0 {
		m.rows(rows)
	}
	for i := range s.Blocks {
		if common || !s.Blocks[i].Common {
			m.block(&s.Blocks[i])
		}
	}
	m.WriteString("</section>\n")
}

func (m *markup) rows(rows []Row) {
	m.WriteString("<ul style=\"white-space: pre-line; overflow-wrap: anywhere\">\n")
	for i := range rows {
		r := &rows[i]
		m.WriteString("<li>" + r.Mark.lead())
		if r.Label != "" {
			m.element("strong", r.Label+": ")
		}
		m.element(`span dir="auto"`, r.Said())
		m.WriteString(htmlText.Replace(codesAfter("; ", r.Codes)))
		for _, note := range r.Notes {
			m.WriteString("<br>" + htmlText.Replace(note))
		}
		m.WriteString("</li>\n")
	}
	m.WriteString("</ul>\n")
}

func (m *markup) block(b *Block) {
	switch {
	case b.Table != nil:
		m.table(b.Table)
	case len(b.Items) > 0:
		m.WriteString("<ul>\n")
		for _, item := range b.Items {
			m.line("li", item)
		}
		m.WriteString("</ul>\n")
	case len(b.Quote) > 0:
		m.WriteString("<blockquote>\n")
		for _, line := range b.Quote {
			if line != "" {
				m.line(`p dir="auto"`, line)
			}
		}
		m.WriteString("</blockquote>\n")
	case b.Command != "":
		m.WriteString("<pre>")
		m.element("code", b.Command)
		m.WriteString("</pre>\n")
	default:
		m.line("p", b.Text)
	}
}

func (m *markup) table(t *Table) {
	direction := ""
	if t.Written {
		direction = ` dir="auto"`
	}
	m.WriteString("<table>\n")
	m.line("caption", t.Caption)
	m.WriteString("<thead><tr>")
	for _, head := range t.Heads {
		m.element(`th scope="col"`, head)
	}
	m.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		m.WriteString("<tr>")
		for i, cell := range row {
			if i == 0 {
				m.element(`th scope="row"`+direction, cell)
			} else {
				m.element("td"+direction, cell)
			}
		}
		m.WriteString("</tr>\n")
	}
	m.WriteString("</tbody>\n</table>\n")
}

// HTML writes the page as one page that needs nothing from elsewhere: no script, no image, no font.
func (p *Page) HTML() string {
	var m markup
	m.open(p.Title)
	m.WriteString("<article aria-labelledby=\"title\">\n")
	m.line(`h1 id="title"`, p.Title)
	if p.State != "" {
		m.line("p", p.Mark.lead()+p.State)
	}
	m.notices(p.Notices)
	for i := range p.Parts {
		section, id := &p.Parts[i], "part-"+strconv.Itoa(i)
		if len(section.Rows)+len(section.Blocks) == 0 {
			continue
		}
		m.section(` aria-labelledby="`+id+`"`, `h2 id="`+id+`"`, section, true)
	}
	m.WriteString("</article>\n")
	m.end()
	return m.String()
}

// An Index writes the statements of many records into one page, one after the other. Their common
// sections stand once, at the end. It keeps no statement in memory.
type Index struct {
	out    io.Writer
	common map[terms.Area][]Part
}

// NewIndex begins a page. The intro is what a reader has to know first, a paragraph each.
func NewIndex(out io.Writer, title string, intro []string) (*Index, error) {
	x := &Index{out, map[terms.Area][]Part{}}
	var m markup
	m.open(title)
	m.line("h1", title)
	for _, paragraph := range intro {
		m.line("p", paragraph)
	}
	return x, x.put(&m)
}

func (x *Index) put(m *markup) error {
	_, err := io.WriteString(x.out, m.String())
	return err
}

// Add writes a statement.
func (x *Index) Add(p *Page) error {
	if x.common[p.Area] == nil {
		for i := range p.Parts {
			if p.Parts[i].Common {
				x.common[p.Area] = append(x.common[p.Area], p.Parts[i])
			}
		}
	}
	var m markup
	id := "record-" + strconv.FormatInt(p.Sequence, 10)
	m.WriteString("\n<article aria-labelledby=\"" + id + "\">\n")
	m.line(`h2 id="`+id+`"`, p.Title)
	m.notices(p.Notices)
	for i := range p.Parts {
		if section := &p.Parts[i]; !section.Common {
			m.section("", "h3", section, false)
		}
	}
	m.WriteString("</article>\n")
	return x.put(&m)
}

// Close ends the page.
func (x *Index) Close() error {
	var m markup
	for _, area := range terms.Areas.All() {
		sections := x.common[area]
		if sections == nil {
			continue
		}
		id := "common-" + area.String()
		m.WriteString("\n<section aria-labelledby=\"" + id + "\">\n")
		m.line(`h2 id="`+id+`"`, fmt.Sprintf("What holds for each decision on %s", area))
		for i := range sections {
			m.line("h3", sections[i].Title)
			for j := range sections[i].Blocks {
				m.block(&sections[i].Blocks[j])
			}
		}
		m.WriteString("</section>\n")
	}
	m.end()
	return x.put(&m)
}
