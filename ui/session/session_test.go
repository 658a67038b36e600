package session

import (
	"testing"
	"time"
)

func TestTimesAreWrittenAsTheyMatter(t *testing.T) {
	for want, d := range map[string]time.Duration{"0s": 0, "59s": 59 * time.Second, "2m 10s": 130 * time.Second, "1h 5m": 65 * time.Minute} {
		if got := durationText(d); got != want {
			t.Errorf("%s is written %q", d, got)
		}
	}
	even := Session{took: []time.Duration{4 * time.Second, time.Second, 2 * time.Second, 9 * time.Second}}
	if got := even.median(); got != 3*time.Second {
		t.Errorf("the median of four is %s", got)
	}
}
