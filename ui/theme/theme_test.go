package theme

import (
	"bytes"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func TestTheBackgroundIsReadFromTheEnvironmentOnly(t *testing.T) {
	for value, dark := range map[string]bool{
		"": true, "15;0": true, "0;15": false, "0;default;7": false, "7;8": true, "x": true, "0;99": true, "0;-1": true, ";": true,
	} {
		if darkBackground(value) != dark {
			t.Errorf("%q: dark is %v", value, !dark)
		}
	}
}

func TestBackgroundsAreReadByTheirWords(t *testing.T) {
	for _, want := range []Background{Auto, Dark, Light} {
		if got, err := ParseBackground(want.String()); err != nil || got != want {
			t.Errorf("%v: %v, %v", want, got, err)
		}
	}
	if got, err := ParseBackground(""); err != nil || got != Auto {
		t.Errorf("nothing: %v, %v", got, err)
	}
	if _, err := ParseBackground("neon"); err == nil || strings.Contains(err.Error(), "neon") {
		t.Errorf("an unknown word: %v", err)
	}
}

func TestWithoutColoursNothingIsWrittenAroundAText(t *testing.T) {
	theme := NewFixed(termenv.Ascii, Dark)
	for role := range roles {
		for _, selected := range []bool{false, true} {
			if got := string(theme.Paint(nil, role, selected, "text")); got != "text" {
				t.Errorf("role %d: %q", role, got)
			}
		}
	}
}

func TestEveryPaletteColoursAndEndsWhatItBegan(t *testing.T) {
	for _, profile := range []termenv.Profile{termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
		for _, background := range []Background{Dark, Light} {
			theme := NewFixed(profile, background)
			for role := range roles {
				for _, selected := range []bool{false, true} {
					got := string(theme.Paint(nil, role, selected, "text"))
					if role != Plain && !strings.HasPrefix(got, "\x1b[") || selected && !strings.HasPrefix(got, "\x1b[") {
						t.Errorf("profile %d, role %d: no colour: %q", profile, role, got)
					}
					if strings.HasPrefix(got, "\x1b[") && !strings.HasSuffix(got, "\x1b[0m") {
						t.Errorf("profile %d, role %d: not ended: %q", profile, role, got)
					}
				}
			}
		}
	}
}

func TestDarkAndLightDiffer(t *testing.T) {
	dark, light := NewFixed(termenv.TrueColor, Dark), NewFixed(termenv.TrueColor, Light)
	for role := range roles {
		if looks[role].dark.TrueColor == "" {
			continue
		}
		if bytes.Equal(dark.Paint(nil, role, false, "x"), light.Paint(nil, role, false, "x")) {
			t.Errorf("role %d looks the same", role)
		}
	}
}

func TestAnOutputThatIsNoTerminalHasNoColours(t *testing.T) {
	theme := New(&bytes.Buffer{}, Auto)
	if got := string(theme.Paint(nil, Bad, true, "text")); got != "text" {
		t.Errorf("%q", got)
	}
}
