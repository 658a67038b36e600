package visible

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text as searches compare it: as one however it is composed, in full width or as a
// ligature, in any case, with or without soft hyphens, joiners and variation selectors.
func Fold(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range norm.NFKC.String(text) {
		switch r = unicode.ToLower(unicode.ToUpper(r)); {
		case r == 'ß':
			out = append(out, "ss"...)
		case r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}
