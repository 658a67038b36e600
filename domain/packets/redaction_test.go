package packets_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/queue"
)

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
