package session

import (
	"slices"
	"testing"
	"time"

	"docket/domain/terms"
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

func TestTheBarCountsDoneCasesAndTheTimeOnTheCaseInView(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	later := func(d time.Duration) time.Time { at = at.Add(d); return at }
	one, two := Case{ID: "AC-1"}, Case{ID: "AC-2"}
	var s Session
	says := func(load Load, want ...string) {
		t.Helper()
		if got := s.Bar(at, load); !slices.Equal(got, want) {
			t.Errorf("%q, not %q", got, want)
		}
	}
	says(Load{}, "0 cases done")
	says(Load{Known: true, Open: 1204, Today: 2}, "0 cases done", "1,204 open", "2 due today")
	s.On(one, at)
	says(Load{}, "0 cases done", "<1m on this case")
	s.On(one, later(4*time.Minute))
	says(Load{}, "0 cases done", "4m on this case")
	s.On(two, later(time.Minute))
	says(Load{}, "0 cases done", "<1m on this case")
	s.On(Case{}, later(2*time.Minute))
	says(Load{}, "0 cases done")
	s.On(one, later(time.Hour)) // the hour in the queue does not count
	later(2 * time.Minute)
	says(Load{}, "0 cases done", "7m on this case")
	s.Decided(Decision{}, terms.InstantOf(at))
	later(-time.Hour) // a clock that is set back
	says(Load{}, "1 case done", "5m on this case")
}
