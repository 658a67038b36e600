package queue

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The words of a text are its runs of letters, marks and digits, in lower case. Each character of a script that writes without
// blanks is a word of its own, so that part of a text is found as a phrase.

// unspaced are the scripts that write without blanks.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// eachWord calls with for each word of a text in turn. The bytes are good until the next call.
func eachWord(text string, with func(word []byte)) {
	var word []byte
	end := func() {
		if len(word) > 0 {
			with(word)
			word = word[:0]
		}
	}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf && !isWordByte(byte(r)), r >= utf8.RuneSelf && !unicode.In(r, unicode.L, unicode.M, unicode.N):
			end()
		case r >= utf8.RuneSelf && unicode.In(r, unspaced...):
			end()
			word = utf8.AppendRune(word, r)
			end()
		default:
			word = utf8.AppendRune(word, unicode.ToLower(r))
		}
	}
	end()
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// wordsOf lists the words of a text.
func wordsOf(text string) (words []string) {
	eachWord(text, func(word []byte) { words = append(words, string(word)) })
	return words
}

// A Sought is a question of a filter to an [Index]: a phrase in the texts of a row, or part of one of its ids. Equal values ask
// the same.
type Sought struct {
	phrase string // its words, with a blank after each but the last
	begun  bool   // the last word may go on
	part   string // of an id, in lower case; "" where a phrase is sought
}

// soughtPhrase is a phrase of the words of a text; false if it has none.
func soughtPhrase(text string, begun bool) (Sought, bool) {
	phrase := strings.Join(wordsOf(text), " ")
	return Sought{phrase: phrase, begun: begun}, phrase != ""
}

// Phrase is the words that are sought in texts; "" where part of an id is.
func (s Sought) Phrase() string { return s.phrase }

// Part is the part of an id that is sought, in lower case; "" where a phrase is.
func (s Sought) Part() string { return s.part }
