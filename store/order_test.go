package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
)

// A console's clock that was set back records nothing until it is right; one that was overtaken by another console does.
func TestARecordMayBeAtMostFiveMinutesBeforeTheNewestOfItsLog(t *testing.T) {
	t.Parallel()
	for back, taken := range map[time.Duration]bool{0: true, 5 * time.Minute: true, 5*time.Minute + time.Millisecond: false, time.Hour: false} {
		now := noon
		d := fixtureAt(t, openWith(t, Options{Path: filepath.Join(t.TempDir(), "docket.db"), Now: func() time.Time { return now }}))
		d.take(d.mill.appealPolicy(1), d.mill.appealCase(passing("case-1", 1)))
		now = noon.Add(2 * time.Hour)
		d.clock = now
		first := d.record("case-1", decision{outcome: terms.UpholdDecision})
		now = now.Add(-back)
		d.clock = now
		caseFile := d.caseFile(terms.AppealCases, "case-1")
		_, err := d.store.Append(t.Context(), d.decide(&caseFile.View, decision{outcome: terms.UpholdDecision, supersedes: first.RecordID}))
		if taken != (err == nil) || !taken && !strings.Contains(err.Error(), "clock") {
			t.Errorf("%s before: %v", back, err)
		}
	}
}
