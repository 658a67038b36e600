package widget

import (
	"testing"

	"docket/ui/theme"
)

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
