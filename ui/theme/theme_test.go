package theme

import (
	"bytes"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// bubbletea has to be initialised after this package, which does not import it.
const bubbletea = "github.com/charmbracelet/bubbletea"

func TestThisPackageIsInitialisedBeforeBubbletea(t *testing.T) {
	if path := reflect.TypeFor[Theme]().PkgPath(); path >= bubbletea {
		t.Errorf("%s sorts after %s: the terminal is asked for its background at every start", path, bubbletea)
	}
	early := []string{"fmt", "io", "os", "slices", "strings", "github.com/charmbracelet/lipgloss", "github.com/muesli/termenv"}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range file.Imports {
			if path, _ := strconv.Unquote(one.Path.Value); !slices.Contains(early, path) {
				t.Errorf("%s imports %s; add it here once bubbletea, or what it imports, imports it, too", name, path)
			}
		}
	}
}

func TestThemesAreReadByTheirWords(t *testing.T) {
	for i, word := range Words() {
		if got, err := ParseName(word); err != nil || got != Name(i) || got.String() != word {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	for _, text := range []string{"neon", ""} {
		if _, err := ParseName(text); err == nil || strings.Contains(err.Error(), "neon") || !strings.Contains(err.Error(), "contrast") {
			t.Errorf("an unknown word: %v", err)
		}
	}
}

func TestWithoutColoursNothingIsWrittenAroundAText(t *testing.T) {
	for _, theme := range []Theme{New(termenv.TrueColor, None), New(termenv.Ascii, Dark), New(termenv.Ascii, Light), New(termenv.Ascii, Contrast), {}} {
		for role := range roles {
			for _, selected := range []bool{false, true} {
				if got := string(theme.Paint(nil, role, selected, "text")); got != "text" {
					t.Errorf("role %d: %q", role, got)
				}
			}
		}
	}
}

func TestEveryThemeColoursAndResets(t *testing.T) {
	for _, profile := range []termenv.Profile{termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
		for _, n := range []Name{Dark, Light, Contrast} {
			theme := New(profile, n)
			for role := range roles {
				for _, selected := range []bool{false, true} {
					got := string(theme.Paint(nil, role, selected, "text"))
					if role != Plain && !strings.HasPrefix(got, "\x1b[") || selected && !strings.HasPrefix(got, "\x1b[") {
						t.Errorf("%s, profile %d, role %d: no colour: %q", n, profile, role, got)
					}
					if strings.HasPrefix(got, "\x1b[") && !strings.HasSuffix(got, "\x1b[0m") {
						t.Errorf("%s, profile %d, role %d: not ended: %q", n, profile, role, got)
					}
				}
			}
		}
	}
}

func TestFewerColoursAreNeverWrittenAsMore(t *testing.T) {
	for _, n := range []Name{Dark, Light, Contrast} {
		for role := range roles {
			for _, selected := range []bool{false, true} {
				of16, of256 := New(termenv.ANSI, n), New(termenv.ANSI256, n)
				if got := string(of16.Paint(nil, role, selected, "x")); strings.Contains(got, "38;") || strings.Contains(got, "48;") {
					t.Errorf("%s, role %d: %q is beyond 16 colours", n, role, got)
				}
				if got := string(of256.Paint(nil, role, selected, "x")); strings.Contains(got, "8;2;") {
					t.Errorf("%s, role %d: %q is beyond 256 colours", n, role, got)
				}
			}
		}
	}
}

func TestThemesDiffer(t *testing.T) {
	seen := map[string]Name{}
	for _, n := range []Name{Dark, Light, Contrast} {
		theme, all := New(termenv.TrueColor, n), &bytes.Buffer{}
		for role := range roles {
			all.Write(theme.Paint(nil, role, true, "x"))
		}
		if other, twice := seen[all.String()]; twice {
			t.Errorf("%s looks like %s", n, other)
		}
		seen[all.String()] = n
	}
}

func TestAnOutputThatIsNoTerminalHasNoColours(t *testing.T) {
	theme := New(ColoursOf(&bytes.Buffer{}), Dark)
	if got := string(theme.Paint(nil, Bad, true, "text")); got != "text" {
		t.Errorf("%q", got)
	}
}
