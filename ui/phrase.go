package ui

import (
	"strconv"
	"strings"
)

// spaced writes a word of a vocabulary for reading.
func spaced(word string) string { return strings.ReplaceAll(word, "_", " ") }

// orDash writes something where there is nothing.
func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func trimmed(text string) string { return strings.TrimSpace(text) }

// capital starts a sentence.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// thousands writes a count: 12,345.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// plural counts things: "1 blocker holds" and "2 blockers hold" differ in their words only.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}
