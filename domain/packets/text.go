package packets

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"docket/domain/json"
	"docket/domain/private"
)

// MaxTextLength is in characters (Unicode code points).
const MaxTextLength = 2000

// A Text is free text of a case, zero if absent; of a private detail only the kind is kept.
type Text struct {
	value   string
	kinds   private.Kinds
	present bool // and holds something to be seen
	erased  bool
}

// Present reports whether the record has the text, masked or not, with a visible character.
func (t Text) Present() bool { return t.present }

// blank are the characters that Unicode counts among letters and symbols though they show nothing.
const blank = "\u2800\u115f\u1160\u3164\uffa0"

// Legible reports whether a character is visible: a letter, number, punctuation mark or symbol.
func Legible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !strings.ContainsRune(blank, r)
	})
}

// Masked reports whether the text is not kept: private, or withheld until the case is redacted.
func (t Text) Masked() bool { return !t.kinds.Empty() }

// Safe reports whether the text is present and not masked: a masked summary is not privacy-safe.
func (t Text) Safe() bool { return t.present && !t.Masked() }

// Erased reports whether the text was erased after it came in.
func (t Text) Erased() bool { return t.erased }

// ErasedText stands where an erased text would be shown.
const ErasedText = "[erased]"

// String returns the text, or in its place the mask that says what was found, or ErasedText. It may
// hold hostile characters: a caller that prints it does so through package visible.
func (t Text) String() string {
	if t.erased && t.value != "" {
		return "[" + t.value + "]"
	}
	if t.erased {
		return ErasedText
	}
	switch {
	case t.kinds.Has(private.Unredacted):
		return fmt.Sprintf("[%s]", private.Unredacted)
	case t.Masked():
		return fmt.Sprintf("[masked: %s]", strings.Join(t.kinds.Texts(), ", "))
	}
	return t.value
}

// A Salt, 22 to 128 random ASCII letters and digits, keeps a text from being guessed by its digest.
type Salt string

// Valid reports whether the salt has that form.
func (s Salt) Valid() bool {
	return len(s) >= 22 && len(s) <= 128 && !strings.ContainsFunc(string(s), func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	})
}

var saltCodec = NewCodec(SaltField("salt", func(s *Salt) *Salt { return s }))

func saltMember[R any](name string, at func(R) *Salt) Member[R] {
	return json.NewMember(name, json.Form{Kind: json.FormString}, func(r R, v json.Value, _ *Reading) *json.Fault {
		*at(r) = Salt(v.Text())
		return json.FaultUnless(at(r).Valid(), v, "must have 22 to 128 ASCII letters and digits")
	})
}

// Document is the salt in canonical form: {"salt"}.
func (s Salt) Document() []byte { return saltCodec.Append(nil, &s) }

// ErrSalt says that a document is no salt as Salt.Document writes it.
var ErrSalt = errors.New("it is not a salt")

// ReadSalt reads what Salt.Document wrote. The error wraps ErrSalt.
func (r *Reader) ReadSalt(document []byte) (s Salt, err error) {
	if !saltCodec.Decode(r, document, &s) {
		return "", ErrSalt
	}
	return s, nil
}
