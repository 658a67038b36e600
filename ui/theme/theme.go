// Package theme holds the colours of the console: what each Role looks like in each theme, in true colour, 256 or 16
// colours, or without any. A colour never carries a meaning by itself; whoever draws also writes a word or a glyph.
//
// name.go has the one table of themes, palette.go their colours, background.go finds out what the terminal is drawn on
// without asking it.
package theme

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// A Role is what a piece of text is for. The zero Role is plain text.
type Role uint8

// Roles.
const (
	Plain    Role = iota
	Strong        // the thing itself: an id, a title
	Dim           // labels and what is said besides
	Faint         // rules, frames, what lies behind a dialog
	Accent        // where the reader is: the chosen docket, headings, keys
	Pass          // the gate passes, a rule is satisfied
	Bad           // the gate is blocked, a rule is not satisfied, an error
	Warn          // needs attention: time is short, a notice
	Input         // what is being typed
	Cursor        // the place where the next character goes
	PassSign      // the gate as a banner
	BadSign
	roles
)

// An ink is what is written before and after a text to colour it.
type ink struct{ on, off string }

// A Theme colours text. It is made once for an output and then only read. The zero Theme colours nothing.
type Theme struct{ plain, selected [roles]ink }

// New makes the theme for an output. How many colours that has, NO_COLOR included, is read from the environment; the
// terminal is never asked.
func New(output io.Writer, name Name) Theme {
	return build(lipgloss.NewRenderer(output), name.palette(answered))
}

// NewFixed makes a theme for exactly so many colours on a dark background, whatever the environment says.
func NewFixed(profile termenv.Profile, name Name) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return build(r, name.palette(true))
}

func build(r *lipgloss.Renderer, p *palette) Theme {
	r.SetHasDarkBackground(true) // it decides nothing here, and unless told, lipgloss would ask the terminal
	profile := r.ColorProfile()
	var t Theme
	for role := range p.looks {
		t.plain[role] = inkOf(r, profile, p.looks[role])
		t.selected[role] = inkOf(r, profile, p.selected(Role(role), profile))
	}
	return t
}

// selected is what a role looks like on the line that the reader is on.
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

// inkOf finds out what lipgloss writes around a text, so that drawing costs no more than putting it there.
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
