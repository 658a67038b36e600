package ui

import (
	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
	"docket/ui/wording"
)

// timeLeft says how long until a deadline: with a glyph and words, so that the colour only repeats it.
func timeLeft(deadline, now domain.Instant) line.Line {
	text := wording.TimeLeft(deadline, now)
	switch {
	case text == "":
		return line.Of(theme.Dim, "– no deadline")
	case deadline.Before(now):
		return line.Of(theme.Bad, "▲ "+text)
	case deadline.Sub(now) < wording.Soon:
		return line.Of(theme.Warn, "△ "+text)
	}
	return line.Of(theme.Plain, "○ "+text)
}
