package theme

import (
	"fmt"
	"slices"
	"strings"
)

// A Name selects a theme. The zero Name is Dark.
type Name uint8

// Dark and Contrast are made for a dark background, Light for a light one; None writes no colours.
const (
	Dark Name = iota
	Light
	Contrast
	None
)

var words = []string{Dark: "dark", Light: "light", Contrast: "contrast", None: "none"}

var palettes = [...]palette{Dark: darkPalette, Light: lightPalette, Contrast: contrastPalette, None: {}}

// Words lists the words of every name, in the order of the names.
func Words() []string { return slices.Clone(words) }

// String returns the word by which ParseName knows the theme.
func (n Name) String() string { return words[n] }

// ParseName reads the word of a theme. The error lists the words and does not repeat the text.
func ParseName(text string) (Name, error) {
	at := slices.Index(words, text)
	if at < 0 {
		return Dark, fmt.Errorf("not a theme: there are %s", strings.Join(words, ", "))
	}
	return Name(at), nil
}
