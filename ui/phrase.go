package ui

import (
	"strings"

	"docket/domain"
	"docket/ui/wording"
)

// The names under which this package uses what it shares with the plain console.

func capital(text string) string            { return wording.Capital(text) }
func thousands(n int) string                { return wording.Thousands(n) }
func plural(n int, one, many string) string { return wording.Plural(n, one, many) }
func moment(at domain.Instant) string       { return wording.Moment(at) }
func whyNotDecide(d *domain.Dossier, s *scene) string {
	return wording.WhyNotDecide(d, s.reviewer, s.locked, s.keyless)
}

// orDash writes something where there is nothing.
func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func trimmed(text string) string { return strings.TrimSpace(text) }
