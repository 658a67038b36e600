package queue_test

import (
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/terms"
)

func TestWeeklyCountsBeginOnMonday(t *testing.T) {
	wednesday := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name string
		at   time.Time
		week int // -1: left out
	}{
		{"now", wednesday, 11},
		{"the first moment of the week", monday, 11},
		{"the last moment before it", monday.Add(-1), 10},
		{"a week before", monday.AddDate(0, 0, -7), 10},
		{"the first moment that counts", monday.AddDate(0, 0, -77), 0},
		{"the last one that does not", monday.AddDate(0, 0, -77).Add(-1), -1},
		{"the end of this week", monday.AddDate(0, 0, 7).Add(-1), 11},
		{"the next week", monday.AddDate(0, 0, 7), -1},
	} {
		trend := queue.NewWeeklyCounts(terms.Appeals, terms.InstantOf(wednesday))
		trend.Add(terms.InstantOf(test.at), []terms.Blocker{terms.NoticeMissing})
		trend.Add(terms.InstantOf(test.at), nil)
		for week, decided := range trend.Decided {
			want, found := 0, trend.Of(terms.NoticeMissing)[week]
			if week == test.week {
				want = 1
			}
			if decided != 2*want || found != want {
				t.Errorf("%s: week %d has %d decisions and %d with the code", test.name, week, decided, found)
			}
		}
	}
}

func TestEveryDayOfAWeekHasTheSameMonday(t *testing.T) {
	for day := range 7 {
		trend := queue.NewWeeklyCounts(terms.Appeals, terms.InstantOf(time.Date(2026, 3, 2+day, 23, 59, 0, 0, time.UTC)))
		if got := trend.Monday.String(); got != "2026-03-02T00:00:00Z" {
			t.Errorf("day %d: %s", day, got)
		}
		if got := trend.Since().String(); got != "2025-12-15T00:00:00Z" {
			t.Errorf("since %s", got)
		}
	}
}

func TestARecordWithoutATimeIsInNoWeek(t *testing.T) {
	trend := queue.NewWeeklyCounts(terms.Appeals, terms.InstantOf(time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)))
	trend.Add(terms.Instant{}, nil)
	if trend.Decided != [queue.Weeks]int{} {
		t.Errorf("%v", trend.Decided)
	}
}
