package terms

import (
	"slices"
	"sort"
)

// Nearest sorts the words by their distance from the typed text, the nearest first and equal ones
// in their order, as all are if nothing was typed.
func Nearest(typed string, words []string, distance func(typed, word string) int) []string {
	near := slices.Clone(words)
	if typed != "" {
		sort.SliceStable(near, func(i, j int) bool { return distance(typed, near[i]) < distance(typed, near[j]) })
	}
	return near
}

// Distance is that of Levenshtein: the fewest characters to insert, delete or replace.
func Distance(typed, word string) int {
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
