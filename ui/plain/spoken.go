package plain

import (
	"fmt"
	"strings"
	"time"

	"docket/domain"
	"docket/ui/wording"
)

// dueText says how much time is left for a row, or why that does not matter.
func dueText(row *domain.QueueRow, now domain.Instant) string {
	switch {
	case row.Closed():
		return "closed"
	case row.AwaitsRecord():
		return domain.RelianceWaits
	}
	return timeLeft(row.Due(), now)
}

// timeLeft says how long until a deadline.
func timeLeft(deadline, now domain.Instant) string {
	if !deadline.Present() {
		return "no deadline"
	}
	left := deadline.Sub(now)
	if left < 0 {
		return "overdue by " + span(-left)
	}
	return span(left) + " left"
}

// fine is until when the hours matter beside the days.
const fine = 48 * time.Hour

// span says a duration as finely as it matters.
func span(d time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	switch {
	case days > 0 && (d >= fine || hours == 0):
		return wording.Plural(days, "day", "days")
	case days > 0:
		return wording.Plural(days, "day", "days") + " " + wording.Plural(hours, "hour", "hours")
	case hours > 0:
		return wording.Plural(hours, "hour", "hours")
	case minutes > 0:
		return wording.Plural(minutes, "minute", "minutes")
	}
	return "less than a minute"
}

// orNone says something where there is nothing.
func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// listed says words one after another, or that there are none.
func listed[W fmt.Stringer](words []W) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.String()
	}
	return orNone(strings.Join(texts, ", "))
}

// sentence ends a text with a full stop, unless it has an end.
func sentence(text string) string {
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") {
		return text
	}
	return text + "."
}
