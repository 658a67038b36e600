package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/frame"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen/decide"

	tea "github.com/charmbracelet/bubbletea"
)

// resize makes the window another size.
func (b *harness) resize(width, height int) {
	b.t.Helper()
	b.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// atReview is a console of that size at the last page of a decision.
func atReview(t *testing.T, width, height int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 80, 24)
	b.press("decide")
	b.resize(width, height)
	b.press("esc", "enter") // and back to it, so that nothing counts as read
	b.clock = b.clock.Add(time.Second)
	return b, workbench
}

// nothingRecorded fails if anything is.
func (b *harness) nothingRecorded(workbench *workbenchtest.Workbench) {
	b.t.Helper()
	if b.at(action.InReview); len(workbench.Choices()) > 0 {
		b.t.Fatalf("it is recorded at %dx%d", b.console.frame.Width, b.console.frame.Height)
	}
}

// reviewSizes are every size from the least one to the small layout, and a grid over the rest.
func reviewSizes() [][2]int {
	list := append(grid(0), [2]int{48, 14}, [2]int{80, 24}, [2]int{120, 40})
	step := 4
	if longTests() {
		step = 1
	}
	for height := frame.LeastHeight; height <= 40; height += step {
		list = append(list, [2]int{frame.LeastWidth, height}, [2]int{24, height}, [2]int{48, height}, [2]int{80, height}, [2]int{120, height})
	}
	return list
}

// pageLines are the lines of the last page, without blanks, as a window of the same width has them that shows all of it.
func (b *harness) pageLines() []string {
	b.t.Helper()
	width, height := b.console.frame.Width, b.console.frame.Height
	b.resize(width, 400)
	defer b.resize(width, height)
	lines := b.leftLines()
	from := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Thiswill") })
	page := lines[max(from, 0):]
	page = page[:max(slices.IndexFunc(page, func(l string) bool { return strings.Contains(l, "───") }), 0)]
	if from < 0 || !strings.Contains(strings.Join(page, ""), workbenchtest.Reviewer().KeyFingerprint[:16]) {
		b.t.Fatalf("at %d columns the page is not whole:\n%s", width, b.frame())
	}
	return page
}

func TestTheWordIsTakenOnlyOnceAllOfThePageHasBeenOnTheScreen(t *testing.T) {
	t.Parallel()
	for _, size := range reviewSizes() {
		b, workbench := atReview(t, size[0], size[1])
		seen := map[string]bool{}
		note := func() {
			for _, l := range b.leftLines() {
				seen[l] = true
			}
		}
		note()
		for b.unshown() != "" {
			b.shows("not sho") // the reason stands beside the field
			b.press("type record", "enter")
			b.nothingRecorded(workbench)
			if b.press("pgdown"); b.unshown() != "" {
				b.shows("not sho")
			}
			note()
		}
		b.clock = b.clock.Add(time.Second)
		unread := false // the parts that are not read, which a window without room for their names counts
		for _, l := range b.pageLines() {
			unread = strings.HasPrefix(l, "notread") || unread && !strings.HasPrefix(l, "provenance")
			if !seen[l] && !unread && l != "" {
				t.Errorf("at %v %q was never on the screen", size, l)
			}
		}
		b.press("hides not sho", "type record", "enter")
		if b.at(action.InReceipt); len(workbench.Choices()) != 1 {
			t.Errorf("at %v: %d records", size, len(workbench.Choices()))
		}
	}
}

func TestTheLastPageIsTheSameTextAtEveryWidth(t *testing.T) {
	b, _ := atReview(t, 80, 24)
	want := ""
	for width := frame.LeastWidth; width <= 200; width++ {
		b.resize(width, 400)
		_, page, _ := strings.Cut(b.left(), "Thiswillbe")
		got, _, _ := strings.Cut(page, "───")
		if want == "" {
			want = got
		}
		if got == "" || got != want {
			t.Errorf("at %d columns it is\n%s\nand not\n%s", width, got, want)
		}
	}
}

