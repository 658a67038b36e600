package theme

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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

// A light is a colour in linear light: red, green, blue from 0 to 1.
type light [3]float64

func lightOf(t *testing.T, hex string) light {
	t.Helper()
	if len(hex) != 7 || hex[0] != '#' {
		t.Fatalf("no colour: %q", hex)
	}
	var out light
	for i := range out {
		part, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatalf("no colour: %q", hex)
		}
		out[i] = linear(float64(part) / 255)
	}
	return out
}

func linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// contrast is that of WCAG 2: from 1 to 21.
func contrast(a, b light) float64 {
	high, low := max(a.luminance(), b.luminance()), min(a.luminance(), b.luminance())
	return (high + 0.05) / (low + 0.05)
}

func (l light) luminance() float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] }

// The matrices of Machado, Oliveira and Fernandes (2009) for the full deficiency.
var eyes = map[string][3]light{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

func (l light) seenWith(eye [3]light) light {
	var out light
	for i, row := range eye {
		out[i] = min(max(row[0]*l[0]+row[1]*l[1]+row[2]*l[2], 0), 1)
	}
	return out
}

// distance is that of CIE 1976 in L*a*b*; 2 can just be told apart.
func distance(a, b light) float64 {
	p, q := a.lab(), b.lab()
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

func (l light) lab() [3]float64 {
	x := curve((0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047)
	y := curve(0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2])
	z := curve((0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func curve(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

// hexOf is a tone of the fixed part of the 256 colours as xterm shows it, or the full tone.
func hexOf(t *testing.T, colour string) string {
	t.Helper()
	if colour[0] == '#' {
		return colour
	}
	n, err := strconv.Atoi(colour)
	if err != nil || n < 16 || n > 255 {
		t.Fatalf("%q is none of the colours that look the same everywhere", colour)
	}
	if n >= 232 {
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	steps := [6]int{0, 95, 135, 175, 215, 255}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", steps[n/36], steps[n/6%6], steps[n%6])
}

func TestContrastIsThatOfTheStandard(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#ffffff", 1}, {"#777777", "#ffffff", 4.48}, {"#0000ff", "#ffffff", 8.59}} {
		if got := contrast(lightOf(t, c.a), lightOf(t, c.b)); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%s on %s: %.2f, not %.2f", c.a, c.b, got, c.want)
		}
	}
}

func TestSimulatedEyesMixRedAndGreenAndKeepGrey(t *testing.T) {
	red, green, grey := lightOf(t, "#b04040"), lightOf(t, "#707020"), lightOf(t, "#808080")
	for name, eye := range eyes {
		if got := distance(grey, grey.seenWith(eye)); got > 1 {
			t.Errorf("%s: grey is changed by %.1f", name, got)
		}
		far, near := distance(red, green), distance(red.seenWith(eye), green.seenWith(eye))
		if name != "usual" && near > far*0.6 {
			t.Errorf("%s: red and green stay apart: %.1f of %.1f", name, near, far)
		}
	}
}
