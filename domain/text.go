package domain

import (
	"strings"
	"unicode"

	"docket/domain/private"
)

// MaxTextLength is in characters (Unicode code points).
const MaxTextLength = 2000

// A Text is free text of a case. It never holds a private detail: where the scan finds one, what stays is that it was
// there and of which kind. The zero value is an absent text.
type Text struct {
	value   string
	kinds   private.Kinds
	present bool // and holds something to be seen
}

// Present tells whether the record has the text, masked or not. One without a visible character counts as absent.
func (t Text) Present() bool { return t.present }

// blank are the characters that Unicode counts among letters and symbols though they show nothing.
const blank = "\u2800\u115f\u1160\u3164\uffa0"

// Legible tells whether the text has a visible character: a letter, number, punctuation mark or symbol.
func Legible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !strings.ContainsRune(blank, r)
	})
}

// Masked tells whether private details were found in the text, which is then not kept.
func (t Text) Masked() bool { return !t.kinds.Empty() }

// String returns the text, or in its place the mask that says what was found. It may hold hostile characters: a
// caller that prints it does so through package visible.
func (t Text) String() string {
	if t.Masked() {
		return "[masked: " + strings.Join(t.kinds.Words(), ", ") + "]"
	}
	return t.value
}
