package widget

import (
	"testing"

	"docket/ui/theme"
)

func TestASparklineStandsOnItsHighestCount(t *testing.T) {
	for want, counts := range map[string][]int{
		"············": make([]int, 12),
		"···█":         {0, 0, 0, 7},
		"▁▂▃▄▅▆▇█·":    {1, 2, 3, 4, 5, 6, 7, 8, 0},
		"█·▄":          {1000, 0, 500},
		"▁·█":          {1, 0, 1000},
		"":             nil,
	} {
		if got := Sparkline(counts, theme.Bad, false).String(); got != want {
			t.Errorf("%v is drawn %s, not %s", counts, got, want)
		}
	}
	if got := Sparkline([]int{0, 1, 4, 8}, theme.Bad, true).String(); got != ".148" {
		t.Errorf("in ASCII it is drawn %s", got)
	}
}

func TestABarShowsTheShareAndNeverNothingOfSomething(t *testing.T) {
	for want, row := range map[string][3]int{"██··": {2, 4, 4}, "█···": {1, 1000, 4}, "····": {0, 4, 4}, "████": {9, 4, 4}, "·": {1, 0, 1}} {
		if got := Bar(row[0], row[1], row[2], theme.Bad, false).String(); got != want {
			t.Errorf("%v is drawn %s, not %s", row, got, want)
		}
	}
	if got := Bar(2, 4, 4, theme.Bad, true).String(); got != "##.." {
		t.Errorf("in ASCII it is drawn %s", got)
	}
}
