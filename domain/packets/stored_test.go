package packets_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
)

// The digests are those of section 3, made with another implementation.
func TestDigestsOfAPacket(t *testing.T) {
	s := domaintest.Appeal()
	s.Question(t)
	record := s.Record()
	digests := s.Stored(t, "record").Digests()
	for what, pair := range map[string][2]string{
		"content": {digests.Content.String(), domaintest.HashOf(domaintest.Without(record, "caseHash"))},
		"scope":   {digests.Scope.String(), domaintest.HashOf(domaintest.Only(record, "subject", "subjectId", "evidenceScope"))},
		"record":  {digests.Record.String(), domaintest.HashOf(placed(record))},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if s.Stored(t, "policy").Digests().Scope.Present() {
		t.Error("a policy has a scope")
	}
}

// placed is the record with the place of each text in the text's stead.
func placed(record any) any {
	members, isObject := record.(map[string]any)
	if !isObject {
		return record
	}
	copied := map[string]any{}
	for name, value := range members {
		switch name {
		case "privacySafeSummary", "statement", "remedyGap":
			copied[name] = map[string]any{"text": true}
		default:
			copied[name] = placed(value)
		}
	}
	return copied
}

func TestTamperedStoredPacketsAreRefused(t *testing.T) {
	for name, s := range domaintest.Passing() {
		s.Question(t)
		for _, part := range []string{"policy", "record"} {
			document := domaintest.Parsed(string(s.Stored(t, part).Document()))
			for _, pointer := range domaintest.Pointers(document["record"], "/record") {
				changed := domaintest.Scene(document).With(domaintest.Del(pointer))
				unreadableStored(t, name+" without "+pointer, domaintest.Encoded(changed))
			}
			for what, e := range map[string]domaintest.Edit{
				"unknown member": domaintest.Set("/canary", 1), "unknown record member": domaintest.Set("/record/canary", 1),
				"no digests": domaintest.Del("/digests"), "unknown digest": domaintest.Set("/digests/canary", domaintest.OtherHash),
				"other record": domaintest.Set("/digests/record", domaintest.OtherHash), "no hashes": domaintest.Del("/hashesMatched"),
				"unknown hash": domaintest.Set("/hashesMatched/canary", true), "digest without texts": domaintest.Set("/digests/texts", domaintest.OtherHash),
				"texts without a place": domaintest.Set("/texts", map[string]any{"salt": string(domaintest.SampleSalt), "texts": map[string]any{"canary": "x"}}),
				"no record":             domaintest.Del("/digests/record"), "no redactions": domaintest.Del("/redactions"),
				"null redactions":           domaintest.Set("/redactions", nil),
				"redaction without a count": domaintest.Set("/redactions", []any{map[string]any{"category": "other"}}),
				"unknown category":          domaintest.Set("/redactions", []any{map[string]any{"category": "canary", "count": 1}}),
				"negative count":            domaintest.Set("/redactions", []any{map[string]any{"category": "other", "count": -1}}),
				"no table":                  domaintest.Del("/table"), "other table": domaintest.Set("/table", "trade_appeal_cases"),
				"enforcement table": domaintest.Set("/table", "trade_challenge_appeal_enforcement_records"), "no such table": domaintest.Set("/table", "canary"),
				"private member": domaintest.Set("/private", map[string]any{"canary": 1}), "another contract": domaintest.Set("/record/contractVersion", "x"),
			} {
				if what == "other table" && part == "record" && strings.HasPrefix(name, "appeal") {
					continue // it is that table
				}
				changed := domaintest.Scene(domaintest.Parsed(string(domaintest.Encoded(document))))
				changed.Make(e)
				unreadableStored(t, name+": "+what, domaintest.Encoded(changed))
			}
		}
	}
	for _, text := range []string{"", "{}", "[]", "canary", `{"record":{}}`} {
		unreadableStored(t, text, []byte(text))
	}
}

func unreadableStored(t *testing.T, what string, document []byte) {
	t.Helper()
	var reader packets.Reader
	packet, err := reader.ReadStored(document)
	if !errors.Is(err, packets.ErrStoredPacket) || packet.Document() != nil || packet.Table() != 0 {
		t.Errorf("%s is read: %v", what, err)
	} else if strings.Contains(err.Error(), "canary") {
		t.Errorf("%s: the error repeats what may be private: %v", what, err)
	}
}

// What a store keeps is the document and, apart from it, the texts; both make the packet again, and without the texts it reads as erased.
func TestTextsAreStoredApartAndCanBeErased(t *testing.T) {
	s := domaintest.Appeal()
	s.Question(t, domaintest.SetText("/record/remedyGap", "A gap \"quoted\" \\ and\nbroken \u2028 in two, \"statement\":{\"text\":true} \\\\"))
	packet := s.Stored(t, "record")
	document, texts := packet.Stored(domaintest.SampleSalt)
	if !packet.HasTexts() || texts == nil || strings.Contains(string(document), "A gap") {
		t.Fatalf("the texts stand in %s", document)
	}
	if got := domaintest.Parsed(string(document))["digests"].(map[string]any)["texts"]; got != domaintest.HashOf(domaintest.Parsed(string(texts))) {
		t.Errorf("the digest of the texts is %v", got)
	}
	var reader packets.Reader
	joined, err := reader.ReadStored(packets.Joined(document, texts))
	if err != nil {
		t.Fatal(err)
	}
	if shown := packets.Shown(packets.Joined(document, texts)); string(shown) != string(packet.Document()) {
		t.Errorf("without being read it is shown as %s", shown)
	}
	if string(joined.Document()) != string(packet.Document()) || joined.Digests() != packet.Digests() || joined.Erased() || !joined.SameRecord(packet) {
		t.Errorf("it is read back as %s", joined.Document())
	}
	again, _ := joined.Stored(domaintest.SampleSalt)
	if string(again) != string(document) {
		t.Errorf("it is stored again as %s", again)
	}
	if !packet.HeldAs(packets.Joined(document, texts)) || !packet.HeldAs(packets.Joined(packet.Stored("another salt, as long as one"))) {
		t.Error("the packet is not known again, byte for byte")
	}
	if packet.HeldAs(packets.Joined(document, nil)) || packet.HeldAs(packets.Joined(document, []byte(strings.Replace(string(texts), "gap", "Gap", 1)))) || packet.HeldAs(nil) {
		t.Error("a packet without its texts, or with another one, is taken for this one")
	}
	erased, err := reader.ReadStored(packets.Joined(document, nil))
	if err != nil {
		t.Fatal(err)
	}
	held := erased.AppealCase().Record()
	if !erased.Erased() || erased.HasTexts() || held.RemedyGap.String() != packets.ErasedText || !held.RemedyGap.Present() || !erased.SameRecord(packet) {
		t.Errorf("without its texts it reads as %s", erased.Document())
	}
	if held.CaseHash != packet.AppealCase().Record().CaseHash || !erased.AppealCase().HashesMatched().Own || erased.Digests().Content.Present() {
		t.Error("the platform's hash went with the texts, or a digest stayed")
	}
	sent, err := reader.ReadStored(erased.Document())
	if err != nil || !sent.Erased() || string(sent.Document()) != string(erased.Document()) {
		t.Errorf("an erased packet is sent as %s: %v", erased.Document(), err)
	}
	for what, changed := range map[string][]byte{
		"another text":      []byte(strings.Replace(string(texts), "gap", "Gap", 1)),
		"another salt":      []byte(strings.Replace(string(texts), string(domaintest.SampleSalt), strings.Repeat("x", 30), 1)),
		"a text too few":    []byte(`{"salt":"` + string(domaintest.SampleSalt) + `","texts":{}}`),
		"a text without":    []byte(`{"texts":{}}`),
		"other white space": []byte(strings.Replace(string(texts), `":"`, `": "`, 1)),
	} {
		unreadableStored(t, what, packets.Joined(document, changed))
	}
}

// Within a table the names of texts differ, so that a name says which text is meant.
func TestTheNamesOfTextsDiffer(t *testing.T) {
	for _, table := range terms.PacketTables.Terms() {
		info, _ := packets.Info(table)
		seen := map[string]bool{}
		var walk func(s *json.Shape)
		walk = func(s *json.Shape) {
			for _, m := range s.Members {
				if m.Form.Kind == json.FormText {
					if seen[m.Name] {
						t.Errorf("%s has two texts with the name %s", table, m.Name)
					}
					seen[m.Name] = true
				}
				if m.Form.Shape != nil {
					walk(m.Form.Shape)
				}
			}
		}
		walk(&info.Shape)
	}
}

// Of a masked packet no digest over what was masked is kept, and another that differs only there is the same.
func TestAMaskedPacketKeepsNoDigestOverTheUnmaskedText(t *testing.T) {
	of := func(text string) packets.Packet {
		s := domaintest.Appeal()
		s.Question(t, domaintest.SetText("/record/remedyGap", text))
		return s.Stored(t, "record")
	}
	s := domaintest.Appeal()
	s.Question(t, domaintest.SetText("/record/remedyGap", "Call +49 170 1234567."))
	packet, record := s.Stored(t, "record"), s.Record()
	document, texts := packet.Stored(domaintest.SampleSalt)
	for what, digest := range map[string]string{
		"caseHash": record["caseHash"].(string), "scopeHash": record["scopeHash"].(string), "record": domaintest.HashOf(record),
		"text": domaintest.HashOf(record["remedyGap"]),
	} {
		if strings.Contains(string(packet.Document())+string(document)+string(texts), digest) {
			t.Errorf("the %s over the unmasked text is kept", what)
		}
	}
	stored := domaintest.Parsed(string(document))
	kept := stored["record"].(map[string]any)
	if hash, there := kept["caseHash"]; !there || hash != nil || kept["scopeHash"] != nil {
		t.Errorf("the hashes are %v and %v", kept["caseHash"], kept["scopeHash"])
	}
	if got := stored["hashesMatched"].(map[string]any); got["caseHash"] != true || got["scopeHash"] != true {
		t.Errorf("what matched is %v", got)
	}
	if packet.Digests().Content.Present() || packet.Digests().Scope.Present() || packet.AppealCase().Record().CaseHash.Present() {
		t.Error("a digest is held in memory")
	}
	for text, same := range map[string]bool{"Call +49 170 7654321.": true, "Write to a.person@example.org.": true, "Some words.": false} {
		if other := of(text); packet.SameRecord(other) != same || (other.Digests().Record == packet.Digests().Record) != same {
			t.Errorf("with %q it is the same record: %t", text, !same)
		}
	}
}

// redactionsOf are the redactions of a packet with these private members, as text.
func redactionsOf(t *testing.T, private string) string {
	t.Helper()
	text := strings.Replace(string(packet("trade_appeal_cases", "")), `{"table"`, `{"private": `+private+`, "table"`, 1)
	packet := domaintest.Redacted(t, []byte(text))
	fresh, again := fmt.Sprint(packet.Redactions()), fmt.Sprint(domaintest.Restored(t, packet).Redactions())
	if fresh != again {
		t.Errorf("stored and read back they are %s, not %s", again, fresh)
	}
	return strings.Trim(fresh, "[]")
}

// everyCategory is written in another order than that of the vocabulary.
const everyCategory = `{"x": 11, "contact_data": [9, 9], "private_narrative": 1, "sensitive_constraint": 10, "exact_wish": 8,
	"participant_identity": 2, "reviewer_note": 4, "payment_detail": 5, "confirmation_payload": 3, "private_baseline": 6,
	"counterparty_terms": 7}`

func TestPrivateMembersLeaveTheirCategoryAndTheNumberOfTheirLeaves(t *testing.T) {
	for private, want := range map[string]string{
		`{}`:                                "",
		`{"reviewer_note": "x"}`:            "{reviewer_note 1}",
		`{"reviewer_note": null}`:           "{reviewer_note 1}",
		`{"reviewer_note": ""}`:             "{reviewer_note 1}",
		`{"reviewer_note": {}}`:             "{reviewer_note 0}",
		`{"reviewer_note": []}`:             "{reviewer_note 0}",
		`{"reviewer_note": [[], {}, [{}]]}`: "{reviewer_note 0}",

		`{"reviewer_note": [1, true, "x", null, -0.5]}`:                  "{reviewer_note 5}",
		`{"reviewer_note": {"a": [1, {"b": 2, "c": [3, 4]}], "d": "x"}}`: "{reviewer_note 5}",
		`{"something_else": [1, 2]}`:                                     "{other 2}",
		`{"something_else": 1, "and_more": {"x": 2, "y": 3}}`:            "{other 3}",
		`{"other": [1, 2], "something_else": 3}`:                         "{other 3}",
		`{"Reviewer_Note": 1, "reviewer_note ": 2, "": 3}`:               "{other 3}",
		`{"zzz": {}, "sensitive_constraint": 1}`:                         "{sensitive_constraint 1} {other 0}",
		everyCategory: "{private_narrative 1} {participant_identity 1} {confirmation_payload 1} " +
			"{reviewer_note 1} {payment_detail 1} {private_baseline 1} {counterparty_terms 1} {exact_wish 1} " +
			"{contact_data 2} {sensitive_constraint 1} {other 1}",
	} {
		if got := redactionsOf(t, private); got != want {
			t.Errorf("%s: got %s, want %s", private, got, want)
		}
	}
}

func TestNothingPrivateIsReachableFromAPacket(t *testing.T) {
	for _, text := range []string{"/record/remedyGap", "/record/evidenceScope/statement", "/record/standing/privacySafeSummary"} {
		s := domaintest.Appeal()
		s["private"] = map[string]any{"canary_name": map[string]any{"canary": []string{"canary"}}, "contact_data": "canary"}
		v := domaintest.View(t, s, domaintest.SetText(text, "canary@example.org, canary"))
		leaks := map[string]string{
			"the stored packet": string(v.Record().Document()),
			"the view":          string(v.Document()),
			"the redactions":    fmt.Sprint(v.Redactions()),
			"the case":          fmt.Sprintf("%+v", v.Record().AppealCase().Record()),
			"the record":        string(domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v)).Document()),
			"the queue":         string(domaintest.Encoded(queue.NewRow(v.Policy(), v.Record(), v.Latest(), v.EvaluatedAt(), queue.RowState{}))),
		}
		for where, leak := range leaks {
			if strings.Contains(leak, "canary") {
				t.Errorf("%s: %s holds it: %s", text, where, leak)
			}
		}
	}
}

