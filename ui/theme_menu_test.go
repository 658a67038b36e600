package ui

import (
	"testing"

	"docket/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// coloured is a bench in true colour.
func coloured(t *testing.T) *harness {
	t.Helper()
	b, _ := sample(t, 80, 24)
	b.console.look.terminal = theme.Terminal{Colours: termenv.TrueColor, Dark: true}
	b.console.look.wear(theme.Dark)
	return b
}

func TestAThemeIsWornWhileTheCursorIsOnItAndKeptByEnter(t *testing.T) {
	b := coloured(t)
	b.press("T")
	dark := b.console.View()
	b.press("j")
	if b.console.look.name != theme.Light || b.console.View() == dark {
		t.Errorf("the theme under the cursor is not worn: %s", b.console.look.name)
	}
	b.press("enter")
	b.shows("theme light", `theme = "light"`)
	if b.console.stage.Overlay != nil || b.console.look.name != theme.Light {
		t.Errorf("the chosen theme is not worn: %s", b.console.look.name)
	}
}

func TestEscTakesTheThemeThatWasWornBefore(t *testing.T) {
	b := coloured(t)
	b.press("T", "G", "esc")
	if b.console.stage.Overlay != nil || b.console.look.name != theme.Dark {
		t.Errorf("the theme is %s", b.console.look.name)
	}
}

func TestTheThemesGoRoundAndOtherKeysChangeNothing(t *testing.T) {
	b := coloured(t)
	b.press("T", "g", "k")
	if b.console.look.name != theme.ColourBlindLight {
		t.Errorf("up from the first is %s", b.console.look.name)
	}
	b.press("j", "x", "d", "left")
	if b.console.look.name != theme.Auto || b.console.stage.Overlay == nil {
		t.Errorf("down from the last is %s", b.console.look.name)
	}
}

func TestThePaletteChangesTheTheme(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press(":")
	b.typeText("colours")
	b.press("enter")
	b.shows("Theme", "colour-blind-dark", "contrast-light")
}

func TestEveryScreenSaysTheSameInEveryThemeAndWithoutColours(t *testing.T) {
	t.Parallel()
	for i := range scenes {
		b := sceneAt(t, i, 80, 24)
		want, width := b.console.View(), b.console.frame.Width
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
			for _, name := range theme.Names() {
				colours := theme.New(theme.Terminal{Colours: profile, Dark: true}, name)
				got := b.console.sheet().Render(&colours, width, b.console.frame.Height)
				if got == want {
					t.Errorf("%s in %s: there are no colours", scenes[i].name, name)
				}
				if ansi.Strip(got) != want {
					t.Errorf("%s in %s: the text differs", scenes[i].name, name)
				}
			}
		}
	}
}
