package records

import (
	"docket/domain/records"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
)

const (
	handInFrom  = 110 // columns, from which the answer of the service has one
	handInWidth = 11
)

func handInCell(h *records.HandIn) line.Line {
	glyph, word := line.Of(theme.Warn, widget.WaitingMark), line.Of(theme.Plain, " not yet")
	switch h.State {
	case records.Accepted:
		glyph, word = line.Of(theme.Pass, widget.HandedInMark), line.Of(theme.Dim, fmt.Sprintf(" as %s",
			wording.Thousands(int(h.Receipt.Sequence))))
	case records.Kept:
		glyph, word = line.Of(theme.Dim, "·"), line.Of(theme.Dim, " kept")
	case records.Rejected:
		glyph, word = line.Of(theme.Bad, widget.RejectedMark), line.Of(theme.Bad, " "+wording.Rejected)
	}
	return glyph.Plus(word).Pad(handInWidth)
}
