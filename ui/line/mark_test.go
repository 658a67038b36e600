package line

import (
	"strings"
	"testing"

	"docket/ui/theme"

	"pgregory.net/rapid"
)

// marked are the texts of a line that stand in a role.
func marked(l Line, role theme.Role) (found []string) {
	for i := range l {
		if l[i].role == role {
			found = append(found, l[i].text)
		}
	}
	return found
}

func TestAMarkGoesOverSpansAndCases(t *testing.T) {
	l := Of(theme.Plain, "Two re").And(theme.Dim, "ceipts, two RECEIPTS")
	if got := strings.Join(marked(l.Marked("receipts", theme.Accent), theme.Accent), "|"); got != "re|ceipts|RECEIPTS" {
		t.Errorf("marked %q", got)
	}
}

func TestAMarkFindsLettersWhoseCasesDifferInBytes(t *testing.T) {
	l := Of(theme.Plain, "Ⱥ2 ").And(theme.Dim, "ⱥ2İ")
	if got := strings.Join(marked(l.Marked("ⱥ2", theme.Accent), theme.Accent), "|"); got != "Ⱥ2|ⱥ2" {
		t.Errorf("marked %q", got)
	}
}

func TestAMarkFindsWhatASearchFinds(t *testing.T) {
	for sought, text := range map[string]string{"zürich": "zu\u0308rich", "Zu\u0308rich": "Zürich", "office": "oﬃce", "docket": "ｄｏｃｋｅｔ", "strasse": "STRAßE"} {
		if got := strings.Join(marked(Of(theme.Plain, "in "+text+" now").MarkedWords(sought, theme.Accent), theme.Accent), "|"); got != Of(theme.Plain, text).String() {
			t.Errorf("%q marks %q", sought, got)
		}
	}
}

func TestAMarkChangesNeitherTextNorWidth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := Of(theme.Plain, rapid.String().Draw(rt, "first")).And(theme.Dim, rapid.StringOf(rapid.SampledFrom([]rune("abİȺ東é "))).Draw(rt, "second"))
		got := l.Marked(rapid.StringOf(rapid.SampledFrom([]rune("abiⱥ東é"))).Draw(rt, "text"), theme.Accent)
		if got.String() != l.String() || got.Width() != l.Width() {
			rt.Fatalf("%q of width %d became %q of width %d", l, l.Width(), got, got.Width())
		}
	})
}

func TestAMarkOfWordsBeginsWhereAWordDoes(t *testing.T) {
	l := Of(theme.Plain, "toward a ward, WARDen ").And(theme.Dim, "2ward (ward) 高松ward")
	if got := strings.Join(marked(l.MarkedWords("ward", theme.Accent), theme.Accent), "|"); got != "ward|WARD|ward|ward" {
		t.Errorf("marked %q", got)
	}
	if got := strings.Join(marked(Of(theme.Plain, "北高松").MarkedWords("松", theme.Accent), theme.Accent), "|"); got != "松" {
		t.Errorf("marked %q", got)
	}
}
