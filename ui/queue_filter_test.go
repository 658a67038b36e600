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

// searching is a console with the sample whose commands wait, and a filter by words of the texts is typed.
func searching(t *testing.T) *harness {
	t.Helper()
	b, _ := sample(t, 120, 40)
	b.press("hold", "/", "type text:wells")
	return b
}

func TestAKeyThatIsMeantForARowWaitsForTheRowsOfTheFilter(t *testing.T) {
	for name, keys := range map[string][]string{"Enter opens it": {"enter", "enter"}, "after a move": {"down", "up", "enter", "enter"}} {
		t.Run(name, func(t *testing.T) {
			b := searching(t)
			b.press(keys...)
			b.hold = false
			b.press("release", "at packet", "shows case AC-2043 revision 1")
		})
	}
}

func TestControlCDoesNotWait(t *testing.T) {
	b := searching(t)
	b.press("enter", "j", "ctrl+c")
	if !b.console.stage.Closing {
		t.Error("it waits")
	}
}

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

func TestWaysOfFiltering(t *testing.T) {
	walks(t, []walk{
		{"a bare word that is a value is offered as that filter", nil, 80, 24, way{"/", "type mine", "shows is:mine", "tab", "filter is:mine", "type x", "ctrl+_", "filter is:mine"}},
		{"Tab completes a key and then its values", nil, 120, 40, way{
			"/", "type ga", "tab", "filter gate:", "tab", "filter gate:pass", "shows ❯pass",
			"shows AC-2041", "hides AC-2042", "tab", "filter gate:blocked", "shows AC-2042",
			"tab", "filter gate:pass", "shift+tab", "shift+tab", "filter gate:pass"}},
		{"a key without its value is no mistake yet but cannot be kept", nil, 120, 40, way{"/",
			"type gate:", "hides gate: takes pass or blocked", "shows 14 of 14", "enter", "at filter",
			"shows gate: takes pass or blocked", "type x", "shows ✗ gate: takes pass or blocked"}},
		{"typing ends a completion and the next Tab begins another", nil, 120, 40, way{"/", "type s",
			"tab", "filter status:", "type clo", "tab", "filter status:closed_unresolved"}},
		{"a word that cannot be completed stays with a notice", nil, 120, 40, way{
			"/", "type AC-20", "tab", "filter AC-20", "shows no completion for this word"}},
		{"the queue starts with the area and order of the settings", over(workbenchtest.Sample, Options{Area: terms.Amendments, Order: queue.ByID}), 80, 24, way{
			"shows ▐Amendments", "shows AM-310", "tab", "on AC-2041"}},
		{"a saved filter is chosen by its name", nil, 120, 40, way{"f",
			"shows no saved filters; they are lines below [filters] in the config file",
			func(b *harness) { b.queue().Saved = savedSample }, "f", "shows Saved filters",
			"shows mine, open", "shows due:<48h gate:pass · 2 cases", "type soon", "hides mine, open", "enter",
			"at queue", "shows / due:<48h gate:pass", "shows AC-2041", "hides AC-2042", "/", "ctrl+o",
			"enter", "at queue", "shows / is:mine -is:decided -is:skipped"}},
		{"completion offers saved filters by their names", nil, 120, 40, way{
			func(b *harness) {
				b.queue().Saved = []SavedFilter{{Name: "mine", Text: "is:mine"}, {Name: "soon and ready", Text: "due:<48h gate:pass"}}
			},
			"/", "type AC so", "shows soon and ready (saved)", "tab", "filter AC due:<48h gate:pass",
			"ctrl+u", "type m", "tab", "filter is:mine", "ctrl+u", "type s", "tab", "tab", "tab",
			"filter due:<48h gate:pass", "shows ❯soon and ready (saved)", "tab", "filter status:",
			"shift+tab", "filter due:<48h gate:pass", "enter", "at queue"}},
		{"a saved filter is not offered for a negated term", nil, 120, 40, way{
			func(b *harness) { b.queue().Saved = []SavedFilter{{Name: "mine", Text: "is:mine"}} },
			"/", "type -mi", "tab", "filter -mi", "shows no completion for this word"}},
		{"the two queues are filtered apart", nil, 120, 40, way{"o", "tab", "/", "type AM-311", "shows AM-311",
			"esc", "tab", "shows AC-2041", "shows AC-2044", "hides / AM"}},
		{"a queue is filtered before the next frame", nil, 109, 15, way{ // no preview is read
			"hold", "/", "type gate:pass", "shows / gate:pass", "shows AC-2041", "shows 6 of 14",
			"hides AC-2044", "down", "enter", "j", "shows 6 of 14",
			func(b *harness) { same(b.t, "commands needed", len(b.held), 0) }}},
		{"the word at the cursor is completed and the rest stays", nil, 120, 40, way{
			"/", "type AC-20 -ga is:mine", "8 left", "tab", "tab", "filter AC-20 -gate:pass is:mine"}},
	})
}

func TestUpGoesUpTheListWhereDownWentDownBefore(t *testing.T) {
	b := filtering(t, "gate:pass")
	b.press("enter", "/", "ctrl+u")
	before := b.cursor()
	b.press("down", "down", "up", "up", "filter ")
	same(t, "the cursor", b.cursor(), before)
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

func TestAFilterForWordsShowsTheirCasesAndThePacketGoesFromMatchToMatch(t *testing.T) {
	b := filtering(t, `text:"half of the wel`)
	b.press("shows 1 of 14", `type ls" AC-`, "shows 1 of 14", "enter", "at queue")
	id := b.caseHere()
	b.press("enter", "at packet")
	if got := b.console.stage.Top(); got == nil || !strings.Contains(b.whole(), id) {
		t.Fatalf("%s is not open", id)
	}
	b.press("n", "shows 1 of 1 match", "on half of the wells", "esc")
	b.press("open AC-2041") // not through the filter
	b.press("n", "shows no search yet")
}
