package ui

import (
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/frame"
	"docket/ui/screen/packet"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// After any keys on a packet and the screens that it opens, in any window, the frame fits, and a packet that shows has its cursor
// in the window.
func TestAnyKeysInAnyWindowLeaveAPacketWhole(t *testing.T) {
	t.Parallel()
	keys := rapid.SampledFrom([]string{"j", "j", "j", "k", "k", "J", "K", "z", "Z", "space", "pgdown", "pgup", "g", "G", "enter", "t", "tab", "y",
		"=", "[", "]", "{", "}", "esc", "R", "up", "down"})
	ids := []terms.ID{"AC-2041", "AC-2042", "AC-2044", "AC-2049", "AC-2050"}
	rapid.Check(t, func(rt *rapid.T) {
		b, _ := sample(t, 80, 24)
		b.goTo(string(rapid.SampledFrom(ids).Draw(rt, "id")))
		var pressed []string
		for range rapid.IntRange(1, 40).Draw(rt, "presses") {
			if rapid.IntRange(0, 7).Draw(rt, "resize") == 0 {
				b.send(tea.WindowSizeMsg{Width: rapid.IntRange(frame.LeastWidth, 150).Draw(rt, "width"), Height: rapid.IntRange(frame.LeastHeight, 50).Draw(rt, "height")})
			}
			key := keys.Draw(rt, "key")
			pressed = append(pressed, key)
			b.press(key)
			b.fits("packet")
			if packet, is := b.console.stage.Top().(*packet.Screen); is && packet.CaseFile != nil && b.console.stage.Overlay == nil && !strings.Contains(b.frame(), "▌") {
				rt.Fatalf("after %q at %dx%d the cursor is not in the window:\n%s", pressed, b.console.frame.Width, b.console.frame.Height, b.frame())
			}
		}
	})
}
