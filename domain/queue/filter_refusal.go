package queue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A filter that cannot be read is refused with the keys, or the values of its key, that there are, those nearest to what was typed
// first. What was typed for a value is not repeated: it may be private.

// refuseKey is the error of a key that there is not.
func refuseKey(key string) error {
	var keys []string
	for i := range filterKeys {
		keys = append(keys, filterKeys[i].Key)
	}
	keys = nearest(key, keys, distance)
	for i := range keys {
		keys[i] += ":"
	}
	return fmt.Errorf("%s: is no key; a filter takes words, %s; a word with a colon in it is found behind id: alone", key, oneOf(keys))
}

// refuseValue is the error of a value that a key with a closed list does not take.
func refuseValue(key, value string, words []string) error {
	return fmt.Errorf("%s: takes %s", key, oneOf(nearest(value, words, distanceToPart)))
}

// oneOf lists words as alternatives.
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// nearest puts those of the words first that have the least distance to what was typed; those that are alike stay in their order.
func nearest(typed string, words []string, distance func(typed, word string) int) []string {
	if typed == "" {
		return words
	}
	near := slices.Clone(words)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distance(typed, a), distance(typed, b)) })
	return near
}

// distanceToPart is the least distance of what was typed to some of the words, one after the other, that a code is made of: part of a
// code is a value, too.
func distanceToPart(typed, code string) int {
	words, least := strings.Split(code, "_"), distance(typed, code)
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			least = min(least, distance(typed, strings.Join(words[from:to], "_")))
		}
	}
	return least
}

// distance is that of Levenshtein: how many characters have to be put in, taken out or replaced to make one word of the other.
func distance(typed, word string) int {
	to := []rune(word)
	row := make([]int, len(to)+1) // from what is typed so far to each beginning of the word
	for j := range row {
		row[j] = j
	}
	for i, a := range []rune(typed) {
		before := row[0]
		row[0] = i + 1
		for j, b := range to {
			replaced := before
			if a != b {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
