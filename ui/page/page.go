// Package page writes out for people what a console or a command shows: a packet, a record, a
// statement, the board, the figures, a contract. The console that works line by line says the rows,
// commands print them, and the full console lays them out.
package page

import (
	"cmp"
	"strings"

	"docket/domain/pages"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// A Part is a part of a packet.
type Part struct {
	pages.Part
	Key   string              // of one word
	Name  views.PartName      // of a part of the view; 0 for another
	Facts []Fact              // whole; the rows have the first ids of long lists
	Of    []views.SectionName // the sections of the view that it has rows of
	Held  []views.SectionName // those with parts held back
}

// Spoken is a row in words, with a full stop; what a person wrote keeps its line breaks. Of a row
// that rules read it says only that it does not meet them: the heading says the rest.
func Spoken(r *pages.Row) string {
	text := r.Said()
	if r.Label != "" {
		text = r.Label + ": " + text
	}
	switch {
	case r.Mark == pages.Bad:
		text = terms.Blocked.String() + ": " + text
	case r.Mark != pages.None || r.Label != "":
		text = wording.Capital(text)
	}
	if len(r.Codes) > 0 {
		text += " (" + wording.Listed(r.Codes) + ")"
	}
	text = wording.Sentence(text)
	for _, note := range r.Notes {
		text += " " + wording.Sentence(wording.Capital(note))
	}
	return text
}

// Said is a page in parts, said one after the other: what has to be known comes first. On a page
// that is judged as a whole, a row that is not as required says so.
func Said(p *pages.Page) []pages.Part {
	head := pages.Part{Title: p.Title}
	if p.State != "" {
		head.Say("%s", p.State)
	}
	for _, notice := range p.Notices {
		head.Say("Note: %s", notice)
	}
	parts := []pages.Part{head}
	for i := range p.Parts {
		part := pages.Part{Title: p.Parts[i].Title}
		for _, r := range p.Parts[i].All() {
			r.Value = r.Shown()
			switch state := states[r.Mark]; {
			case p.Mark == pages.None:
			case r.Label == "":
				r.Value = state + r.Value
			default:
				r.Label = state + r.Label
			}
			r.Mark = pages.None
			part.Rows = append(part.Rows, r)
		}
		for j := range p.Parts[i].Blocks {
			sayBlock(&part, &p.Parts[i].Blocks[j])
		}
		if len(part.Rows) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

var states = map[pages.Mark]string{pages.Bad: "fails: ", pages.Open: "open: "}

func sayBlock(p *pages.Part, b *pages.Block) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != p.Title {
			p.Say("%s:", b.Table.Caption)
		}
		for _, row := range b.Table.Rows {
			p.Say("%s", wording.Capital(strings.Join(row, ": ")))
		}
	case b.Quote != nil:
		p.Say("The reviewer wrote:")
		fallthrough
	case b.Items != nil:
		for _, line := range append(b.Items[:len(b.Items):len(b.Items)], b.Quote...) {
			p.Say("%s", line)
		}
	default:
		p.Say("%s", cmp.Or(b.Command, b.Text))
	}
}

// Contracts lists the published contracts with their states, numbered.
func Contracts(list []pages.Page) []pages.Row {
	var one pages.Part
	for i := range list {
		one.Say("%d. %s: %s; %s", i+1, list[i].Name, list[i].Title, list[i].State)
	}
	return one.Rows
}
