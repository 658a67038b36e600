package plain

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"docket/ui/phrase"
)

// together is how soon after its first key a word that a person types cannot be over.
const together = 50 * time.Millisecond

// askWord puts the final question and tells whether it was answered by the word. Otherwise text is what was typed. The
// word counts only if a person typed it here and now: nothing that was typed before the question was put, or so soon after
// that it cannot have been read, and nothing that arrives in one piece, as a paste does.
//
// Some terminals send whole lines only, a shell inside an editor or a keyboard for Braille among them. For those the word
// counts in one piece too, if a number that was shown only then follows it.
func (s *session) askWord() (taken bool, text string, err error) {
	number := ""
	for {
		s.news()
		typed, err := s.takeWord("Type " + phrase.Word + " to record it" + orNumber(number) + ":")
		switch {
		case err != nil:
			return false, "", err
		case typed.text == phrase.Word && !typed.together, number != "" && typed.text == phrase.Word+" "+number:
			return true, "", nil
		case typed.text != phrase.Word:
			return false, typed.text, nil
		}
		number = s.number()
		s.page.say("The word came in one piece, as a paste does, so it does not count. Type it letter by letter; if your "+
			"terminal sends whole lines only, type %s %s.", phrase.Word, number)
	}
}

func orNumber(number string) string {
	if number == "" {
		return ""
	}
	return ", or " + phrase.Word + " " + number
}

// A typedWord is an answer that was taken key by key.
type typedWord struct {
	text     string
	together bool // its keys came together, or faster than a person types
}

// takeWord puts a question and takes the answer. What was typed before is dropped; keys that come within the grace after
// the question was put are dropped, and begin the wait anew.
func (s *session) takeWord(question string) (word typedWord, err error) {
	keys, err := s.keys.letters()
	if err != nil {
		return typedWord{}, err
	}
	defer func() { err = errors.Join(err, keys.done()) }()
	s.page.ask(question)
	if s.page.err != nil {
		return typedWord{}, s.page.err
	}
	quiet, warned := s.clock().Add(phrase.Grace), false
	var typed []byte
	var first time.Time
	for {
		got, err := keys.next()
		now := s.clock()
		switch {
		case err != nil:
			return typedWord{}, err
		case now.Before(quiet):
			quiet = now.Add(phrase.Grace)
			if !warned {
				warned = true
				s.page.fresh()
				s.page.say("That was typed before the question could be read, so it does not count.")
				s.page.ask(question)
			}
			continue
		case len(typed) == 0:
			first = now
		}
		word.together = word.together || len(got) > 1
		for _, key := range got {
			switch key {
			case '\n', '\r':
				word.text, word.together = string(typed), word.together || now.Sub(first) < together
				s.page.answered(word.text, s.keys.echoes())
				return word, nil
			case endOfInput:
				return typedWord{}, io.EOF
			case '\b', 0x7f:
				typed = typed[:max(len(typed)-1, 0)]
			default:
				typed = append(typed, key)
			}
		}
		if len(typed) > longestLine {
			typed = typed[:longestLine]
		}
	}
}

// endOfInput is what Control-D sends where a terminal hands out keys as they are.
const endOfInput = 4

// randomNumber is four digits.
func randomNumber() string {
	number, err := rand.Int(rand.Reader, big.NewInt(9000))
	if err != nil {
		panic(err) // crypto/rand does not fail on the systems that Go supports
	}
	return fmt.Sprint(1000 + number.Int64())
}
