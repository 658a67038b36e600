package statement

import (
	_ "embed" // the template is part of the program
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"docket/domain/terms"
)

//go:embed page.html.tmpl
var pageText string

// pages is parsed when the first page is written. A mistake in it is a mistake of this package.
var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("statement").Parse(pageText)) })

// HTML writes the statement as one page that needs nothing from elsewhere: no script, no image, no font.
func (d *Document) HTML() string {
	var w strings.Builder
	if err := pages().ExecuteTemplate(&w, "page", d); err != nil {
		panic(fmt.Sprintf("statement: the page cannot be written: %v", err))
	}
	return w.String()
}

// An Index writes the statements of many records into one page, one after the other. What they have in common stands once, at
// the end. It keeps none of them.
type Index struct {
	out    io.Writer
	common map[terms.Area][]Section
}

// NewIndex begins a page. The intro is what a reader has to know first, a paragraph each.
func NewIndex(out io.Writer, title string, intro []string) (*Index, error) {
	if err := pages().ExecuteTemplate(out, "head", title); err != nil {
		return nil, err
	}
	return &Index{out, map[terms.Area][]Section{}}, pages().ExecuteTemplate(out, "intro", map[string]any{"Title": title, "Intro": intro})
}

// Add writes a statement.
func (x *Index) Add(d *Document) error {
	if x.common[d.Area] == nil {
		for i := range d.Sections {
			if d.Sections[i].Common {
				x.common[d.Area] = append(x.common[d.Area], d.Sections[i])
			}
		}
	}
	return pages().ExecuteTemplate(x.out, "article", d)
}

// Close ends the page.
func (x *Index) Close() error {
	for _, area := range terms.Areas.All() {
		if sections := x.common[area]; sections != nil {
			if err := pages().ExecuteTemplate(x.out, "common", map[string]any{"Name": area.String(), "Sections": sections}); err != nil {
				return err
			}
		}
	}
	return pages().ExecuteTemplate(x.out, "end", nil)
}
