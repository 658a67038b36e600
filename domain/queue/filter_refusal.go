package queue

import (
	"fmt"
	"strings"

	"docket/domain/terms"
)

// A filter that cannot be read is refused with the keys or values that are most like the typed one,
// which is not repeated: it may be private.

const nearest = 3

func refuseKey(key string) error {
	var keys []string
	for i := range filterKeys {
		keys = append(keys, filterKeys[i].Key)
	}
	keys = terms.Nearest(key, keys, terms.Distance)
	for i := range keys {
		keys[i] += ":"
	}
	return fmt.Errorf("%s: is no key; the nearest are %s; a word with a colon in it is found behind id: alone", key, oneOf(keys[:nearest]))
}

func refuseValue(key, value string, words []string) error {
	words = terms.Nearest(value, words, distanceToPart)
	if len(words) <= nearest {
		return fmt.Errorf("%s: takes %s", key, oneOf(words))
	}
	return fmt.Errorf("%s: has no such value; the nearest are %s", key, oneOf(words[:nearest]))
}

// connectives are words that a filter does not take by themselves, with what to write.
var connectives = map[string]string{
	"and": "leave it out: all terms of a filter have to hold",
	"or":  "name several values behind one key, such as blocker:notice_missing,deadline_missing",
	"not": "write - before the term, such as -is:decided",
}

func oneOf(words []string) string {
	last := len(words) - 1
	return fmt.Sprintf("%s or %s", strings.Join(words[:last], ", "), words[last])
}

// distanceToPart is the least distance to a run of the code's words: a part is a value, too.
func distanceToPart(typed, code string) int {
	words, least := strings.Split(code, "_"), terms.Distance(typed, code)
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			least = min(least, terms.Distance(typed, strings.Join(words[from:to], "_")))
		}
	}
	return least
}
