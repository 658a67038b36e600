package ui

import (
	"fmt"
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
	if from < 0 || !strings.Contains(strings.Join(page, ""), workbenchtest.New().Who.KeyFingerprint) {
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
		for _, l := range b.pageLines() {
			if !seen[l] {
				t.Errorf("at %v %q was never on the screen", size, l)
			}
		}
		b.hides("not sho")
		b.press("type record", "enter")
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

func TestAResizeThatHidesNothingKeepsTheLinesRead(t *testing.T) {
	b, workbench := atReview(t, 80, 24)
	b.press("read")
	for _, size := range [][2]int{{120, 40}, {48, 14}, {18, 6}, {200, 60}, {80, 24}} {
		b.resize(size[0], size[1])
	}
	b.hides("not shown yet")
	b.press("type rec")
	b.resize(100, 30)
	b.press("type ord", "enter")
	if b.at(action.InReceipt); len(workbench.Choices()) != 1 {
		t.Errorf("%d records", len(workbench.Choices()))
	}
}

func TestAResizeThatHidesUnreadLinesSaysSo(t *testing.T) {
	b, workbench := atReview(t, 48, 14)
	b.press("pgdown")
	b.shows("not shown yet (PgDn)")
	b.resize(120, 12)
	b.press("pgdown", "pgdown", "pgdown")
	b.shows("not shown yet (PgUp)")
	b.press("type record", "enter")
	b.nothingRecorded(workbench)
	for range 6 { // pages, and more than there are
		if b.unshown() == "" {
			break
		}
		b.shows("not shown yet (PgUp)")
		b.press("pgup")
	}
	b.press("type record", "enter")
	b.at(action.InReceipt)
	if len(workbench.Choices()) != 1 {
		t.Errorf("%d records", len(workbench.Choices()))
	}
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
	for range 20 {
		b.press("pgup")
	}
	b.hides("not shown yet")
	b.press("type record", "enter")
	b.at(action.InReceipt)
}

func TestLinesUnderADialogAreNotRead(t *testing.T) {
	b, _ := atReview(t, 48, 14)
	b.press("ctrl+c")
	b.shows("Leave docket?")
	b.resize(80, 60)
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
	b.resize(80, 12)
	b.shows("not shown yet")
}

func TestAPasteDoesNotAnswerTheLastPage(t *testing.T) {
	b, workbench := atReview(t, 80, 40)
	for _, text := range []string{"record", "rec", "record\r"} {
		b.paste(text)
		b.shows("! pasted text does not count; type it")
		b.press("enter")
		b.shows("! pasted text does not count; type it") // the reason stays
		b.nothingRecorded(workbench)
	}
	b.press("type r")
	b.hides("pasted")
	b.press("backspace", "record")
	b.at(action.InReceipt)
}

func TestTheWholeWordAtOnceDoesNotAnswerTheLastPage(t *testing.T) {
	b, workbench := atReview(t, 80, 40)
	for _, text := range []string{"record", "xrecord", "recordrecord"} {
		b.send(keyMsg(text))
		b.shows("! pasted text does not count; type it")
		b.press("enter")
		b.shows("! pasted text does not count; type it")
		b.nothingRecorded(workbench)
	}
	b.press("record")
	b.at(action.InReceipt)
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
		b.resize(80, 40)
		b.shows("Type record to record it: rec▏")
		b.press("type ord", "enter")
		b.at(action.InReceipt)
	}
	for i := range scenes {
		t.Run(scenes[i].name, func(t *testing.T) {
			b := sceneAt(t, i, 80, 24)
			b.resize(80, 24)
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
				t.Errorf("it was\n%s\nand is\n%s", before, b.frame())
			}
		})
	}
}

func TestAWindowTooSmallForAPageCanBeLeft(t *testing.T) {
	for _, c := range []struct {
		name, key string
		setup     func(b *harness)
		leaves    bool
	}{
		{"the queue by q", "q", func(*harness) {}, true},
		{"the queue by ^C", "ctrl+c", func(*harness) {}, true},
		{"a page where q is text", "q", func(b *harness) { b.press("/") }, false},
		{"a page where q is text, by ^C", "ctrl+c", func(b *harness) { b.press("/") }, true},
		{"a dialog", "q", func(b *harness) { b.press("?") }, false},
		{"a dialog by ^C", "ctrl+c", func(b *harness) { b.press("?") }, true},
		{"a decision", "ctrl+c", func(b *harness) { b.press("decide") }, true},
	} {
		t.Run(fmt.Sprint(c.name), func(t *testing.T) {
			b, _ := sample(t, 80, 24)
			c.setup(b)
			b.resize(30, 5)
			b.shows("^C leaves")
			b.press(c.key)
			if b.quit != c.leaves {
				t.Errorf("left: %v", b.quit)
			}
		})
	}
}

func TestTheReviewNamesTheTextsThatWereNotReadAboveAll(t *testing.T) {
	b, _ := sample(t, 80, 11)
	b.press("open AC-2041", "d", "choose correct record", "review")
	b.shows("not fully seen  ! What is said, ")
	b.press("tab", "g")
	for range 20 {
		b.press("pgdown")
	}
	b.press("tab")
	b.at(action.InReview)
	b.hides("! What is said")
	b.press("pgdown")
	for range 3 {
		b.press("down")
	}
	b.resize(80, 60)
	b.shows("fully seen      What is said, ")
}

func TestTextsThatAreFoldedAreNotRead(t *testing.T) {
	b, _ := sample(t, 80, 50)
	b.press("open AC-2041")
	b.press("Z", "Z") // unfold all, fold all
	b.press("R", "d", "choose correct record", "review")
	b.shows("not fully seen  ! What is said, ")
}
