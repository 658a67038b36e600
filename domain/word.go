package domain

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Word is one word of the closed vocabulary K. The zero value stands for an absent word: it prints as "", it is in
// no Set, and no rule takes it for a good value. Words compare with == and sort in the order of their vocabulary.
type Word[K kind] uint8

// kind is implemented by one empty struct a vocabulary; it leads from the type to the words.
type kind interface{ words() *wordList }

// wordList is the one place where the words of a vocabulary stand. words[i] is the text of Word(i+1).
type wordList struct {
	name  string
	words []string
}

func (w Word[K]) list() *wordList { var k K; return k.words() }

// String returns the word as it stands in packets, records and the contracts; "" for an absent one.
func (w Word[K]) String() string {
	l := w.list()
	if w == 0 || int(w) > len(l.words) {
		return ""
	}
	return l.words[w-1]
}

// Label returns the word for reading: with spaces in place of underscores.
func (w Word[K]) Label() string { return strings.ReplaceAll(w.String(), "_", " ") }

// Present tells whether there is a word.
func (w Word[K]) Present() bool { return w != 0 && int(w) <= len(w.list().words) }

// MarshalJSON writes the word as a JSON string, an absent one as null.
func (w Word[K]) MarshalJSON() ([]byte, error) {
	if !w.Present() {
		return []byte("null"), nil
	}
	return []byte(`"` + w.String() + `"`), nil
}

// UnmarshalJSON reads a word, or null for an absent one. Any other text is an error that does not repeat it.
func (w *Word[K]) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*w = 0
		return nil
	}
	parsed, err := Vocabulary[K]{}.Parse(strings.Trim(string(text), `"`))
	*w = parsed
	return err
}

// A Vocabulary lists the words of K. Its zero value is ready to use.
type Vocabulary[K kind] struct{}

// Name says what the words are words for, for example "appeal case status".
func (Vocabulary[K]) Name() string { return Word[K](0).list().name }

// Len is the number of words.
func (Vocabulary[K]) Len() int { return len(Word[K](0).list().words) }

// All returns every word in the vocabulary's order.
func (v Vocabulary[K]) All() []Word[K] {
	all := make([]Word[K], v.Len())
	for i := range all {
		all[i] = Word[K](i + 1)
	}
	return all
}

// Texts returns every word as text, in the vocabulary's order.
func (v Vocabulary[K]) Texts() []string {
	return append([]string(nil), Word[K](0).list().words...)
}

// Parse returns the word written as text. A text that is no word is an error, which does not repeat the text.
func (v Vocabulary[K]) Parse(text string) (Word[K], error) {
	for i, word := range Word[K](0).list().words {
		if word == text {
			return Word[K](i + 1), nil
		}
	}
	return 0, fmt.Errorf("not a word of the vocabulary %q", v.Name())
}

// parseBytes is Parse for the reader, which holds bytes and has no use for an error text.
func (Vocabulary[K]) parseBytes(text []byte) Word[K] {
	for i, word := range Word[K](0).list().words {
		if word == string(text) {
			return Word[K](i + 1)
		}
	}
	return 0
}

// A Set holds words of one vocabulary, at most 63 of them. The zero value is the empty set.
type Set[K kind] uint64

// SetOf returns the set of the given words; absent ones are left out.
func SetOf[K kind](words ...Word[K]) Set[K] {
	var s Set[K]
	for _, w := range words {
		s = s.With(w)
	}
	return s
}

// With returns the set and w. An absent word changes nothing.
func (s Set[K]) With(w Word[K]) Set[K] {
	if !w.Present() {
		return s
	}
	return s | 1<<w
}

// Without returns the set less w.
func (s Set[K]) Without(w Word[K]) Set[K] { return s &^ (1 << w) }

// Union returns the words of either set.
func (s Set[K]) Union(other Set[K]) Set[K] { return s | other }

// Minus returns the words of s that are not in other.
func (s Set[K]) Minus(other Set[K]) Set[K] { return s &^ other }

// Has tells whether w is in the set. An absent word never is.
func (s Set[K]) Has(w Word[K]) bool { return w != 0 && s&(1<<w) != 0 }

// Empty tells whether the set holds no word.
func (s Set[K]) Empty() bool { return s == 0 }

// Len is the number of words in the set.
func (s Set[K]) Len() int { return bits.OnesCount64(uint64(s)) }

// Words returns the words in the vocabulary's order; an empty, non-nil slice for the empty set.
func (s Set[K]) Words() []Word[K] {
	words := make([]Word[K], s.Len())
	for i := range words {
		words[i] = Word[K](bits.TrailingZeros64(uint64(s)))
		s &^= 1 << words[i]
	}
	return words
}

// Texts returns the words as text, in the vocabulary's order; never nil.
func (s Set[K]) Texts() []string {
	texts := make([]string, s.Len())
	for i, word := range s.Words() {
		texts[i] = word.String()
	}
	return texts
}
