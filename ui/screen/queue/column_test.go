package queue

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/widget"
)

func TestWordsAreWholeIfThereIsRoomForThem(t *testing.T) {
	for _, area := range terms.Areas.All() {
		d := newAreaQueue(area)
		d.idWidth = 20
		for _, c := range layout(d, 200-widget.CursorWidth) {
			if c.width < c.best {
				t.Errorf("%s: %s is %d wide, and its words are up to %d", area, c.head, c.width, c.best)
			}
			if c.head == "AGREEMENT" {
				t.Error("the column of subject types is headed as if it named agreements")
			}
		}
	}
}

func TestAWiderWindowShowsAtLeastTheColumnsOfANarrowerOne(t *testing.T) {
	for _, area := range terms.Areas.All() {
		d := newAreaQueue(area)
		d.idWidth = 11
		before := 0
		for width := 80; width <= 300; width++ {
			list, _, _ := shares(width)
			count := len(layout(d, list-widget.CursorWidth))
			if least := min(before, len(layout(d, 100-widget.CursorWidth))); width <= 110 && count < before || count < least {
				t.Errorf("%s: %d columns at %d, %d before", area, count, width, before)
			}
			before = count
		}
	}
}
