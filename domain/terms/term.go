// Package terms holds the words of the contracts: the closed vocabularies and the small values that
// every other layer of domain is made of.
//
// A [Term] is one word of a vocabulary, a [Set] holds several, and [Terms] lists all of them. Each
// vocabulary stands in one list, from which parsing, printing, schemas and help derive: shared.go
// has those of both areas, appeals.go and amendments.go those of one. The zero value of each type
// is an absent one, which no rule takes for a good value: an absent [ID], [Hash] or [Instant], a
// [Flag] that is neither yes nor no, and a [Gate] that is blocked.
package terms

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Term is a word of the closed vocabulary K. The zero value is an absent one: it prints as "", is
// in no Set, and no rule takes it for good. Terms compare with == and sort in vocabulary order.
type Term[K Kind] uint8

// A Kind is implemented by one empty struct for each vocabulary. It leads from the type to the
// words, which must always be the same:
//
//	type Colour = terms.Term[colourKind]
type Kind interface{ WordList() *WordList }

// A WordList holds the words of a vocabulary. words[i] is the text of Term(i+1).
type WordList struct {
	name  string
	words []string
}

// NewWordList returns the list of at most 63 words; name says what they name.
func NewWordList(name string, words ...string) *WordList { return &WordList{name, words} }

// Texts returns every word as text, in the list's order.
func (l *WordList) Texts() []string { return append([]string(nil), l.words...) }

// Place is the place of a word in the list, from 1; 0 if it is not in it.
func (l *WordList) Place(word AnyTerm) uint8 {
	for i := range l.words {
		if l.words[i] == string(word) {
			return uint8(i + 1)
		}
	}
	return 0
}

// At is the word at a place of the list; "" for a place that is not in it.
func (l *WordList) At(place uint8) AnyTerm {
	if place == 0 || int(place) > len(l.words) {
		return ""
	}
	return AnyTerm(l.words[place-1])
}

func (w Term[K]) list() *WordList { var k K; return k.WordList() }

// String returns the word as it stands in packets, records and the contracts; "" for an absent one.
func (w Term[K]) String() string {
	l := w.list()
	if w == 0 || int(w) > len(l.words) {
		return ""
	}
	return l.words[w-1]
}

// Label returns the word for reading: with spaces in place of underscores.
func (w Term[K]) Label() string { return strings.ReplaceAll(w.String(), "_", " ") }

// Present reports whether there is a word.
func (w Term[K]) Present() bool { return w != 0 && int(w) <= len(w.list().words) }

// MarshalJSON writes the word as a JSON string, an absent one as null.
func (w Term[K]) MarshalJSON() ([]byte, error) {
	if !w.Present() {
		return []byte("null"), nil
	}
	return []byte(`"` + w.String() + `"`), nil
}

// UnmarshalJSON reads a word, or null for an absent one. An error does not repeat the text.
func (w *Term[K]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*w = 0
		return nil
	}
	parsed, err := Terms[K]{}.Parse(strings.Trim(string(text), `"`))
	*w = parsed
	return err
}

// A Terms lists the words of K. Its zero value is ready to use.
type Terms[K Kind] struct{}

// List returns the list of the words.
func (Terms[K]) List() *WordList { return Term[K](0).list() }

// Name says what the words name, for example "appeal case status".
func (Terms[K]) Name() string { return Term[K](0).list().name }

// Len is the number of words.
func (Terms[K]) Len() int { return len(Term[K](0).list().words) }

// All returns every word in the vocabulary's order.
func (v Terms[K]) All() []Term[K] {
	all := make([]Term[K], v.Len())
	for i := range all {
		all[i] = Term[K](i + 1)
	}
	return all
}

// Texts returns every word as text, in the vocabulary's order.
func (v Terms[K]) Texts() []string {
	return v.List().Texts()
}

// Parse returns the word written as text; the error for a text that is no word does not repeat it.
func (v Terms[K]) Parse(text string) (Term[K], error) {
	for i, word := range Term[K](0).list().words {
		if word == text {
			return Term[K](i + 1), nil
		}
	}
	return 0, fmt.Errorf("not a word of the vocabulary %q", v.Name())
}

// ParseBytes is Parse for bytes and without an error: a text that is no word gives an absent word.
func (Terms[K]) ParseBytes(text []byte) Term[K] {
	for i, word := range Term[K](0).list().words {
		if word == string(text) {
			return Term[K](i + 1)
		}
	}
	return 0
}

// A Set holds words of one vocabulary, at most 63 of them. The zero value is the empty set.
type Set[K Kind] uint64

// SetOf returns the set of the given words; absent ones are left out.
func SetOf[K Kind](words ...Term[K]) Set[K] {
	var s Set[K]
	for _, w := range words {
		s = s.With(w)
	}
	return s
}

// With returns the set and w. An absent word changes nothing.
func (s Set[K]) With(w Term[K]) Set[K] {
	if !w.Present() {
		return s
	}
	return s | 1<<w
}

// Without returns the set less w.
func (s Set[K]) Without(w Term[K]) Set[K] { return s &^ (1 << w) }

// Union returns the words of either set.
func (s Set[K]) Union(other Set[K]) Set[K] { return s | other }

// Minus returns the words of s that are not in other.
func (s Set[K]) Minus(other Set[K]) Set[K] { return s &^ other }

// Has reports whether w is in the set. An absent word never is.
func (s Set[K]) Has(w Term[K]) bool { return w != 0 && s&(1<<w) != 0 }

// Empty reports whether the set holds no word.
func (s Set[K]) Empty() bool { return s == 0 }

// Len is the number of words in the set.
func (s Set[K]) Len() int { return bits.OnesCount64(uint64(s)) }

// Terms returns the terms in the vocabulary's order; an empty, non-nil slice for the empty set.
func (s Set[K]) Terms() []Term[K] {
	words := make([]Term[K], s.Len())
	for i := range words {
		words[i] = Term[K](bits.TrailingZeros64(uint64(s)))
		s &^= 1 << words[i]
	}
	return words
}

// Texts returns the words as text, in the vocabulary's order; never nil.
func (s Set[K]) Texts() []string {
	texts := make([]string, s.Len())
	for i, word := range s.Terms() {
		texts[i] = word.String()
	}
	return texts
}

// AnyTerm is a word of one of several vocabularies, as text; "" where it is absent.
type AnyTerm string

// Label returns the word for reading: with spaces in place of underscores.
func (w AnyTerm) Label() string { return strings.ReplaceAll(string(w), "_", " ") }

// MarshalJSON writes the word as a string, an absent one as null.
func (w AnyTerm) MarshalJSON() ([]byte, error) {
	if w == "" {
		return []byte("null"), nil
	}
	return []byte(`"` + string(w) + `"`), nil
}

// Declared is a list of words that a record may declare, the empty list included: that says "none",
// while an absent list says nothing, which blocks.
type Declared[K Kind] struct {
	Set     Set[K]
	present bool
}

// Present reports whether the record declares the list at all.
func (d Declared[K]) Present() bool { return d.present }

// Has reports whether the list is there and holds the word.
func (d Declared[K]) Has(w Term[K]) bool { return d.present && d.Set.Has(w) }

// Declare returns the list of the words of a set, which may be empty.
func Declare[K Kind](words Set[K]) Declared[K] { return Declared[K]{words, true} }
