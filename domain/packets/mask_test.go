package packets_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
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

// A contract version is no text, but what is private in it does not land either: neither what the
// scan finds nor, before its source calls the case redacted, a sentence.
func TestAContractVersionWithPrivateDetailsIsMaskedAndBlocks(t *testing.T) {
	for name, c := range map[string]struct{ version, status, kept string }{
		"an address":                         {"kanarienvogel@example.org", "redacted", `{"masked":["e-mail address"]}`},
		"an address in an unredacted case":   {"kanarienvogel@example.org", "pending", `{"masked":["e-mail address","withheld until redacted"]}`},
		"a sentence in an unredacted case":   {"kanarienvogel is what Jane calls the house", "pending", `{"masked":["withheld until redacted"]}`},
		"the known one in an unredacted one": {terms.AppealContract.Version, "pending", `"` + terms.AppealContract.Version + `"`},
		"another one in a redacted case":     {"trade-challenge-appeal-v9", "redacted", `"trade-challenge-appeal-v9"`},
	} {
		t.Run(name, func(t *testing.T) {
			packet := `{"table":"trade_appeal_cases","record":{"caseId":"c-1","revision":1,"contractVersion":"` + c.version +
				`","redaction":{"status":"` + c.status + `"},"status":"filed"}}`
			var reader packets.Reader
			unredacted, fault := reader.Read([]byte(packet))
			if fault != nil {
				t.Fatal(fault)
			}
			document := unredacted.Redact().Document()
			if strings.Contains(string(document), "kanarienvogel") || !strings.Contains(string(document), `"contractVersion":`+c.kept) {
				t.Errorf("stored as %s", document)
			}
			stored, err := reader.ReadStored(document)
			if err != nil {
				t.Fatal(err)
			}
			view := views.New(packets.Packet{}, stored, rules.Latest{PolicyVersion: 1, Revision: 1}, terms.Instant{})
			known := c.version == terms.AppealContract.Version
			if view.Evaluation().BlockerSet().Has(terms.AppealCaseStale) == known || strings.Contains(string(view.Document()), "kanarienvogel") {
				t.Errorf("shown as %s", view.Document())
			}
			_, fault = (&packets.Sealer{}).Seal([]byte(packet))
			if strings.Contains(c.version, "@") && (fault == nil || fault.Pointer != "/record/contractVersion" ||
				strings.Contains(fault.Reason, "kanarienvogel")) {
				t.Errorf("sealed: %v", fault)
			}
		})
	}
}

// What a case says until its source calls it redacted: nothing that a scan would find.
const unredactedWords = "The kestrel nests behind the mill."

// unredacted is a case whose three texts are those words, with that redaction.
func unredacted(redaction string) string {
	return `{"table":"trade_appeal_cases","record":{"caseId":"c-1","revision":1,"contractVersion":"trade-challenge-appeal-v0.3",
		"status":"filed","standing":{"category":"affected_party","accepted":true,"privacySafeSummary":"` + unredactedWords + `"},
		"evidenceScope":{"items":["e-1"],"statement":"` + unredactedWords + `"},"remedyGap":"` + unredactedWords + `"` + redaction + `}}`
}

func TestEveryTextOfACaseIsWithheldUntilItsSourceCallsItRedacted(t *testing.T) {
	for name, redaction := range map[string]string{
		"absent": ``, "empty": `,"redaction":{}`, "pending": `,"redaction":{"status":"pending"}`,
	} {
		packet := domaintest.Redacted(t, []byte(unredacted(redaction)))
		document, texts := packet.Stored(packets.Salt(strings.Repeat("s", 22)))
		for place, written := range map[string][]byte{"shown": packet.Document(), "stored": document, "beside": texts} {
			if strings.Contains(string(written), "kestrel") {
				t.Errorf("%s, %s: %s", name, place, written)
			}
		}
		for _, form := range []packets.Packet{packet, domaintest.Restored(t, packet)} {
			c := form.AppealCase().Record()
			for _, text := range []packets.Text{c.Standing.PrivacySafeSummary, c.EvidenceScope.Statement, c.RemedyGap} {
				if text.String() != "[withheld until redacted]" || !text.Masked() || !text.Present() {
					t.Errorf("%s: %q", name, text)
				}
			}
			if c.ContractVersion.Masked() || c.CaseHash.Present() || c.ScopeHash.Present() || form.Digests().Content.Present() ||
				form.Digests().Scope.Present() || form.HasTexts() {
				t.Errorf("%s: %+v %+v", name, c, form.Digests())
			}
		}
	}
	kept := domaintest.Redacted(t, []byte(unredacted(`,"redaction":{"status":"redacted"}`)))
	if c := kept.AppealCase().Record(); c.RemedyGap.String() != unredactedWords || kept.Masked() || !kept.Digests().Content.Present() {
		t.Errorf("redacted: %+v", c)
	}
}

func TestAWithheldTextIsKeptWithWhetherItCountsAsAbsentAndWhatTheScanFound(t *testing.T) {
	text := strings.Replace(unredacted(`,"redaction":{"status":"pending"}`), `"remedyGap":"`+unredactedWords, `"remedyGap":" `, 1)
	text = strings.Replace(text, `"statement":"`+unredactedWords, `"statement":"kestrel@example.org`, 1)
	for _, form := range []packets.Packet{domaintest.Redacted(t, []byte(text)), domaintest.Restored(t, domaintest.Redacted(t, []byte(text)))} {
		c := form.AppealCase().Record()
		if c.RemedyGap.Present() || !c.RemedyGap.Masked() || !c.EvidenceScope.Statement.Present() {
			t.Errorf("%+v", c)
		}
		if !strings.Contains(string(form.Document()), `"statement":{"masked":["e-mail address","withheld until redacted"]}`) {
			t.Errorf("%s", form.Document())
		}
	}
}

