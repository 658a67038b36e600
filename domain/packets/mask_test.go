package packets_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/terms"
	"docket/domain/views"
)

// One text for each kind of private detail.
var privateTexts = map[string]string{
	"e-mail address":            "Write to canary.person@example.org.",
	"phone number":              "Call canary at +49 171 2345678.",
	"IBAN":                      "Pay canary at DE89 3704 0044 0532 0130 00.",
	"payment card number":       "The canary's card is 4111 1111 1111 1111.",
	"coordinates":               "The canary sits at 52.52437, 13.41053.",
	"URL with user information": "See https://canary:secret@example.org/x.",
}

const summary = "/record/standing/privacySafeSummary"

func TestTextsWithPrivateDetailsAreMaskedAsAWhole(t *testing.T) {
	for kind, text := range privateTexts {
		v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText(summary, text))
		document := domaintest.Parsed(string(v.Record().Document()))["record"].(map[string]any)
		masked := string(domaintest.Encoded(document["standing"].(map[string]any)["privacySafeSummary"]))
		if !strings.Contains(masked, `"`+kind+`"`) || !strings.HasPrefix(masked, `{"masked":[`) {
			t.Errorf("%s: stored as %s", kind, masked)
		}
		held := v.Record().AppealCase().Record().Standing.PrivacySafeSummary
		if !held.Present() || !held.Masked() || !strings.HasPrefix(held.String(), "[masked: ") || !strings.Contains(held.String(), kind) {
			t.Errorf("%s: held as %s", kind, held)
		}
		if strings.Contains(string(v.Record().Document())+held.String()+string(v.Document()), "canary") {
			t.Errorf("%s: some of the text is left", kind)
		}
		if got := strings.Join(domaintest.Codes(v.Evaluation()), " "); got != "private_details_unredacted" {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

// Stored and read again, a masked packet still blocks, and is judged by the hashes of what came in.
func TestMaskedPacketsBlockForever(t *testing.T) {
	for _, text := range []string{"/record/remedyGap", "/record/evidenceScope/statement", summary} {
		v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText(text, domaintest.MailInText))
		packet := v.Record()
		for range 3 {
			packet = domaintest.Restored(t, packet)
			again := views.New(v.Policy(), packet, v.Latest(), v.EvaluatedAt())
			if got := strings.Join(domaintest.Codes(again.Evaluation()), " "); got != "private_details_unredacted" {
				t.Errorf("%s: %q", text, got)
			}
			if packet.Digests() != v.Record().Digests() || string(packet.Document()) != string(v.Record().Document()) {
				t.Errorf("%s: it has changed", text)
			}
		}
	}
}

// A mask cannot be taken out, or made empty, to let the packet pass.
func TestMasksCannotBeTampered(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText("/record/remedyGap", domaintest.MailInText))
	stored := string(v.Record().Document())
	mask := `{"masked":["e-mail address"]}`
	if strings.Count(stored, mask) != 1 {
		t.Fatalf("no mask in %s", stored)
	}
	var reader packets.Reader
	for _, other := range []string{`"Some words."`, `{"masked":[]}`, `{"masked":["canary"]}`, `{"masked":"e-mail address"}`,
		`{"masked":[1]}`, `{"masked":null}`, `{}`, `{"Masked":["e-mail address"]}`, `{"masked":["e-mail address"],"canary":1}`,
		`[]`, `null`, `true`} {
		packet, err := reader.ReadStored([]byte(strings.Replace(stored, mask, other, 1)))
		if err == nil || packet.Document() != nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s is read: %v", other, err)
		}
	}
	// A mask of another kind blocks as well.
	packet, err := reader.ReadStored([]byte(strings.Replace(stored, mask, `{"masked":["IBAN","phone number"]}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	again := views.New(v.Policy(), packet, v.Latest(), v.EvaluatedAt())
	if again.Evaluation().Gate() != terms.Blocked {
		t.Error("it passes")
	}
}

func TestOrdinaryTextsStayAsTheyAre(t *testing.T) {
	for _, text := range []string{"Some words.", "Row 204 of 2026-06-15, version 1.2.3, §4.1.", "<b>&amp;</b> \"\\ \u2028 🙂",
		"\x1b]0;title\x07\u202e\u200b", "{\"masked\":[\"e-mail address\"]}", "null"} {
		v := domaintest.View(t, domaintest.Appeal(), domaintest.Set(summary, text))
		if held := v.Record().AppealCase().Record().Standing.PrivacySafeSummary; held.Masked() || held.String() != text {
			t.Errorf("%q is held as %q", text, held)
		}
		if got := domaintest.Codes(v.Evaluation()); len(got) > 0 {
			t.Errorf("%q: %q", text, got)
		}
	}
}
