package packet

import (
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
)

func TestTheEventsOfATimelineStandInOneColumn(t *testing.T) {
	now := terms.InstantOf(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	column := -1
	for _, apart := range []time.Duration{0, 5 * time.Minute, 47 * time.Hour, 400 * 24 * time.Hour, -time.Minute, -30 * time.Hour, -47*time.Hour - 59*time.Minute, -126 * 24 * time.Hour} {
		text := eventLines(&queue.Event{At: terms.InstantOf(now.Time().Add(apart)), What: "filed"}, now, 90)[0].String()
		at := len([]rune(text[:strings.Index(text, "filed")]))
		if column < 0 {
			column = at
		}
		if at != column {
			t.Errorf("%s: %q: in column %d, not %d", apart, text, at, column)
		}
	}
}
