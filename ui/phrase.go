package ui

import (
	"strings"

	"docket/domain"
	"docket/ui/phrase"
)

// The names under which this package uses what it shares with the plain console.

func capital(text string) string            { return phrase.Capital(text) }
func thousands(n int) string                { return phrase.Thousands(n) }
func plural(n int, one, many string) string { return phrase.Plural(n, one, many) }
func moment(at domain.Instant) string       { return phrase.Moment(at) }
func whyNotDecide(d *domain.Dossier, s *scene) string {
	return phrase.WhyNotDecide(d, s.reviewer, s.locked, s.keyless)
}

// orDash writes something where there is nothing.
func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func trimmed(text string) string { return strings.TrimSpace(text) }