// left is the text of the decision, without blanks and without what stands beside it.
func (b *harness) left() string { return strings.Join(b.leftLines(), "") }

// leftLines are the lines of left.
func (b *harness) leftLines() (lines []string) {
	for _, l := range strings.Split(b.frame(), "\n") {
		if _, column, beside := strings.Cut(l, " │ "); beside {
			l, _, _ = strings.Cut(column, " │ ")
		}
		lines = append(lines, strings.Join(strings.Fields(l), ""))
	}
	return lines
}

func TestAResizeThatHidesUnreadLinesSaysSo(t *testing.T) {
	b, workbench := atReview(t, 48, 14)
	b.press("pgdown", "shows not shown yet (PgDn)", "size 120x12", "pgdown", "pgdown", "pgdown",
		"shows not shown yet (PgUp)", "type record", "enter")
	b.nothingRecorded(workbench)
	for range 6 { // pages, and more than there are
		if b.unshown() == "" {
			break
		}
		b.press("shows not shown yet (PgUp)", "pgup")
	}
	b.press("type record", "enter", "at receipt", "records 1")
}

func TestPagesThatNeverWereOnTheTerminalAreNotRead(t *testing.T) {
	b, workbench := atReview(t, 48, 14)
	for range 20 { // faster than frames are sent
		b.send(keyMsg("pgdown"))
	}
	b.shows("not shown yet (PgUp)")
	b.clock = b.clock.Add(time.Second)
	b.press("type record", "enter")
	b.nothingRecorded(workbench)
	b.press("20 pgup", "hides not shown yet", "type record", "enter", "at receipt")
}

func TestLinesUnderADialogAreNotRead(t *testing.T) {
	b, _ := atReview(t, 48, 14)
	b.press("ctrl+c", "shows Leave docket?", "size 80x60")
	b.clock = b.clock.Add(time.Second)
	if !strings.Contains(b.console.obstacle(action.Accept), "not shown yet") {
		t.Error("it counts as read")
	}
	b.press("n")
	if why := b.unshown(); why != "" {
		t.Error(why)
	}
}

func TestAPageWhoseTextHasChangedIsReadAgain(t *testing.T) {
	b, _ := atReview(t, 80, 60)
	d := b.console.stage.Top().(*decide.Screen)
	if why := b.unshown(); why != "" {
		t.Fatal(why)
	}
	b.resize(80, 12)
	d.Added = terms.SetOf(terms.NoticeMissing)
	b.press("size 80x12", "shows not shown yet")
}

func TestAPasteOrTheWholeWordAtOnceDoesNotAnswerTheLastPage(t *testing.T) {
	b, workbench := atReview(t, 80, 40)
	for _, step := range []string{"paste record", "paste rec", "paste record\r", "burst record", "burst xrecord", "burst recordrecord"} {
		b.press(step, "shows ! pasted text does not count; type it", "enter")
		b.shows("! pasted text does not count; type it") // the reason stays
		b.nothingRecorded(workbench)
	}
	b.press("type r", "hides pasted", "backspace", "record", "at receipt")
}

func TestLettersThatArriveTogetherAreLetters(t *testing.T) {
	for _, parts := range [][]string{{"re", "cord"}, {"r", "ecord"}, {"recor", "d"}, {"rec", "x", "backspace", "ord"}} {
		b, workbench := atReview(t, 80, 40)
		for _, part := range parts {
			b.send(keyMsg(part)) // with no time between them
		}
		b.send(keyMsg("enter"))
		if b.at(action.InReceipt); len(workbench.Choices()) != 1 {
			t.Errorf("%q: %d records", parts, len(workbench.Choices()))
		}
	}
}

