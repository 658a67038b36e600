// Package pages is what people read, as a value: a page with its parts, and the writers of it as
// plain text, Markdown and HTML.
//
// A maker knows what a page is about, and no medium; a writer knows its medium, and nothing of what
// the page is about.
package pages

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/terms"
)

// A Page is what people read about one thing, safe to print: hostile characters show as escapes.
type Page struct {
	Name     string // short, in a list of pages
	Title    string
	State    string   // in a few words: "15 of 15 checks pass"
	Mark     Mark     // of the state
	Notices  []string // what a reader has to know first: that the record is not in force, say
	Parts    []Part
	Area     terms.Area // of a record
	Sequence int64      // of a record, in its log
}

// A Part is what stands under one heading: rows, then blocks.
type Part struct {
	Title  string
	State  string // in a few words
	Rows   []Row
	Rest   []Row // of long lists
	Blocks []Block
	Folded bool // only a check needs it
	Common bool // it says the same of every record of the area
}

// Say adds a sentence.
func (p *Part) Say(format string, args ...any) {
	p.Rows = append(p.Rows, Row{Value: fmt.Sprintf(format, args...)})
}

// A Row is a labelled value, or a sentence without a label.
type Row struct {
	Mark  Mark
	Label string
	Value string // "" where absent
	// Codes are the blockers that hold because of this row, among others; empty unless Mark is Bad.
	Codes   []terms.Blocker
	Remarks []Remark   // on the value: its meaning or consequence, or how something stands with it
	Notes   []string   // below it
	List    []terms.ID // the ids that the value lists, if any; a console may show only the first ones
	Count   int        // where the value is a count: of so many, which a console may draw as a bar
	Of      int        // 0 for any other value
	Advice  bool       // the value reveals the advice of the rules: a console may hide it for a while
}

// A Remark stands beside the value of a row.
type Remark struct {
	Mark Mark
	Text string
}

// Shown is the value: "none" where a row with a label is not judged and has no value, "absent"
// where a judged one has none.
func (r *Row) Shown() string {
	switch {
	case r.Value != "" || r.Label == "":
		return r.Value
	case r.Mark == None:
		return "none"
	}
	return "absent"
}

// Said is the value as it is shown, with its remarks.
func (r *Row) Said() string {
	text := r.Shown()
	for _, remark := range r.Remarks {
		text += "; " + remark.Text
	}
	return text
}

// All are the rows with the rest of long lists.
func (p *Part) All() []Row { return slices.Concat(p.Rows, p.Rest) }

// A Mark says how something stands, beside the words for it.
type Mark uint8

// Marks.
const (
	None   Mark = iota // it is not judged
	Unread             // no rule reads the row
	Good               // as required: the rules that read the row are satisfied
	Bad                // it is not: a blocker holds that the row has part in
	Open               // not settled
)

// String returns the word for a mark in a document.
func (m Mark) String() string { return [...]string{"none", "none", "good", "bad", "open"}[m] }

// Sign is the mark as one character; "" for None.
func (m Mark) Sign() string { return [...]string{"", "·", "✓", "✗", "○"}[m] }

// A Block is one of: a paragraph, a list, a table, a quotation, a command.
type Block struct {
	Common  bool // it says the same of every record
	Text    string
	Items   []string
	Table   *Table
	Quote   []string // lines of a person's own words
	Command string
}

// A Table has a heading for each column. The first cell of a row names it.
type Table struct {
	Caption string
	Heads   []string
	Rows    [][]string
	Written bool // by people, in the direction of their script
}

// A Form is one in which a page is written.
type Form struct {
	Name    string
	Endings []string // of files' names
	Write   func(*Page) string
}

// Forms are all of them.
func Forms() []Form {
	return []Form{
		{"text", []string{".txt", ".text"}, (*Page).Text},
		{"markdown", []string{".md", ".markdown"}, (*Page).Markdown},
		{"html", []string{".html", ".htm"}, (*Page).HTML},
	}
}

// FormOf is the form that the ending of a file's name says; the error lists the endings.
func FormOf(path string) (Form, error) {
	var endings []string
	for _, form := range Forms() {
		for _, ending := range form.Endings {
			if len(path) > len(ending) && strings.EqualFold(path[len(path)-len(ending):], ending) {
				return form, nil
			}
		}
		endings = append(endings, form.Endings[0])
	}
	return Form{}, fmt.Errorf("the name has to end in one of %s", strings.Join(endings, ", "))
}
