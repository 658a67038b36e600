package domain

import (
	"slices"
	"strings"
)

// CompleteFilter lists what a word of a filter can become: the keys that begin with it, each with its colon, or, behind
// the colon of a key with a closed list, the values that hold what stands there, those first that begin with it. A
// leading - stays. It is nil where nothing is known to fit, as for an id.
func CompleteFilter(word string) []string {
	rest, negated := strings.CutPrefix(strings.ToLower(word), "-")
	before := ""
	if negated {
		before = "-"
	}
	key, part, keyed := strings.Cut(rest, ":")
	var first, then []string
	for i := range filterKeys {
		known := &filterKeys[i]
		if !keyed && strings.HasPrefix(known.Key, key) {
			first = append(first, before+known.Key+":")
		}
		if !keyed || known.Key != key {
			continue
		}
		for _, value := range known.Values {
			text := before + key + ":" + value
			switch {
			case slices.Contains(first, text) || slices.Contains(then, text):
			case strings.HasPrefix(value, part):
				first = append(first, text)
			case strings.Contains(value, part):
				then = append(then, text)
			}
		}
	}
	return append(first, then...)
}
