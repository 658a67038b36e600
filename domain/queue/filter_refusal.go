package queue

import (
	"fmt"
	"strings"

	"docket/domain/terms"
)

// A filter that cannot be read is refused with a list of the keys, or of the values of its key, those most like the typed one
// first. A typed value is not repeated: it may be private.

// refuseKey is the error for an unknown key.
func refuseKey(key string) error {
	var keys []string
	for i := range filterKeys {
		keys = append(keys, filterKeys[i].Key)
	}
	keys = terms.Nearest(key, keys, terms.Distance)
	for i := range keys {
		keys[i] += ":"
	}
	return fmt.Errorf("%s: is no key; a filter takes words, %s; a word with a colon in it is found behind id: alone", key, oneOf(keys))
}

// refuseValue is the error for a value that a key with a closed list does not take.
func refuseValue(key, value string, words []string) error {
	return fmt.Errorf("%s: takes %s", key, oneOf(terms.Nearest(value, words, distanceToPart)))
}

// oneOf lists words as alternatives.
func oneOf(words []string) string {
	last := len(words) - 1
	return fmt.Sprintf("%s or %s", strings.Join(words[:last], ", "), words[last])
}

// distanceToPart is the least distance from the typed text to a run of the words of a code: part of a code is a value, too.
func distanceToPart(typed, code string) int {
	words, least := strings.Split(code, "_"), terms.Distance(typed, code)
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			least = min(least, terms.Distance(typed, strings.Join(words[from:to], "_")))
		}
	}
	return least
}
