package theme

import (
	"slices"
	"testing"

	"github.com/muesli/termenv"
)

// depths are the colours that look the same on every terminal.
var depths = []termenv.Profile{termenv.TrueColor, termenv.ANSI256}

// leastContrast is in the terms of WCAG 2: AA for text, and AAA where a theme promises high contrast.
var leastContrast = map[Name]float64{Dark: 4.5, Light: 4.5, Contrast: 7}

func TestEveryRoleCanBeReadOnItsBackground(t *testing.T) {
	for _, n := range []Name{Dark, Light, Contrast} {
		p := palettes[n]
		for _, depth := range depths {
			for role := range p.looks {
				plain, selected := p.looks[role], p.selected(Role(role), depth)
				if plain.back == (tone{}) {
					plain.back = p.ground
				}
				for about, l := range map[string]look{"alone": plain, "on the chosen line": selected} {
					if l.ink == (tone{}) {
						continue // the terminal's own ink on its own background
					}
					got := contrast(lightOf(t, hexOf(t, l.ink.at(depth))), lightOf(t, hexOf(t, l.back.at(depth))))
					if got < leastContrast[n] {
						t.Errorf("%s, role %d %s, profile %d: %s on %s has a contrast of %.2f", n, role, about, depth,
							l.ink.at(depth), l.back.at(depth), got)
					}
				}
			}
		}
	}
}

// apart is how far two states must be from one another: ten times what can just be told apart.
const apart = 20

func TestStatesOfHighContrastDifferForEyesThatDoNotTellRedFromGreen(t *testing.T) {
	states := []Role{Pass, Bad, Warn}
	for _, depth := range depths {
		for name, eye := range eyes {
			for i, a := range states {
				for _, b := range states[:i] {
					first := lightOf(t, hexOf(t, contrastPalette.looks[a].ink.at(depth))).seenWith(eye)
					second := lightOf(t, hexOf(t, contrastPalette.looks[b].ink.at(depth))).seenWith(eye)
					if got := distance(first, second); got < apart {
						t.Errorf("%s, profile %d: roles %d and %d are only %.1f apart", name, depth, a, b, got)
					}
				}
			}
		}
	}
}

func TestHighContrastUsesNeitherRedNorGreenOfThe16Colours(t *testing.T) {
	for role, l := range contrastPalette.looks {
		for _, colour := range []string{l.ink.of16, l.back.of16} {
			if slices.Contains([]string{"1", "2", "9", "10"}, colour) {
				t.Errorf("role %d: colour %s", role, colour)
			}
		}
	}
}

func TestStatesDifferInEveryThemeAndDepth(t *testing.T) {
	for _, n := range []Name{Dark, Light, Contrast} {
		for _, depth := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
			looks := palettes[n].looks
			for _, pair := range [][2]look{{looks[Pass], looks[Bad]}, {looks[Pass], looks[Warn]}, {looks[Bad], looks[Warn]}} {
				if pair[0].ink.at(depth) == pair[1].ink.at(depth) {
					t.Errorf("%s, profile %d: two states are both %s", n, depth, pair[0].ink.at(depth))
				}
			}
			if looks[PassSign].back.at(depth) == looks[BadSign].back.at(depth) {
				t.Errorf("%s, profile %d: both banners are alike", n, depth)
			}
		}
	}
}

func TestNoInkIsItsOwnBackgroundIn16Colours(t *testing.T) {
	for _, n := range []Name{Dark, Light, Contrast} {
		p := palettes[n]
		for role, l := range p.looks {
			selected := p.selected(Role(role), termenv.ANSI)
			if l.ink.of16 != "" && (l.ink.of16 == l.back.of16 || l.back.of16 == "" && l.ink.of16 == p.ground.of16) ||
				selected.ink.of16 == selected.back.of16 {
				t.Errorf("%s, role %d: ink and background are the same", n, role)
			}
		}
	}
}
