package packets_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
)

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
