package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"docket/ui/frame"
	"docket/ui/line"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// fits fails if the frame is not exactly as high as the window, or a line is wider.
func (b *harness) fits(about string) {
	b.t.Helper()
	lines := strings.Split(b.console.View(), "\n")
	if len(lines) != b.console.frame.Height {
		b.t.Fatalf("%s at %dx%d: %d lines", about, b.console.frame.Width, b.console.frame.Height, len(lines))
	}
	for i, text := range lines {
		text = ansi.Strip(text)
		if w := max(line.Width(text), ansi.StringWidth(text)); w > b.console.frame.Width {
			b.t.Fatalf("%s at %dx%d: line %d is %d wide: %q", about, b.console.frame.Width, b.console.frame.Height, i, w, text)
		}
	}
}

// longTests reports whether the tests try everything instead of a sample.
func longTests() bool { return os.Getenv("DOCKET_LONG") == "1" }

// sizes are every width at the least and at a usual height, every height at three widths, and a grid over the rest, from
// the least size to a large one. Without DOCKET_LONG=1 they are every fifteenth width and height, beginning with one of the first fifteen,
// and the grid.
func sizes(first int) [][2]int {
	var list [][2]int
	step, from := 15, first%15
	if longTests() {
		step, from = 1, 0
	}
	for width := frame.LeastWidth + from; width <= 200; width += step {
		list = append(list, [2]int{width, frame.LeastHeight}, [2]int{width, 24})
	}
	for height := frame.LeastHeight + from; height <= 60; height += step {
		list = append(list, [2]int{frame.LeastWidth, height}, [2]int{60, height}, [2]int{111, height})
	}
	return append(list, grid(first)...)
}

// grid is every ninth width with every seventh height; without DOCKET_LONG=1 every second of those widths, beginning with the first or the
// second, and every second of those heights.
func grid(first int) [][2]int {
	var list [][2]int
	step, right, down := 2, first%2*9, first/2%2*7
	if longTests() {
		step, right, down = 1, 0, 0
	}
	for width := frame.LeastWidth + right; width <= 200; width += 9 * step {
		for height := frame.LeastHeight + down; height <= 60; height += 7 * step {
			list = append(list, [2]int{width, height})
		}
	}
	return list
}

// sceneChecks are what holds in every scene. Each finds the scene at 80 by 24 as the ones before left it; the last presses a key.
var sceneChecks = []struct {
	name  string
	check func(b *harness, scene int)
}{
	{"an editor is where keys are text", typingPlacesAreThoseWithAnEditor},
	{"it says the same in every theme and without colours", saysTheSameInEveryThemeAndWithoutColours},
	{"it is never larger than the window", isNeverLargerThanTheWindow},
	{"a terminal of ASCII gets no other glyphs", drawsASCII},
	{"in a window that is too small no key acts", inAWindowTooSmallNoKeyActs},
	{"the mouse acts only where it is on", mouseActsOnlyWhereItIsOn},
	{"the footer shows keys of the table", footersShowKeysOfTheTable},
	{"help lists every action of its place", helpListsEveryActionOfItsPlace},
}

func TestScenes(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		t.Run(scenes[i].name, func(t *testing.T) {
			b := sceneAt(t, i, 80, 24)
			for _, c := range sceneChecks {
				t.Run(c.name, func(t *testing.T) {
					b.t = t
					b.resize(80, 24)
					c.check(b, i)
				})
			}
		})
	}
}

func isNeverLargerThanTheWindow(b *harness, scene int) {
	for _, size := range sizes(scene) {
		b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		b.fits(scenes[scene].name)
	}
}

func TestNoScreenOfWideAndStackedTextsIsLargerThanTheWindow(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		t.Run(scenes[i].name, func(t *testing.T) {
			b, _ := hostileScene(t, i, "東京都ｱ🙂👍🏽e\u0301\u0302 한국어 नमस्ते 🇩🇪x")
			for _, size := range grid(i) {
				b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				b.fits(scenes[i].name)
			}
		})
	}
}

func TestBelowTheLeastSizeThereIsOneSentence(t *testing.T) {
	b, _ := sample(t, 80, 24)
	for _, size := range [][2]int{{19, 24}, {80, 7}, {1, 1}, {5, 3}, {19, 7}} {
		b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		b.fits("too small")
		if size[0]*size[1] > 60 {
			if !strings.Contains(strings.Join(strings.Fields(b.frame()), " "), "window of at least 20 by 8") {
				t.Errorf("at %v: %q", size, b.frame())
			}
		}
	}
	b.press("size 80x24", "shows AC-2041")
}

func TestTheSmallLayoutKeepsGateIdAndKeys(t *testing.T) {
	for _, size := range [][2]int{{20, 8}, {59, 24}, {100, 15}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b, _ := sample(t, size[0], size[1])
			b.press("g") // which ends what was said at first
			b.shows("✗", "✓", "AC-2041", "? help")
		})
	}
}

func drawsASCII(b *harness, _ int) {
	defer func() { b.console.scene.ASCII = false }()
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		b.console.scene.ASCII = false
		b.resize(size[0], size[1])
		before := b.frame()
		b.console.scene.ASCII = true
		b.send(nil)
		for _, r := range b.frame() {
			if r >= 128 && r < 0x1f000 && !unicode.IsLetter(r) && !unicode.IsMark(r) {
				b.t.Errorf("%c (%U) is drawn", r, r)
				break
			}
		}
		if ansi.StringWidth(before) != ansi.StringWidth(b.frame()) {
			b.t.Error("the frame has another width")
		}
	}
}
