package ui

import (
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/frame"
	"docket/ui/internal/workbenchtest"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/widget"

	"github.com/charmbracelet/x/ansi"
)

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
