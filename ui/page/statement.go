package page

import (
	"cmp"
	"strings"

	"docket/domain/pages"
	"docket/ui/wording"
)

// Statement writes a statement to the parties out; sound: its record verifies.
func Statement(laid *pages.Page, sound bool) []Part {
	head := Part{Title: laid.Title}
	if !sound {
		head.say("The record does not verify.")
	}
	for _, notice := range laid.Notices {
		head.say("Note: %s", notice)
	}
	parts := []Part{head}
	for i := range laid.Parts {
		part := Part{Title: laid.Parts[i].Title}
		for j := range laid.Parts[i].Blocks {
			part.block(&laid.Parts[i].Blocks[j])
		}
		parts = append(parts, part)
	}
	return parts
}

func (p *Part) block(b *pages.Block) {
	switch {
	case b.Table != nil:
		if b.Table.Caption != p.Title {
			p.say("%s:", b.Table.Caption)
		}
		for _, row := range b.Table.Rows {
			p.say("%s", wording.Capital(strings.Join(row, ": ")))
		}
	case b.Quote != nil:
		p.say("The reviewer wrote:")
		fallthrough
	case b.Items != nil:
		for _, line := range append(b.Items[:len(b.Items):len(b.Items)], b.Quote...) {
			p.say("%s", line)
		}
	default:
		p.say("%s", cmp.Or(b.Command, b.Text))
	}
}
