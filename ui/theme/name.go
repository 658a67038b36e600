package theme

import (
	"fmt"
	"strings"
)

// A Name selects a theme. The zero Name is Auto.
type Name uint8

// Names. Auto, Contrast and ColourBlind are dark or light as the environment says; the others are fixed.
const (
	Auto Name = iota
	Dark
	Light
	Contrast
	ContrastDark
	ContrastLight
	ColourBlind
	ColourBlindDark
	ColourBlindLight
	names
)

// themes is the one table of themes, indexed by Name. A row has a palette, or the two rows between which the
// environment decides.
var themes = [names]struct {
	word, meaning string
	dark, light   Name
	palette       *palette
}{
	Auto:             {"auto", "dark or light, as the environment says", Dark, Light, nil},
	Dark:             {"dark", "for a dark background", Dark, Dark, &darkPalette},
	Light:            {"light", "for a light background", Light, Light, &lightPalette},
	Contrast:         {"contrast", "high contrast, dark or light", ContrastDark, ContrastLight, nil},
	ContrastDark:     {"contrast-dark", "high contrast on black", ContrastDark, ContrastDark, &contrastDarkPalette},
	ContrastLight:    {"contrast-light", "high contrast on white", ContrastLight, ContrastLight, &contrastLightPalette},
	ColourBlind:      {"colour-blind", "no red against green, dark or light", ColourBlindDark, ColourBlindLight, nil},
	ColourBlindDark:  {"colour-blind-dark", "blue, orange and yellow on a dark background", ColourBlindDark, ColourBlindDark, &blindDarkPalette},
	ColourBlindLight: {"colour-blind-light", "blue, orange and wine on a light background", ColourBlindLight, ColourBlindLight, &blindLightPalette},
}

// Names lists every name, in the order in which they are offered.
func Names() []Name {
	all := make([]Name, names)
	for i := range all {
		all[i] = Name(i)
	}
	return all
}

// Words lists the words of every name, in the same order.
func Words() []string {
	words := make([]string, names)
	for i := range words {
		words[i] = themes[i].word
	}
	return words
}

// String returns the word by which ParseName knows the theme.
func (n Name) String() string { return themes[n].word }

// Meaning describes the theme in a clause.
func (n Name) Meaning() string { return themes[n].meaning }

// ParseName reads the word of a theme; "" is Auto. The error lists the words and does not repeat the text.
func ParseName(text string) (Name, error) {
	if text == "" {
		return Auto, nil
	}
	for n := range names {
		if themes[n].word == text {
			return n, nil
		}
	}
	return Auto, fmt.Errorf("not a theme: there are %s", strings.Join(Words(), ", "))
}

// palette is the palette of the theme on a dark background, or on a light one.
func (n Name) palette(dark bool) *palette {
	row := &themes[n]
	if dark {
		return themes[row.dark].palette
	}
	return themes[row.light].palette
}
