package serve_test

import (
	"slices"
	"testing"
)

// same fails the test unless both dumps hold the same.
func same(t testing.TB, before, after map[string][]string) {
	t.Helper()
	grown(t, before, after)
}

// grown fails the test unless the second dump is the first one, and in the tables of these names, more after it.
func grown(t testing.TB, before, after map[string][]string, tables ...string) {
	t.Helper()
	for table, rows := range before {
		now := after[table]
		if len(now) < len(rows) || !slices.Equal(now[:len(rows)], rows) {
			t.Errorf("%s has changed: there were %d rows, now there are %d", table, len(rows), len(now))
		}
	}
	for table, rows := range after {
		if len(rows) > len(before[table]) && !slices.Contains(tables, table) {
			t.Errorf("%s has grown from %d to %d rows", table, len(before[table]), len(rows))
		}
	}
}
