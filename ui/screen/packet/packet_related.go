package packet

import (
	"strings"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"
)

// relatedPart lists what else is about the same, as it stands now; Enter opens one.
func (p *Screen) relatedPart(s *screen.Scene) part {
	d := p.Dossier
	by := domain.RelatedBy(d.View.Record())
	noun, about, title := "case", "subject ", "Related cases"
	if d.View.Area() == domain.Amendments {
		noun, about, title = "amendment", "agreement ", "Related amendments"
	}
	count := wording.Plural(len(d.Related), "other "+noun, "other "+noun+"s")
	if d.Unlisted {
		count = "more than " + count
	}
	one := part{foldable: foldable{key: "related"}, title: title, count: count}
	one.build = func(width int) []block {
		if len(d.Related) == 0 {
			text := line.Of(theme.Dim, "No other "+noun+" on the "+about+wording.OrDash(string(by))+" is held here.")
			if !by.Present() {
				text = line.Of(theme.Dim, "The packet names no "+strings.TrimSpace(about)+", so nothing can be related to it.")
			}
			return []block{{lines: text.Wrap(width, 0)}}
		}
		var blocks []block
		for i := range d.Related {
			blocks = append(blocks, relatedBlock(&d.Related[i], s, width))
		}
		if d.Unlisted {
			text := line.Of(theme.Dim, "… and more, which are not listed here")
			blocks = append(blocks, block{lines: text.Wrap(width, 0)})
		}
		return blocks
	}
	return one
}

func relatedBlock(row *domain.QueueRow, s *screen.Scene, width int) block {
	out := widget.GateMark(row.Gate).And(theme.Strong, " "+string(row.ID)).And(theme.Dim, " r"+wording.Thousands(int(row.Revision)))
	if row.Unreadable != "" {
		out = out.And(theme.Warn, "  cannot be read: ").And(theme.Plain, row.Unreadable)
		return block{lines: out.Wrap(width, 2), why: "this packet cannot be read: " + row.Unreadable}
	}
	out = out.And(theme.Plain, "  "+wording.OrDash(row.Trigger.Label())).And(theme.Dim, "  "+wording.OrDash(row.Status.Label()))
	switch done, is := widget.DoneCell(row); {
	case is:
		out = out.And(theme.Plain, "  ").Plus(done)
	case row.Due().Present():
		out = out.And(theme.Plain, "  ").Plus(widget.TimeLeft(row.Due(), s.Now))
	}
	if codes := row.Blockers.List(); len(codes) > 0 {
		out = out.And(theme.Dim, "  "+codes[0].String())
		if len(codes) > 1 {
			out = out.And(theme.Bad, " +"+wording.Thousands(len(codes)-1))
		}
	}
	return block{lines: out.Wrap(width, 2), open: screen.OpenRow(row), topics: topic.OfRow(row)}
}
