package ui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"docket/ui/action"
	"docket/ui/frame"
	"docket/ui/internal/workbenchtest"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/widget"
)

// pointing is a console with the mouse on.
func pointing(t *testing.T, width, height int) *harness {
	t.Helper()
	b := newHarness(t, workbenchtest.Sample(t), width, height, Options{Mouse: true})
	return b
}

// click presses the left button on the line of the window that holds the text.
func (b *harness) click(text string) {
	b.t.Helper()
	for y, line := range strings.Split(b.frame(), "\n") {
		if strings.Contains(line, text) {
			b.send(tea.MouseMsg{X: 5, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
			return
		}
	}
	b.t.Fatalf("no line holds %q:\n%s", text, b.frame())
}

func TestAClickPutsTheCursorOnItsRowAndOpensTheOneThatHasIt(t *testing.T) {
	for i, size := range append(slices.Clone(pictured), usual) {
		b := pointing(t, size[0], size[1])
		if i == len(pictured) {
			b.console.scene.Greeting = sampleGreeting
			b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		}
		b.click("AC-2043")
		b.press("on AC-2043", "at queue", "/", "type gate:pass")
		b.click("AC-2048")
		b.press("on AC-2048", "enter")
		b.click("AC-2048")
		b.press("open AC-2048")
	}
	for _, list := range []struct{ from, row, opens string }{
		{"decide read release record esc r", "AC-20", "at record"}, {"c", "appeals", "at contract"}, {"b", "notice_missing", "at queue"},
		{":", "the records of the log", "at records"}, {"?", "the statistics", "at stats"},
	} {
		b := pointing(t, 120, 40)
		b.press(strings.Fields(list.from)...)
		b.click(list.row)
		b.click(list.row)
		b.press(list.opens)
	}
}

func TestAClickBesideTheRowsDoesNothing(t *testing.T) {
	b := pointing(t, 80, 24)
	before := b.cursor()
	for _, y := range []int{0, 1, 2, 3, 20, 22, 23, 99, -1} {
		b.send(tea.MouseMsg{X: 5, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	b.send(tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonRight, Action: tea.MouseActionPress})
	b.send(tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
	b.send(tea.MouseMsg{X: 5, Y: 6, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion})
	same(t, "the cursor", b.cursor(), before)
}

func TestTheWheelMovesTheCursorAndStopsAtTheEnds(t *testing.T) {
	b := pointing(t, 80, 24)
	turn := func(button tea.MouseButton) { b.send(tea.MouseMsg{Button: button, Action: tea.MouseActionPress}) }
	turn(tea.MouseButtonWheelUp)
	turn(tea.MouseButtonWheelDown)
	keys, _ := sample(t, 80, 24)
	if keys.press("j", "j", "j"); b.cursor() != keys.cursor() {
		t.Errorf("the cursor is on %q", b.cursor())
	}
	for range 20 {
		turn(tea.MouseButtonWheelDown)
	}
	if keys.press("G"); b.cursor() != keys.cursor() {
		t.Errorf("the cursor is on %q", b.cursor())
	}
}

func mouseActsOnlyWhereItIsOn(b *harness, _ int) {
	before := b.frame()
	for y := range 24 {
		b.send(tea.MouseMsg{X: 10, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
		b.send(tea.MouseMsg{X: 10, Y: y, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	}
	if b.frame() != before {
		b.t.Error("the mouse changes something")
	}
}

// footerLine is the last line of the window.
func (b *harness) footerLine() string {
	lines := strings.Split(ansi.Strip(b.console.View()), "\n")
	return lines[len(lines)-1]
}

// footerOf is what the footer shows of keys, as many as fit.
func footerOf(keys []screen.Key, width int) string {
	var shown string
	for i, k := range keys {
		next := action.KeyLabel(k.Key) + " " + k.Label
		if i > 0 {
			next = "  " + next
		}
		if line.Width(shown+next) > width {
			break
		}
		shown += next
	}
	return shown
}

// overlays raise each kind of overlay.
var overlays = map[string]func(b *harness, workbench *workbenchtest.Workbench){
	"question": steps("decide", "ctrl+c"),
	"bulletin": func(b *harness, _ *workbenchtest.Workbench) {
		widget.Alarm(&b.console.scene, "An error", strings.Repeat("It is long. ", 400))
		b.resize(80, 24)
	},
	"prompt":        steps("s"),
	"discard":       after(begun, "open AC-2041", "X"),
	"menu":          steps("?", "down"),
	"palette":       steps(":", "down"),
	"copy menu":     steps("open AC-2041", "y", "down"),
	"filter menu":   after(saved, "f"),
	"contract text": steps("j", "t", "j"),
}

func TestTheFooterShowsTheKeysOfTheOverlayOrScreenWithTheKeyboard(t *testing.T) {
	for name, raise := range overlays {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{48, 14}, {80, 24}, {120, 40}} {
				b, workbench := sample(t, 80, 24)
				raise(b, workbench)
				b.resize(size[0], size[1])
				if b.console.stage.Overlay == nil {
					t.Fatal("there is no overlay")
				}
				keys := b.console.stage.Overlay.Keys()
				if want := footerOf(keys, size[0]); strings.TrimRight(b.footerLine(), " ") != want {
					t.Errorf("at %v the footer is %q, not %q", size, b.footerLine(), want)
				}
				if first := action.KeyLabel(keys[0].Key) + " " + keys[0].Label; !strings.HasPrefix(b.footerLine(), first) {
					t.Errorf("at %v the footer does not begin with %q: %q", size, first, b.footerLine())
				}
			}
		})
	}
}

func TestEveryKeyOfAFooterOfAnOverlayActs(t *testing.T) {
	for name, raise := range overlays {
		b, workbench := sample(t, 80, 24)
		raise(b, workbench)
		for _, k := range b.console.stage.Overlay.Keys() {
			b, workbench := sample(t, 80, 24)
			raise(b, workbench)
			if k.Key == "up" {
				b.press("down")
			}
			before, overlay := b.frame(), b.console.stage.Overlay
			b.press(k.Key)
			if b.frame() == before && b.console.stage.Overlay == overlay && !b.quit {
				t.Errorf("%s: %s does nothing", name, k.Key)
			}
		}
	}
}

func TestTheFooterIsNotCoveredByAnOverlay(t *testing.T) {
	t.Parallel()
	for name, raise := range overlays {
		b, workbench := sample(t, 80, 24)
		raise(b, workbench)
		for height := frame.LeastHeight; height <= 24; height++ {
			b.resize(60, height)
			if strings.ContainsAny(b.footerLine(), "╰╯│") {
				t.Errorf("%s at height %d: %q", name, height, b.footerLine())
			}
		}
	}
}
