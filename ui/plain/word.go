package plain

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"

	"docket/domain/visible"
	"docket/ui/decision"
	"docket/ui/tty"
)

// together is the shortest time in which a person can type the word.
const together = 50 * time.Millisecond

// askWord puts the final question and reports whether it was answered with the word, else with
// which text; the word counts only if a person typed it here and now: not before the question, not
// too soon after it to have been read, and not in one piece, as a paste arrives.
//
// Some terminals send whole lines only, such as a shell inside an editor or a Braille keyboard.
// There the word counts in one piece if it is followed by a number that was shown only then.
func (s *session) askWord(word, question string) (taken bool, text string, err error) {
	number := ""
	for {
		s.sayProof()
		s.tellNotes()
		typed, err := s.takeWord(word, question+orNumber(word, number)+":")
		switch {
		case err != nil:
			return false, "", err
		case typed.text == word && !typed.together, number != "" && typed.text == word+" "+number:
			return true, "", nil
		case number != "":
			s.page.say("The number %s no longer counts.", number)
		}
		if typed.text != word {
			return false, typed.text, nil
		}
		number = s.number()
		s.page.say("Pasted text does not count. Type it; if your terminal sends whole lines only, type %s %s.", word, number)
	}
}

func orNumber(word, number string) string {
	if number == "" {
		return ""
	}
	return fmt.Sprintf(", or %s %s", word, number)
}

type typedWord struct {
	text     string
	together bool      // it came in one piece, or faster than a person can type
	first    time.Time // of its keys
	pieces   int       // how many pieces its keys came in, without Enter
	after    string    // came together with its Enter
}

// takeWord drops keys typed before the question; those within the grace after it restart the wait.
func (s *session) takeWord(wanted, question string) (word typedWord, err error) {
	keys, err := s.keys.Letters()
	if err != nil {
		return typedWord{}, err
	}
	defer func() {
		err = errors.Join(err, keys.Done())
		if err == nil {
			s.sayDropped(word.after)
		}
	}()
	s.sayDropped("")
	s.page.ask(question)
	if s.page.err != nil {
		return typedWord{}, s.page.err
	}
	quiet, warned := s.clock().Add(decision.Grace), false
	for {
		got, err := keys.Next()
		now := s.clock()
		if err != nil {
			return typedWord{}, err
		}
		if now.Before(quiet) {
			quiet = now.Add(decision.Grace)
			if !warned {
				warned = true
				s.page.fresh()
				s.page.say("That was typed before the question could be read, so it does not count.")
				s.page.ask(question)
			}
			continue
		}
		over, err := word.take(wanted, got, now, s.page, keys.Hidden())
		switch {
		case err != nil:
			return typedWord{}, err
		case over && keys.Hidden():
			s.page.fresh()
			return word, nil
		case over:
			s.page.answered(word.text, s.keys.Echoes())
			return word, nil
		}
	}
}

// take adds keys that came together, as a slow line delivers them; keys that are not echoed go to
// the page, the one that deletes too, since nothing is removed from it.
func (w *typedWord) take(wanted string, keys []byte, now time.Time, p *printer, hidden bool) (over bool, err error) {
	if w.first.IsZero() {
		w.first = now
	}
	if keys[0] != '\n' && keys[0] != '\r' {
		w.pieces++
	}
	w.together = w.together || strings.Contains(string(keys), wanted)
	for i, key := range keys {
		switch key {
		case '\n', '\r':
			w.after = string(keys[i+1:])
			w.together = w.together || w.pieces < 2 || now.Sub(w.first) < together
			return true, nil
		case endOfInput:
			return false, io.EOF
		case '\b', 0x7f:
			w.text = w.text[:max(len(w.text)-1, 0)]
		default:
			if len(w.text) < tty.LongestLine {
				w.text += string([]byte{key})
			}
		}
		if hidden {
			p.write(visible.String(string([]byte{key})))
		}
	}
	return false, nil
}

const endOfInput = 4

func randomNumber() string {
	number, err := rand.Int(rand.Reader, big.NewInt(9000))
	if err != nil {
		panic(err) // crypto/rand does not fail on the systems that Go supports
	}
	return fmt.Sprint(1000 + number.Int64())
}
