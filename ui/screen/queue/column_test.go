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
		for _, c := range layout(d, 200-widget.CursorWidth, true) {
			if c.width < c.best {
				t.Errorf("%s: %s is %d wide, and its words are up to %d", area, c.head, c.width, c.best)
			}
			if c.head == "AGREEMENT" {
				t.Error("the column of subject types is headed as if it named agreements")
			}
		}
	}
}
