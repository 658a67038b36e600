package wording_test

import (
	"testing"

	"docket/domain/terms"
	"docket/ui/wording"
)

func TestCountsAreWrittenForReading(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -1234: "-1,234", -123: "-123", 12345678: "12,345,678"} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("%d is written %s", n, got)
		}
	}
	if got := wording.Plural(1, "case", "cases") + ", " + wording.Plural(0, "case", "cases") + ", " + wording.Plural(2000, "case", "cases"); got != "1 case, 0 cases, 2,000 cases" {
		t.Error(got)
	}
	if got := wording.Moment(terms.Instant{}); got != "–" {
		t.Errorf("no time is written %s", got)
	}
}

func TestASentenceBeginsWithACapitalAndOnlyItsFirstLetterChanges(t *testing.T) {
	for text, want := range map[string]string{"": "", "a case": "A case", "A case": "A case", "écrit": "écrit", "\xffx": "\xffx", "1 case": "1 case"} {
		if got := wording.Capital(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
