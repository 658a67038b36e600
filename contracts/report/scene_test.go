package report_test

import (
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// The reports of the tests are made for one time and examined a minute later.
var (
	checkedAt = instant("2026-07-01T00:00:00Z")
	now       = instant("2026-07-01T00:01:00Z")
)

func instant(text string) terms.Instant {
	at, ok := terms.ParseInstant(text)
	if !ok {
		panic(text)
	}
	return at
}

func made(t testing.TB, kind report.Kind) report.Report {
	t.Helper()
	r, err := report.Of(kind, checkedAt)
	must(t, err)
	return r
}

// published is the report of a kind as a file.
func published(t testing.TB, kind report.Kind) []byte {
	t.Helper()
	return made(t, kind).JSON()
}

// must fails a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
