package visible_test

import (
	"encoding/json"
	"testing"

	"docket/domain/visible"
)

func TestHonestWritingIsNotDeceptive(t *testing.T) {
	for _, text := range []string{"", "Plain words.", "Two\nlines.", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937",
		"\u26a0\ufe0f", "\U0001f469\u200d\U0001f4bb", "\U0001f44d\U0001f3fd", "\u00ab\u00a0mot\u00a0\u00bb", "\u05e9\u05dc\u05d5\u05dd"} {
		if r := visible.Deceptive(text); r >= 0 {
			t.Errorf("%q: %U", text, r)
		}
	}
}

func TestWhatIsNotSeenOrReordersIsDeceptive(t *testing.T) {
	for text, want := range map[string]rune{"a\u202eb": 0x202e, "a\u200bb": 0x200b, "\x1b[2J": 0x1b, "a\rb": '\r', "a\tb": '\t', "a\u200db": 0x200d,
		"\u0645\u200c": 0x200c, "\u200d\u26a0": 0x200d, "a\ufe0f": 0xfe0f, "\u2066x": 0x2066, "\u2028": 0x2028, "\ufeffa": 0xfeff, "\x9b": 0xfffd, "\U000e0041": 0xe0041} {
		if got := visible.Deceptive(text); got != want {
			t.Errorf("%q: %U, not %U", text, got, want)
		}
	}
}

func TestJSONHoldsTheSameWithEscapes(t *testing.T) {
	const text = "Z\u00fcrich \u202e\u200b\U000e0041 \u6771"
	plain, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	escaped := visible.JSON(plain)
	if want := "\"Z\u00fcrich \\u202e\\u200b\\udb40\\udc41 \u6771\""; string(escaped) != want {
		t.Errorf("%s", escaped)
	}
	var back string
	if err := json.Unmarshal(escaped, &back); err != nil || back != text {
		t.Errorf("%q, %v", back, err)
	}
}
