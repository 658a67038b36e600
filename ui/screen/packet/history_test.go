package packet

import (
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/domain/visible"
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

func TestLongTextsAreCutToWhereTheyDiffer(t *testing.T) {
	common := strings.Repeat("the same words again ", 30)
	before, after := apart(common+"old "+common, common+"new and more "+common)
	for text, word := range map[string]string{before: "old", after: "new and more"} {
		if !strings.Contains(text, word) || len(text) > 140 || !strings.HasPrefix(text, "… ") || !strings.HasSuffix(text, " …") {
			t.Errorf("%q", text)
		}
	}
	for _, pair := range [][2]string{{"", "a"}, {"a", ""}, {"same", "same"}, {strings.Repeat("é", 200), strings.Repeat("é", 199) + "è"}} {
		x, y := apart(pair[0], pair[1])
		if !visible.Clean(x) || !visible.Clean(y) {
			t.Errorf("%q and %q are cut within a character", x, y)
		}
	}
}