func TestInAWindowTooSmallForAPageNoKeyActs(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{19, 24}, {80, 7}, {18, 6}, {1, 1}, {0, 0}} {
		b, workbench := atReview(t, 80, 40)
		b.press("read", "type rec")
		b.resize(size[0], size[1])
		b.press("type ord", "enter", "esc", "up", "pgdown", "ctrl+z")
		b.nothingRecorded(workbench)
		b.press("size 80x40", "shows Type record to record it: rec▏", "type ord", "enter", "at receipt")
	}
}

func inAWindowTooSmallNoKeyActs(b *harness, _ int) {
	before, overlay := b.frame(), b.console.stage.Overlay
	for _, size := range [][2]int{{19, 24}, {80, 7}} {
		b.resize(size[0], size[1])
		for _, name := range []string{"enter", "esc", "space", "j", "k", "d", "s", "y", "n", "x", "T", "tab", "up", "down", "pgdown", "ctrl+z"} {
			b.press(name)
		}
		b.paste("record")
	}
	b.resize(80, 24)
	if b.frame() != before || b.console.stage.Overlay != overlay || b.suspends > 0 || b.quit {
		b.t.Errorf("it was\n%s\nand is\n%s", before, b.frame())
	}
}

func TestWaysThroughTheLastPageAndSmallWindows(t *testing.T) {
	walks(t, []walk{
		{"a window too small leaves the queue by q", nil, 80, 24, way{"size 30x5", "shows ^C leaves", "q", "quits"}},
		{"a window too small leaves the queue by ^C", nil, 80, 24, way{"size 30x5", "ctrl+c", "quits"}},
		{"q is text in a filter too small to show", nil, 80, 24, way{"/", "size 30x5", "q", "stays", "ctrl+c", "quits"}},
		{"q is of a dialog too small to show", nil, 80, 24, way{"?", "size 30x5", "shows ^C leaves", "q", "stays"}},
		{"^C leaves a dialog too small to show", nil, 80, 24, way{"?", "size 30x5", "ctrl+c", "quits"}},
		{"^C leaves a decision too small to show", nil, 80, 24, way{"decide", "size 30x5", "shows ^C leaves", "ctrl+c", "quits"}},
		{"a resize that hides nothing keeps the lines read", nil, 80, 24, way{
			"decide", "read", "size 120x40", "size 48x14", "size 18x6", "size 200x60", "size 80x24",
			"hides not shown yet", "type rec", "size 100x30", "type ord", "enter", "at receipt", "records 1"}},
		{"letters typed before all was shown are told what was not", nil, 48, 14, way{
			"decide", "shows not shown yet (PgDn)", "hides not taken", "type r", "shows (PgDn); not taken", "hides record it: r▏",
			"pgdown", "read", "hides not taken", "type record", "shows record it: record▏"}},
		{"the review of a decision without text fits 80x24 with its question", nil, 80, 24, way{
			"decide", "hides not shown yet", "shows It cannot", "shows not read        ! ", "type record", "enter", "at receipt", "records 1"}},
		{"the review of a departure with a statement fits 80x24 with its question", nil, 80, 24, way{
			"open AC-2041", "d", "choose request evidence", "at statement", "type " + strings.Repeat("the second receipt is missing; ", 3), "enter", "at review",
			"hides not shown yet", "shows departs         ! docket advises correct record", "shows the second receipt",
			"shows It cannot", "shows not read        ! ", "shows signed by", "type record", "enter", "at receipt", "records 1"}},
		{"the review names the texts that were not read above all", nil, 80, 11, way{
			"open AC-2041", "d", "choose correct record", "review", "shows not read        ! What is said, ",
			"tab", "g", "20 pgdown", "tab", "at review", "hides ! What is said", "pgdown", "3 down", "size 80x60",
			"hides ! What is said"}},
		{"texts that were unfolded and folded again are not read", nil, 80, 50, way{"open AC-2041", "Z",
			"Z", "R", "d", "choose correct record", "review", "shows not read        ! What is said, "}},
	})
}
