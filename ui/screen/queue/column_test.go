package queue

import (
	"reflect"
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/line"
	"docket/ui/theme"
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

func TestOnlyCellsThatAFilterLooksInAreMarked(t *testing.T) {
	cell := line.Of(theme.Plain, "wrong scope evidence 17")
	for _, test := range []struct {
		filter string
		holds  content
		want   line.Line
	}{
		{"id:17", ids, cell.Marked("17", theme.Accent)},
		{"id:17", codes, cell},
		{"17", ids, cell.Marked("17", theme.Accent)},
		{"17", noWords, cell},
		{"wrong_scope", codes, cell.Marked("wrong scope", theme.Accent)},
		{"text:scope", codes, cell.MarkedWords("scope", theme.Accent)},
		{"text:cope", codes, cell},
		{"text:scope", ids, cell},
		{"-text:scope", codes, cell},
		{`text:"scope evidence" id:9`, codes, cell.MarkedWords("scope evidence", theme.Accent)},
	} {
		filter, err := queue.ParseFilter(test.filter)
		if err != nil {
			t.Fatal(err)
		}
		got := cell
		for _, mark := range filter.Marks() {
			got = test.holds.marked(got, mark)
		}
		if !reflect.DeepEqual(got.Fit(100), test.want.Fit(100)) || got.String() != cell.String() {
			t.Errorf("%s in %d: %v, want %v", test.filter, test.holds, got, test.want)
		}
	}
}
