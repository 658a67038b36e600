package line

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"docket/domain/visible"
	"docket/ui/theme"
)

func TestWidthIsNeverLessThanWhatATerminalTakes(t *testing.T) {
	for text, least := range map[string]int{
		"": 0, "abc": 3, "東京": 4, "e\u0301": 1, "🙂": 2, "👍🏽": 4, "🇩🇪": 2, "한국": 4, "ｱ": 1, "–·…": 3, "नि": 1,
		"می\u200cخواهم": 7, "⚠\ufe0f": 2, "1\ufe0f\u20e3": 2, "👩\u200d👩\u200d👧": 6, "❤\ufe0f\u200d🔥": 4, "क्\u200dष": 2,
	} {
		if got := Width(text); got < least || got < ansi.StringWidth(text) {
			t.Errorf("%q is taken for %d wide", text, got)
		}
	}
}

// anyText draws texts of all kinds, as spans hold them.
func anyText(t *rapid.T, name string) string {
	return visible.String(rapid.OneOf(
		rapid.String(), rapid.StringMatching(`[a-z ]{0,40}`), rapid.StringMatching(`[東京🙂e\x{301} ]{0,20}`),
		rapid.StringMatching(`[AA🏻👍🏻 ]{0,20}`),
		rapid.StringMatching(`[می\x{200c}\x{200d}👩❤\x{fe0f} ]{0,20}`),
	).Draw(t, name))
}

func anyLine(t *rapid.T) Line {
	var l Line
	for range rapid.IntRange(0, 4).Draw(t, "spans") {
		l = l.And(theme.Role(rapid.IntRange(0, 3).Draw(t, "role")), anyText(t, "text"))
	}
	return l
}

func TestFitPadRightAndSelectedKeepToTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, width := anyLine(t), rapid.IntRange(0, 50).Draw(t, "width")
		if got := l.Fit(width).Width(); got > width {
			t.Errorf("Fit(%d) is %d wide", width, got)
		}
		for name, got := range map[string]Line{"Pad": l.Pad(width), "Right": l.Right(width), "Selected": l.Selected(width)} {
			if got.Width() != width {
				t.Errorf("%s(%d) is %d wide: %q", name, width, got.Width(), got.String())
			}
		}
	})
}

func TestALineThatFitsIsNotCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLine(t)
		if got := l.Fit(l.Width()).String(); got != l.String() {
			t.Errorf("%q became %q", l.String(), got)
		}
	})
}

func TestWrapKeepsToTheWidthAndLosesNoWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, width, indent := anyLine(t), rapid.IntRange(4, 60).Draw(t, "width"), rapid.IntRange(0, 20).Draw(t, "indent")
		var words strings.Builder
		for _, piece := range l.Wrap(width, indent) {
			if piece.Width() > width {
				t.Fatalf("a piece of %d columns in %d: %q", piece.Width(), width, piece.String())
			}
			words.WriteString(piece.String())
		}
		without := func(text string) string { return strings.ReplaceAll(text, " ", "") }
		if without(words.String()) != without(l.String()) {
			t.Errorf("%q became %q", l.String(), words.String())
		}
	})
}

func TestWrapBreaksBetweenWordsAndIndents(t *testing.T) {
	l := Of(theme.Plain, "codes: ").And(theme.Bad, "notice_missing").And(theme.Dim, ", ").And(theme.Bad, "scope_missing").And(theme.Dim, ".")
	got := Sheet(l.Wrap(24, 2))
	want := []string{"codes: notice_missing,", "  scope_missing."}
	if len(got) != len(want) {
		t.Fatalf("%d pieces", len(got))
	}
	for i := range want {
		if got[i].String() != want[i] {
			t.Errorf("piece %d is %q, not %q", i, got[i].String(), want[i])
		}
	}
}

func TestLineFeedsOfWhatPeopleWriteAreNewLinesWhereLinesAreWrapped(t *testing.T) {
	l := Of(theme.Dim, "said  ").Plus(Written(theme.Plain, "one two\n\nthree\x1b"))
	var got []string
	for _, piece := range l.Wrap(40, 6) {
		got = append(got, piece.String())
	}
	if want := "said  one two|      |      three\\x1b"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if got := l.Fit(40).String(); got != "said  one two  three\\x1b" || Of(theme.Plain, "a\nb").String() != `a\nb` {
		t.Errorf("%q", got)
	}
}

func TestSpreadKeepsTheRightSide(t *testing.T) {
	got := Spread(Of(theme.Plain, "a long text at the left"), Of(theme.Plain, "right"), 16)
	if got.String() != "a long te… right" {
		t.Errorf("%q", got.String())
	}
	if got := Spread(Of(theme.Plain, "left"), nil, 10).String(); got != "left      " {
		t.Errorf("%q", got)
	}
}

func TestDropKeepsColumnsWhenAWideCharacterIsCutInTwo(t *testing.T) {
	l := Of(theme.Plain, "a東京b")
	for from, want := range []string{"a東京b", "東京b", " 京b", "京b", " b", "b", ""} {
		if got := l.drop(from).String(); got != want {
			t.Errorf("from column %d: %q, not %q", from, got, want)
		}
	}
}

func TestOverKeepsTheTextBesideTheBox(t *testing.T) {
	behind := Sheet{Of(theme.Plain, "0123456789"), Of(theme.Plain, "東京東京東"), Of(theme.Plain, "abc"), nil}
	got := Over(behind, Sheet{Of(theme.Plain, "XX"), Of(theme.Plain, "YY")}, 4, 10, 4)
	for i, want := range []string{"0123456789", "東 XX   東", "abcYY", ""} {
		if text := strings.TrimRight(got[i].String(), " "); text != want {
			t.Errorf("line %d is %q, not %q", i, text, want)
		}
	}
}

func TestBoxesAndColumnsKeepToTheirWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inner, width := Sheet{anyLine(t), anyLine(t)}, rapid.IntRange(8, 60).Draw(t, "width")
		for _, l := range Box(anyText(t, "title"), inner, width) {
			if l.Width() != width {
				t.Fatalf("a box of %d columns has a line of %d: %q", width, l.Width(), l.String())
			}
		}
		for _, l := range Over(Sheet{anyLine(t), anyLine(t), anyLine(t)}, inner, min(width, 12), 60, 3) {
			if l.Fit(60).Width() > 60 {
				t.Fatalf("too wide: %q", l.String())
			}
		}
	})
}

func TestRenderHasExactlyTheLinesOfTheWindow(t *testing.T) {
	var plain theme.Theme
	for _, sheet := range []Sheet{nil, {Of(theme.Plain, "a")}, {nil, nil, nil, nil, nil}} {
		if got := strings.Count(sheet.Render(&plain, 10, 3), "\n"); got != 2 {
			t.Errorf("%d lines", got+1)
		}
	}
}

func TestTextIsCleanBeforeItIsColoured(t *testing.T) {
	colours := theme.New(termenv.TrueColor, theme.Dark)
	got := Sheet{Of(theme.Bad, "\x1b[2J\u202e")}.Render(&colours, 40, 1)
	if ansi.Strip(got) != `\x1b[2J\u202e` {
		t.Errorf("%q", got)
	}
}

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
