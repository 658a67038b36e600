package queue

import (
	"reflect"
	"testing"

	"docket/domain/queue"
	"docket/ui/line"
	"docket/ui/theme"
)

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
