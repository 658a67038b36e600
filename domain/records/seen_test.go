package records_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/records"
)

// A statement and a note say only what is seen; the refusal names the character and no word of the text.
func TestWhatIsNotSeenIsRefusedInAStatementAndInANote(t *testing.T) {
	for text, code := range map[string]string{"The \u202enotice": "U+202E", "The\u200b notice": "U+200B", "The \x1b[31mnotice": "U+001B"} {
		for _, err := range []error{records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()} {
			if !errors.Is(err, records.ErrRefused) || !strings.Contains(err.Error(), code) || strings.Contains(err.Error(), "notice") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"The notice\ncame late.", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"} {
		if err := errors.Join(records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAReasonToSkipHoldsNoPrivateDetail(t *testing.T) {
	for text, ok := range map[string]bool{"waits for the bank": true, "": false, "jane.roe@example.org is away": false, "call +49 171 1234567": false} {
		err := records.CheckSkipReason(text)
		if (err == nil) != ok || err != nil && (!errors.Is(err, records.ErrRefused) || strings.Contains(err.Error(), "jane")) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
