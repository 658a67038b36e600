package decision_test

import (
	"strings"
	"testing"

	"docket/domain/terms"
	"docket/ui/decision"
)

func TestATextOfOnesOwnIsReadFromMarkdown(t *testing.T) {
	for name, c := range map[string]struct {
		document string
		want     decision.Prepared
		fault    string
	}{
		"a heading and a text": {"# Counted twice\n\nThe receipt\nis there twice.\n", decision.Prepared{Heading: "Counted twice", Text: "The receipt\nis there twice."}, ""},
		"narrowed": {"# Notice\r\noutcome: close_unresolved\r\n\r\ntrigger: duplicate_proof\r\n\r\nNobody was told.",
			decision.Prepared{Heading: "Notice", Trigger: terms.DuplicateProof, Outcome: terms.CloseUnresolved, Text: "Nobody was told."}, ""},
		"a colon in the text":   {"# A\nSee: the receipt.", decision.Prepared{Heading: "A", Text: "See: the receipt."}, ""},
		"nothing":               {"", decision.Prepared{}, "no heading"},
		"no heading":            {"The receipt.", decision.Prepared{}, "no heading"},
		"an empty heading":      {"# \nThe receipt.", decision.Prepared{}, "no heading"},
		"no text":               {"# A\ntrigger: duplicate_proof\n", decision.Prepared{}, "no text"},
		"an unknown trigger":    {"# A\ntrigger: secret-word\nText.", decision.Prepared{}, "line trigger"},
		"an unknown outcome":    {"# A\noutcome:\nText.", decision.Prepared{}, "line outcome"},
		"a control character":   {"# A\nText.\x1b[2J", decision.Prepared{}, "do not print"},
		"a right-to-left trick": {"# A\nText.\u202e", decision.Prepared{}, "do not print"},
	} {
		got, err := decision.ReadPrepared(c.document)
		switch {
		case c.fault == "" && (err != nil || got != c.want):
			t.Errorf("%s: %+v, %v", name, got, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "secret-word")):
			t.Errorf("%s: %v", name, err)
		}
	}
}