// Two imports that differ only in what is withheld are of the same record.
func TestWithheldWordsDoNotIdentifyARecord(t *testing.T) {
	one := domaintest.Redacted(t, []byte(unredacted("")))
	other := domaintest.Redacted(t, []byte(strings.ReplaceAll(unredacted(""), "kestrel", "heron")))
	if !one.SameRecord(other) {
		t.Error("the words count")
	}
	if one.SameRecord(domaintest.Redacted(t, []byte(unredacted(`,"redaction":{"status":"redacted"}`)))) {
		t.Error("the redaction does not count")
	}
}

// A store of an earlier revision of the rules kept the words: they are not shown, and the packet says so.
func TestWordsThatWereStoredBeforeTheyWereWithheldAreNotShown(t *testing.T) {
	redacted := domaintest.Redacted(t, []byte(unredacted(`,"redaction":{"status":"redacted"}`)))
	document := domaintest.Scene(domaintest.Parsed(string(redacted.Document())))
	document.Make(domaintest.RawSet("/record/redaction/status", "pending"))
	places := domaintest.Scene(domaintest.Parsed(string(domaintest.Encoded(document))))
	for _, pointer := range []string{"/record/remedyGap", "/record/evidenceScope/statement", "/record/standing/privacySafeSummary"} {
		places.Make(domaintest.RawSet(pointer, map[string]any{"text": true}))
	}
	document.Make(domaintest.RawSet("/digests/record", domaintest.HashOf(places["record"])))
	var reader packets.Reader
	packet, err := reader.ReadStored(domaintest.CanonicalForm(map[string]any(document)))
	if err != nil {
		t.Fatal(err)
	}
	if c := packet.AppealCase().Record(); !packet.HoldsPrivate() || c.RemedyGap.String() != "[withheld until redacted]" {
		t.Errorf("%t, %+v", packet.HoldsPrivate(), c)
	}
}

func TestACaseCanBeSealedBeforeItIsRedacted(t *testing.T) {
	var sealer packets.Sealer
	sealed, fault := sealer.Seal([]byte(unredacted("")))
	if fault != nil || !strings.Contains(string(sealed), `"caseHash":"sha256:`) {
		t.Fatalf("%s, %v", sealed, fault)
	}
	if packet := domaintest.Redacted(t, sealed); !packet.AppealCase().HashesMatched().Own || !packet.AppealCase().HashesMatched().Scope {
		t.Errorf("its hashes do not match: %+v", packet.AppealCase().HashesMatched())
	}
	_, fault = sealer.Seal([]byte(strings.Replace(unredacted(""), "kestrel", "kestrel@example.org", 1)))
	if fault == nil || !strings.Contains(fault.Reason, "e-mail address") || strings.Contains(fault.Reason, "withheld") {
		t.Errorf("%v", fault)
	}
}

func TestWhatIsWithheldIsListedForItsSender(t *testing.T) {
	var reader packets.Reader
	read, fault := reader.Read([]byte(unredacted("")))
	if fault != nil {
		t.Fatal(fault)
	}
	pointers := []string{}
	for _, found := range read.Masked() {
		pointers = append(pointers, found.Pointer+" "+strings.Join(found.Kinds.Texts(), ", "))
	}
	want := []string{"/record/evidenceScope/statement withheld until redacted", "/record/remedyGap withheld until redacted",
		"/record/standing/privacySafeSummary withheld until redacted"}
	if !slices.Equal(pointers, want) {
		t.Errorf("%q", pointers)
	}
}

func TestNoIdOrWordStandsTwiceInAnArrayThatIsImported(t *testing.T) {
	for pointer, twice := range map[string]any{
		"/record/partyIds": []string{"p-1", "p-1"}, "/record/evidenceScope/items": []string{"e-1", "e-2", "e-1"},
		"/record/neutralReview/recusedReviewerIds":             []string{"r-1", "r-1"},
		"/record/requestedEffects":                             []string{"waive_safety_blocker", "waive_safety_blocker"},
		"/policy/outcomeRules/wrong_scope_evidence/compatible": []string{"uphold_decision", "uphold_decision"},
	} {
		refusesTwice(t, domaintest.Appeal(), pointer, twice)
	}
	for pointer, twice := range map[string]any{
		"/record/requiredParties": []string{"p-1", "p-1"}, "/record/changedTerms": []string{"schedule", "amount", "schedule"},
		"/record/confirmations/1/covers": []string{"fundsRedirect", "fundsRedirect"},
		"/policy/transitions":            []string{"pledge_swap_material_change", "pledge_swap_material_change"},
	} {
		refusesTwice(t, domaintest.MaterialChange(), pointer, twice)
	}
}

func refusesTwice(t *testing.T, s domaintest.Scene, pointer string, twice any) {
	t.Helper()
	s.Make(domaintest.RawSet(pointer, twice))
	part, inside, _ := strings.Cut(pointer[1:], "/")
	var reader packets.Reader
	_, fault := reader.Read(domaintest.Encoded(map[string]any{"table": s.TableOf(part), "record": s[part]}))
	if fault == nil || fault.Pointer != "/record/"+inside || fault.Reason != "holds one value twice" {
		t.Errorf("%s: %v", pointer, fault)
	}
}
