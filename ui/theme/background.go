package theme

import (
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// answered keeps bubbletea from asking the terminal for its background colour. It does so while its package is
// initialised, and a terminal that never answers then holds up everything, even printing a help text, for seconds.
// lipgloss asks nothing once it has been told. Go initialises packages that are ready in the order of their import
// paths, and "docket/…" sorts before "github.com/charmbracelet/bubbletea"; so that this package is ready as soon as
// lipgloss is, it must import nothing else that is initialised later.
var answered = answer()

func answer() bool {
	dark := darkBackground(os.Getenv("COLORFGBG"))
	lipgloss.SetHasDarkBackground(dark)
	return dark
}

// darkBackground reads COLORFGBG ("15;0": foreground, then background, in the 16 colours), which is all that a
// terminal says without being asked. Most terminals are dark, so that is what an absent or odd value means.
func darkBackground(colorFGBG string) bool {
	parts := strings.Split(colorFGBG, ";")
	background, err := strconv.Atoi(parts[len(parts)-1])
	if err != nil || background < 0 || background > 15 {
		return true
	}
	return background < 7 || background == 8
}
