package domain

import "time"

// TrendWeeks is how many weeks a Trend goes back, the present one among them.
const TrendWeeks = 12

// A Trend counts the decisions that were recorded in an area, week by week, and in how many of them the rules found each
// blocker. Weeks are those of ISO 8601: from Monday, in UTC. Superseded records count: they were decisions, too.
type Trend struct {
	Area    Area
	Monday  Instant // with which the last week began
	Decided [TrendWeeks]int
	found   [TrendWeeks]map[Blocker]int
}

// NewTrend counts nothing yet. Its last week is the one that now is in.
func NewTrend(area Area, now Instant) Trend {
	at := now.Time()
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	return Trend{Area: area, Monday: InstantOf(day.AddDate(0, 0, -(int(day.Weekday())+6)%7))}
}

// Since is when the first week began; nothing before it counts.
func (t *Trend) Since() Instant { return InstantOf(t.Monday.Time().AddDate(0, 0, -7*(TrendWeeks-1))) }

// Add counts a decision that was recorded at a time. One of another time than the trend's weeks is left out.
func (t *Trend) Add(recordedAt Instant, found []Blocker) {
	if !recordedAt.Present() {
		return
	}
	before := t.Monday.Time().AddDate(0, 0, 7).Sub(recordedAt.Time())
	week := TrendWeeks - 1 - int((before-1)/(7*24*time.Hour))
	if before <= 0 || week < 0 {
		return
	}
	t.Decided[week]++
	if t.found[week] == nil {
		t.found[week] = map[Blocker]int{}
	}
	for _, code := range found {
		t.found[week][code]++
	}
}

// Of is in how many decisions of each week the rules found the blocker, oldest week first.
func (t *Trend) Of(code Blocker) (weeks [TrendWeeks]int) {
	for i := range weeks {
		weeks[i] = t.found[i][code]
	}
	return weeks
}
