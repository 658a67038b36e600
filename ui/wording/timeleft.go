package wording

import (
	"fmt"
	"time"

	"docket/domain"
)

// Soon is when the time left starts to need attention.
const Soon = 48 * time.Hour

// TimeLeft says how long until a deadline, in the short form of lists; "" where there is none.
func TimeLeft(deadline, now domain.Instant) string {
	if !deadline.Present() {
		return ""
	}
	if left := deadline.Sub(now); left >= 0 {
		return Span(left, Soon) + " left"
	}
	return "overdue " + Span(now.Sub(deadline), 24*time.Hour)
}

// Span writes a duration as finely as it matters: 12d, 3h, 25m, and below fine days with their hours: 1d 4h.
func Span(d, fine time.Duration) string {
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
