package queue

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/widget"
)

func TestWordsAreWholeIfThereIsRoomForThem(t *testing.T) {
	for _, area := range terms.Areas.All() {
		for _, c := range layout(area, 200-widget.CursorWidth, 20, true) {
			if c.width < c.best {
				t.Errorf("%s: %s is %d wide, and its words are up to %d", area, c.head, c.width, c.best)
			}
			if c.head == "AGREEMENT" {
				t.Error("the column of subject types is headed as if it named agreements")
			}
		}
	}
}
