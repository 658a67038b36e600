package queue

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docket/domain/visible"
)

var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
	unicode.Lao, unicode.Khmer, unicode.Myanmar}

// folded is the words that visible.Fold leaves, with a blank on either side; in a script without
// blanks each character is a word, so that part of a text is found as a phrase.
func folded(text string) string {
	out := append(make([]byte, 0, len(text)+2), ' ')
	end := func() {
		if out[len(out)-1] != ' ' {
			out = append(out, ' ')
		}
	}
	for _, r := range visible.Fold(text) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r):
			end()
		case r >= utf8.RuneSelf && unicode.In(r, unspaced...):
			end()
			out = append(utf8.AppendRune(out, r), ' ')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	end()
	return string(out)
}

// A Sought asks an [Index] for a phrase in texts or a part of an id. Equal values ask the same.
type Sought struct {
	phrase string // its words, with a blank after each but the last
	begun  bool   // the last word may go on
	part   string // of an id, in lower case; "" where a phrase is sought
}

func soughtPhrase(text string, begun bool) (Sought, bool) {
	phrase := strings.TrimSpace(folded(text))
	return Sought{phrase: phrase, begun: begun}, phrase != ""
}

// Phrase is the words that are sought in texts; "" where part of an id is.
func (s Sought) Phrase() string { return s.phrase }

// Part is the part of an id that is sought, in lower case; "" where a phrase is.
func (s Sought) Part() string { return s.part }
