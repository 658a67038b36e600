package records

import (
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/widget"
	"docket/ui/wording"
	"fmt"
)

const (
	handInFrom  = 110
	handInWidth = 10
	handInHead  = "HANDED IN"
)

func handInHeads(width int) string {
	if width >= handInFrom {
		return handInHead + widget.Spaces(handInWidth-len(handInHead)) + " "
	}
	return handInHead[:1] + " "
}

func handInCell(h *records.HandIn, wide bool) line.Line {
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
	if wide {
		return glyph.Plus(word).Pad(handInWidth)
	}
	return glyph
}

// handInWords is the same as a sentence; judged: a rejected record's packet was judged again.
func handInWords(h *records.HandIn, judged bool, key string, now terms.Instant) line.Line {
	switch h.State {
	case records.Kept:
		return line.Of(theme.Dim, "· "+wording.KeptHere)
	case records.Accepted:
		return line.Of(theme.Pass, widget.HandedInMark).And(theme.Dim,
			fmt.Sprintf(" handed in: number %s in the service's log", wording.Thousands(int(h.Receipt.Sequence))))
	case records.Rejected:
		return widget.RejectedWord().And(theme.Plain, ": "+wording.WhyRejected(h.Rejection.Reason)).And(theme.Dim, "; "+whatNext(judged, key))
	}
	out := line.Of(theme.Warn, widget.WaitingMark).And(theme.Plain, " "+wording.NotHandedIn).
		And(theme.Dim, fmt.Sprintf(" to a service; %s", wording.NotHandedInHow))
	if by := wording.HandInBy(h.By, now); by != "" {
		out = out.And(theme.Warn, "; "+by)
	}
	return out
}

func whatNext(judged bool, key string) string {
	if judged {
		return "its packet has been judged again"
	}
	return fmt.Sprintf("%s judges its packet again", key)
}
