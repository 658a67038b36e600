package ui

import (
	"slices"
	"strings"
	"testing"

	"docket/ui/internal/workbenchtest"

	tea "github.com/charmbracelet/bubbletea"
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
