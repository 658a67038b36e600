package queue

import (
	"slices"
	"strings"
	"testing"
)

func TestAFilterWordBecomesAKeyOrAValueOfItsKey(t *testing.T) {
	for word, want := range map[string][]string{
		"ga":          {"gate:"},
		"-ga":         {"-gate:"},
		"S":           {"status:", "subject:"},
		"gate:":       {"gate:pass", "gate:blocked"},
		"gate:block":  {"gate:blocked"},
		"-is:":        {"-is:open", "-is:overdue", "-is:draft", "-is:decided", "-is:mine", "-is:skipped", "-is:rejected", "-is:waiting", "-is:closed", "-is:reassigned", "-is:new"},
		"is:mine":     {"is:mine"},
		"trigger:ERR": {"trigger:material_factual_error", "trigger:privacy_disclosure_error"},
		"mine":        {"is:mine"},
		"-overdue":    {"-is:overdue"},
		"open":        {"is:open"},
		"due:":        nil,
		"case-0041":   nil,
		"nokey:x":     nil,
		"gate:x":      nil,
	} {
		if got := CompleteFilter(word); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
	if got := CompleteFilter(""); len(got) != len(filterKeys) {
		t.Errorf("of nothing typed: %q", got)
	}
}

func TestCompletionsThatBeginAsTypedComeFirst(t *testing.T) {
	got := CompleteFilter("blocker:appeal")
	at := slices.IndexFunc(got, func(s string) bool { return !strings.HasPrefix(s, "blocker:appeal") })
	if len(got) == 0 || at >= 0 && slices.ContainsFunc(got[at:], func(s string) bool { return strings.HasPrefix(s, "blocker:appeal") }) {
		t.Errorf("%q", got)
	}
}

func TestEveryCompletionOfAValueIsAFilterAndStandsOnce(t *testing.T) {
	for _, key := range FilterKeys() {
		options := CompleteFilter(key.Key + ":")
		for i, option := range options {
			if _, err := ParseFilter(option); err != nil || slices.Contains(options[:i], option) {
				t.Errorf("%q: %v", option, err)
			}
		}
	}
}

func TestABareWordThatIsAValueIsOfferedAsItsFilter(t *testing.T) {
	for text, want := range map[string]string{
		"mine": "is:mine", "Mine -overdue": "is:mine -is:overdue", "case-1 mine": "case-1 is:mine", "case-1": "", "is:mine": "", "min": "", "": "",
	} {
		filter, err := ParseFilter(text)
		if err != nil || filter.Offer() != want {
			t.Errorf("%q offers %q: %v", text, filter.Offer(), err)
		}
	}
}
