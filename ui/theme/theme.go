// Package theme holds the colours of the console: what each Role looks like on a dark or a light background, in
// true colour, 256 or 16 colours, or without any. A colour never carries a meaning by itself; whoever draws also
// writes a word or a glyph.
package theme

import (
	"fmt"
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

// look is one role on dark and on light background, each as true colour, 256 and 16 colours.
type look struct {
	dark, light lipgloss.CompleteColor
	bold        bool
	back        *look // its colours are the background
}

// looks is indexed by Role.
var looks = [roles]look{
	Plain:  {},
	Strong: {bold: true},
	Dim:    {dark: colour("#9aa4b0", "248", "7"), light: colour("#57606a", "241", "8")},
	Faint:  {dark: colour("#4a525d", "239", "8"), light: colour("#b6bec8", "250", "7")},
	Accent: {dark: colour("#7cc4ff", "117", "14"), light: colour("#0757ad", "25", "4"), bold: true},
	Pass:   {dark: colour("#7fd88f", "114", "10"), light: colour("#116b2d", "28", "2")},
	Bad:    {dark: colour("#ff8a80", "210", "9"), light: colour("#b3162a", "124", "1")},
	Warn:   {dark: colour("#e9bd5b", "179", "11"), light: colour("#855200", "94", "3")},
	Input:  {dark: colour("#f0f3f6", "255", "15"), light: colour("#1f2328", "234", "0")},
	Cursor: {dark: colour("#e9bd5b", "179", "11"), light: colour("#855200", "94", "3"), bold: true},
	PassSign: {dark: colour("#b9f2c4", "157", "0"), light: colour("#0b4f20", "22", "0"), bold: true,
		back: &look{dark: colour("#123d20", "22", "10"), light: colour("#c9f0d3", "194", "10")}},
	BadSign: {dark: colour("#ffc9c4", "224", "15"), light: colour("#8a0f20", "88", "15"), bold: true,
		back: &look{dark: colour("#5a1e23", "52", "1"), light: colour("#fbd5d5", "224", "1")}},
}

// selection is the background of the line that the reader is on.
var selection = look{dark: colour("#223249", "237", "4"), light: colour("#dbe9f9", "254", "7")}

func colour(true24, ansi256, ansi16 string) lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: true24, ANSI256: ansi256, ANSI: ansi16}
}

// A Background says what the terminal is drawn on.
type Background uint8

// Backgrounds.
const (
	Auto Background = iota // as the environment says; dark if it says nothing
	Dark
	Light
)

var backgroundWords = [...]string{Auto: "auto", Dark: "dark", Light: "light"}

// String returns "auto", "dark" or "light".
func (b Background) String() string { return backgroundWords[b] }

// ParseBackground reads "auto", "dark" or "light"; "" is auto.
func ParseBackground(text string) (Background, error) {
	for background, word := range backgroundWords {
		if text == word {
			return Background(background), nil
		}
	}
	if text == "" {
		return Auto, nil
	}
	return Auto, fmt.Errorf("not a theme: %s are", strings.Join(backgroundWords[:], ", "))
}

// An ink is what is written before and after a text to colour it.
type ink struct{ on, off string }

// A Theme colours text. It is made once for an output and then only read. The zero Theme colours nothing.
type Theme struct{ plain, selected [roles]ink }

// New makes the theme for an output. How many colours that has, NO_COLOR included, is read from the environment; the
// terminal is never asked.
func New(output io.Writer, background Background) Theme {
	r := lipgloss.NewRenderer(output)
	dark := answered
	if background != Auto {
		dark = background == Dark
	}
	r.SetHasDarkBackground(dark)
	return build(r, dark)
}

// NewFixed makes a theme for exactly so many colours, whatever the environment says.
func NewFixed(profile termenv.Profile, background Background) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	dark := background != Light
	r.SetHasDarkBackground(dark)
	return build(r, dark)
}

func build(r *lipgloss.Renderer, dark bool) Theme {
	var t Theme
	for role := range looks {
		style := looks[role].style(r, dark)
		t.plain[role] = inkOf(style)
		t.selected[role] = inkOf(style.Background(selection.on(dark)))
	}
	return t
}

func (l *look) on(dark bool) lipgloss.CompleteColor {
	if dark {
		return l.dark
	}
	return l.light
}

func (l *look) style(r *lipgloss.Renderer, dark bool) lipgloss.Style {
	style := r.NewStyle().Bold(l.bold)
	if l.dark.TrueColor != "" {
		style = style.Foreground(l.on(dark))
	}
	if l.back != nil {
		style = style.Background(l.back.on(dark))
	}
	return style
}

// inkOf finds out what lipgloss writes around a text, so that drawing costs no more than putting it there.
func inkOf(style lipgloss.Style) ink {
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
