package theme_test

import (
	"os"
	"testing"

	"docket/ui/theme"

	"github.com/muesli/termenv"
)

func TestATerminalIsKnownByItsFamily(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	defer terminal.Close()
	for _, name := range []string{"CI", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "GOOGLE_CLOUD_SHELL"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	for name, want := range map[string]termenv.Profile{
		"screen": termenv.ANSI, "tmux": termenv.ANSI, "st": termenv.ANSI, "foot": termenv.ANSI, "konsole": termenv.ANSI,
		"rxvt": termenv.ANSI, "putty": termenv.ANSI, "rxvt-unicode": termenv.ANSI, "foot-extra": termenv.ANSI,
		"screen.xterm-256color": termenv.ANSI256, "tmux-256color": termenv.ANSI256, "st-256color": termenv.ANSI256,
		"xterm": termenv.ANSI, "dumb": termenv.Ascii, "vt100": termenv.Ascii, "": termenv.Ascii,
	} {
		t.Setenv("TERM", name)
		if got := theme.ColoursOf(terminal); got != want {
			t.Errorf("%q has profile %v, not %v", name, got, want)
		}
	}
	t.Setenv("TERM", "screen")
	t.Setenv("NO_COLOR", "1")
	if got := theme.ColoursOf(terminal); got != termenv.Ascii {
		t.Errorf("with NO_COLOR it has profile %v", got)
	}
}
