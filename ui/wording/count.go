package wording

import (
	"strconv"
	"strings"

	"docket/domain"
)

// Spaced writes a word of a vocabulary for reading: blanks in place of underscores.
func Spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

// Capital starts a sentence: a small ASCII letter at the beginning becomes a capital.
func Capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Thousands writes a count: 12,345.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Plural counts things: "1 blocker holds" and "2 blockers hold" differ in their words only.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Moment writes a time for reading, to the minute, in UTC; "–" for an absent one.
func Moment(at domain.Instant) string {
	if !at.Present() {
		return "–"
	}
	return at.Time().Format("2006-01-02 15:04Z")
}

// OrDash writes "–" for an empty text.
func OrDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
