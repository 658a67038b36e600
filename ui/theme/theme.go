// Package theme holds the colours of the console: the look of each Role in each theme, in true
// colour, 256 or 16 colours, or without any. A colour never carries a meaning alone: a word or a
// glyph always accompanies it.
//
// name.go has the names of the themes, palette.go their colours. The terminal is never asked.
package theme

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// A Role is the purpose of a piece of text. The zero Role is plain text.
type Role uint8

// Roles.
const (
	Plain    Role = iota
	Strong        // an id, a title
	Dim           // labels and remarks
	Faint         // rules, frames, text behind a dialog
	Accent        // the chosen queue, headings, keys
	Pass          // the gate passes, a rule is satisfied
	Bad           // the gate is blocked, a rule is not satisfied, an error
	Warn          // needs attention: time is short, a notice
	Input         // what is being typed
	Cursor        // the place where the next character goes
	PassSign      // the gate as a banner
	BadSign
	roles
)

// An ink is the pair of sequences written before and after a text to colour it.
type ink struct{ on, off string }

// A Theme colours text. It is made once and then only read. The zero Theme colours nothing.
type Theme struct{ plain, selected [roles]ink }

// ColoursOf reads the environment, NO_COLOR included; the terminal is never asked.
func ColoursOf(output io.Writer) termenv.Profile {
	return lipgloss.NewRenderer(output, termenv.WithEnvironment(environment{})).ColorProfile()
}

// environment names a terminal of 16 colours where termenv does not know the terminal's own name.
type environment struct{}

func (environment) Environ() []string { return os.Environ() }

func (environment) Getenv(name string) string {
	value := os.Getenv(name)
	if family, _, _ := strings.Cut(value, "-"); name == "TERM" && strings.Contains(coloured,
		" "+family+" ") && !strings.HasSuffix(value, "color") {
		return "xterm"
	}
	return value
}

// coloured are terminals with bold and at least 16 colours.
const coloured = " screen tmux st foot konsole rxvt putty "

// New makes a theme for a terminal with so many colours.
func New(profile termenv.Profile, name Name) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(true) // has no effect here; without it lipgloss would ask the terminal
	p := &palettes[name]
	var t Theme
	for role := range p.looks {
		t.plain[role] = inkOf(r, profile, p.looks[role])
		t.selected[role] = inkOf(r, profile, p.selected(Role(role), profile))
	}
	return t
}

func (p *palette) selected(role Role, profile termenv.Profile) look {
	chosen := p.looks[role]
	if chosen.back != (tone{}) {
		return chosen // a banner stays one
	}
	chosen.back = p.chosen.back
	chosen.bold = chosen.bold || p.chosen.bold
	if profile == termenv.ANSI || chosen.ink == (tone{}) {
		chosen.ink = p.chosen.ink
	}
	return chosen
}

// inkOf finds the sequences that lipgloss writes around a text, so that drawing only copies them.
func inkOf(r *lipgloss.Renderer, profile termenv.Profile, l look) ink {
	style := r.NewStyle().Bold(l.bold)
	if colour := l.ink.at(profile); colour != "" {
		style = style.Foreground(lipgloss.Color(colour))
	}
	if colour := l.back.at(profile); colour != "" {
		style = style.Background(lipgloss.Color(colour))
	}
	before, after, _ := strings.Cut(style.Render("x"), "x")
	return ink{before, after}
}

// Paint appends the text in the colours of its role.
func (t *Theme) Paint(dst []byte, role Role, selected bool, text string) []byte {
	i := &t.plain[role]
	if selected {
		i = &t.selected[role]
	}
	return append(append(append(dst, i.on...), text...), i.off...)
}

// lipgloss is told a background before the package bubbletea is initialised, which asks lipgloss,
// and that the terminal: one that never answers then delays everything, even a help text, by
// seconds. No theme depends on that background.
//
// The language guarantees that this package comes first: packages are initialised in the order of
// their import paths, each as soon as all of its imports are (Go specification, "Program
// initialization"). This needs two conditions, which a test checks: the path of this package sorts
// before "github.com/charmbracelet/bubbletea", and this package imports nothing that bubbletea does
// not. A bubbletea that does not ask, such as version 2, makes this unnecessary.
var _ = func() struct{} {
	lipgloss.SetHasDarkBackground(true)
	return struct{}{}
}()
