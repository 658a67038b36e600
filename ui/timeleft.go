package ui

import (
	"fmt"
	"time"

	"docket/domain"
	"docket/ui/line"
	"docket/ui/theme"
)

// soon is when the time left starts to need attention.
const soon = 48 * time.Hour

// timeLeft says how long until a deadline: with a glyph and words, so that the colour only repeats it.
func timeLeft(deadline, now domain.Instant) line.Line {
	if !deadline.Present() {
		return line.Of(theme.Dim, "– no deadline")
	}
	left := deadline.Sub(now)
	switch {
	case left < 0:
		return line.Of(theme.Bad, "▲ overdue "+span(-left, 24*time.Hour))
	case left < soon:
		return line.Of(theme.Warn, "△ "+span(left, 48*time.Hour)+" left")
	}
	return line.Of(theme.Plain, "○ "+span(left, 0)+" left")
}

// span writes a duration as finely as it matters: 12d, 3h, 25m, and below fine days with their hours: 1d 4h.
func span(d, fine time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0 && (d >= fine || hours == 0):
		return fmt.Sprintf("%dd", days)
	case days > 0:
		return fmt.Sprintf("%dd %dh", days, hours)
	case hours > 0:
		return fmt.Sprintf("%dh", hours)
	case minutes > 0:
		return fmt.Sprintf("%dm", minutes)
	}
	return "<1m"
}
