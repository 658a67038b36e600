package ui

import (
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestATerminalOfASCIIGetsNoOtherGlyphs(t *testing.T) {
	for i := range scenes {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			b := sceneAt(t, i, size[0], size[1])
			before := b.frame()
			b.console.scene.ASCII = true
			b.send(nil)
			for _, r := range b.frame() {
				if r >= 128 && r < 0x1f000 && !unicode.IsLetter(r) && !unicode.IsMark(r) {
					t.Errorf("%s: %c (%U) is drawn", scenes[i].name, r, r)
					break
				}
			}
			if ansi.StringWidth(before) != ansi.StringWidth(b.frame()) {
				t.Errorf("%s: the frame has another width", scenes[i].name)
			}
		}
	}
}