// The private member has no part in any hash: with and without it is the same packet.
func TestPrivateMembersChangeNoHash(t *testing.T) {
	with, without := domaintest.Appeal(), domaintest.Appeal()
	with["private"] = map[string]any{"exact_wish": "canary"}
	one, two := domaintest.View(t, with), domaintest.View(t, without)
	if one.Record().Digests() != two.Record().Digests() {
		t.Error("the hashes differ")
	}
	if bytes.Equal(one.Record().Document(), two.Record().Document()) || one.Digest(domaintest.SampleSalt) == two.Digest(domaintest.SampleSalt) {
		t.Error("the redactions leave no trace")
	}
}

func TestOnlyThePacketReadLastCanBeRedacted(t *testing.T) {
	var zero packets.Unredacted
	if p := zero.Redact(); p.Document() != nil || p.Table() != 0 || p.AppealCase().Held() {
		t.Errorf("a packet was made of nothing: %s", p.Document())
	}
	var reader packets.Reader
	stale, fault := reader.Read(packet("trade_appeal_cases", ""))
	if fault != nil {
		t.Fatal(fault)
	}
	if _, fault = reader.Read(packet("trade_appeal_policies", "")); fault != nil {
		t.Fatal(fault)
	}
	if p := stale.Redact(); p.Document() != nil || p.Table() != 0 || p.AppealCase().Held() {
		t.Errorf("a packet was made of what the reader has forgotten: %s", p.Document())
	}
}
