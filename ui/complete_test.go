package ui

import (
	"regexp"
	"strings"
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
)

// filtering is a console whose filter is being typed.
func filtering(t *testing.T, text string) *harness {
	t.Helper()
	b, _ := sample(t, 120, 40)
	b.press("/", "type "+text)
	return b
}

// typed fails unless the filter bar holds the text.
func (b *harness) typed(want string) {
	b.t.Helper()
	b.at(action.InFilter)
	if got := b.filter(); got != want {
		b.t.Fatalf("the filter is %q, not %q", got, want)
	}
}

// filter is what the filter bar holds.
func (b *harness) filter() string {
	b.t.Helper()
	for _, l := range strings.Split(b.frame(), "\n") {
		if typed, is := strings.CutPrefix(l, "/ "); is {
			before, after, _ := strings.Cut(typed, "▏")
			if before == "" && strings.HasPrefix(after, "words, or ") {
				return "" // the hint
			}
			return strings.TrimSpace(rowsShown.ReplaceAllString(before+after, ""))
		}
	}
	b.t.Fatalf("there is no filter bar:\n%s", b.frame())
	return ""
}

// rowsShown is how many rows a filter lets through, at the end of its bar.
var rowsShown = regexp.MustCompile(` ([0-9,]+) of [0-9,]+ *$`)

func TestTabCompletesAKeyAndThenItsValues(t *testing.T) {
	b := filtering(t, "ga")
	b.press("tab")
	b.typed("gate:")
	b.press("tab")
	b.typed("gate:pass")
	b.shows("❯pass", "AC-2041")
	b.hides("AC-2042")
	b.press("tab")
	b.typed("gate:blocked")
	b.shows("AC-2042")
	b.press("tab")
	b.typed("gate:pass")
	b.press("shift+tab", "shift+tab")
	b.typed("gate:pass")
}

func TestAKeyWithoutItsValueIsNoMistakeYetButCannotBeKept(t *testing.T) {
	b := filtering(t, "gate:")
	b.hides("gate: takes pass or blocked")
	b.shows("14 of 14")
	b.press("enter")
	b.at(action.InFilter)
	b.shows("gate: takes pass or blocked")
	b.press("type x")
	b.shows("✗ gate: takes pass or blocked")
}

func TestTypingEndsACompletionAndTheNextTabBeginsAnother(t *testing.T) {
	b := filtering(t, "s")
	b.press("tab")
	b.typed("status:")
	b.press("type clo", "tab")
	b.typed("status:closed_unresolved")
}

func TestTheWordAtTheCursorIsCompletedAndTheRestStays(t *testing.T) {
	b := filtering(t, "AC-20 -ga is:mine")
	for range " is:mine" {
		b.press("left")
	}
	b.press("tab", "tab")
	b.typed("AC-20 -gate:pass is:mine")
}

func TestAWordThatCannotBeCompletedStaysWithANotice(t *testing.T) {
	b := filtering(t, "AC-20")
	b.press("tab")
	b.typed("AC-20")
	b.shows("no completion for this word")
}

func TestUpGoesUpTheListWhereDownWentDownBefore(t *testing.T) {
	b := filtering(t, "gate:pass")
	b.press("enter", "/", "ctrl+u")
	before := b.cursor()
	b.press("down", "down", "up", "up")
	b.typed("")
	if b.cursor() != before {
		t.Errorf("the cursor is at %q", b.cursor())
	}
}

func TestTheCompletionInTheEditorShowsInEveryWindow(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		b, _ := sample(t, width, 24)
		b.press("/", "type blocker:")
		for _, text := range queue.CompleteFilter("blocker:") {
			b.press("tab")
			_, value, _ := strings.Cut(text, ":")
			b.shows("❯" + value[:min(len(value), width-6)])
			b.fits("completing")
		}
	}
}

func TestASavedFilterIsChosenByItsName(t *testing.T) {
	workbench := workbenchtest.Sample()
	b := newHarness(t, workbench, 120, 40)
	b.press("f")
	b.shows("no saved filters; they are lines below [filters] in the config file")
	b.queue().Saved = savedSample
	b.press("f")
	b.shows("Saved filters", "mine, open", "due:<48h gate:pass")
	b.press("j", "enter")
	b.at(action.InQueue)
	b.shows("/ due:<48h gate:pass", "AC-2041")
	b.hides("AC-2042")
	b.press("/", "ctrl+o", "enter")
	b.at(action.InQueue)
	b.shows("/ is:mine -is:decided -is:skipped")
}

func TestTheQueueStartsWithTheAreaAndOrderOfTheSettings(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(), 80, 24, Options{Area: terms.Amendments, Order: queue.ByID})
	b.shows("▐Amendments", "AM-310")
	b.press("tab")
	if got := b.cursor(); !strings.Contains(got, "AC-2041") {
		t.Errorf("by id the first is not %q", got)
	}
}

func TestCompletionOffersSavedFiltersByTheirNames(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.queue().Saved = []SavedFilter{{Name: "mine", Text: "is:mine"}, {Name: "soon and ready", Text: "due:<48h gate:pass"}}
	b.press("/", "type AC so")
	b.shows("soon and ready (saved)")
	b.press("tab")
	b.typed("AC due:<48h gate:pass")
	b.press("ctrl+u", "type m", "tab")
	b.typed("is:mine")
	b.press("ctrl+u", "type s", "tab", "tab", "tab")
	b.typed("due:<48h gate:pass")
	b.shows("❯soon and ready (saved)")
	b.press("tab")
	b.typed("status:")
	b.press("shift+tab")
	b.typed("due:<48h gate:pass")
	b.press("enter")
	b.at(action.InQueue)
}

func TestASavedFilterIsNotOfferedForANegatedTerm(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.queue().Saved = []SavedFilter{{Name: "mine", Text: "is:mine"}}
	b.press("/", "type -mi", "tab")
	b.typed("-mi")
	b.shows("no completion for this word")
}

func TestAFilterThatCannotBeOfferedIsRefused(t *testing.T) {
	for name, filter := range map[string]SavedFilter{
		"no name": {Text: "AC"}, "a name of blanks": {Name: "  ", Text: "AC"}, "blanks around it": {Name: " a", Text: "AC"},
		"a hidden character": {Name: "a\u200bb", Text: "AC"}, "an escape in the filter": {Name: "a", Text: "\x1b[0m"},
		"no filter": {Name: "a", Text: "due:soon"}, "a long name": {Name: strings.Repeat("a", 61), Text: "AC"},
	} {
		if filter.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
