package domain_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain"
)

func TestStoredPacketsAreReadBackAsTheyWere(t *testing.T) {
	for name, s := range passing() {
		s["private"] = map[string]any{"reviewer_note": []int{1, 2}}
		s.question(t)
		for _, part := range []string{"policy", "record"} {
			document := encoded(map[string]any{"table": s.tableOf(part), "record": s[part], "private": s["private"]})
			packet := redacted(t, document)
			again := restored(t, packet)
			if string(again.Document()) != string(packet.Document()) || again.Digests() != packet.Digests() ||
				again.Key() != packet.Key() || again.Table() != packet.Table() || again.Table().String() != s.tableOf(part) {
				t.Errorf("%s: the %s comes back as %s", name, part, again.Document())
			}
			stored := parsed(string(packet.Document()))
			if string(encoded(stored["record"])) != string(encoded(s[part])) || len(stored) != 4 {
				t.Errorf("%s: the %s is stored as %s", name, part, packet.Document())
			}
			if string(canonicalForm(t, stored)) != string(packet.Document()) {
				t.Errorf("%s: the %s is not stored in canonical form", name, part)
			}
		}
	}
}

// The digests are those of section 3, made with another implementation.
func TestDigestsOfAPacket(t *testing.T) {
	s := appeal()
	s.question(t)
	record := s.record()
	digests := s.stored(t, "record").Digests()
	for what, pair := range map[string][2]string{
		"content": {digests.Content.String(), hashOf(t, without(record, "caseHash"))},
		"scope":   {digests.Scope.String(), hashOf(t, only(record, "subject", "subjectId", "evidenceScope"))},
		"record":  {digests.Record.String(), hashOf(t, record)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if s.stored(t, "policy").Digests().Scope.Present() {
		t.Error("a policy has a scope")
	}
}

func TestTamperedStoredPacketsAreRefused(t *testing.T) {
	for name, s := range passing() {
		s.question(t)
		for _, part := range []string{"policy", "record"} {
			document := parsed(string(s.stored(t, part).Document()))
			for _, pointer := range pointers(document["record"], "/record") {
				changed := scene(document).removed(pointer)
				unreadableStored(t, name+" without "+pointer, encoded(changed))
			}
			for what, e := range map[string]edit{
				"unknown member": set("/canary", 1), "unknown record member": set("/record/canary", 1),
				"no digests": del("/digests"), "other content": set("/digests/content", otherHash),
				"other record": set("/digests/record", otherHash), "other scope": set("/digests/scope", otherHash),
				"no content": del("/digests/content"), "no record": del("/digests/record"), "no redactions": del("/redactions"),
				"null redactions":           set("/redactions", nil),
				"redaction without a count": set("/redactions", []any{map[string]any{"category": "other"}}),
				"unknown category":          set("/redactions", []any{map[string]any{"category": "canary", "count": 1}}),
				"negative count":            set("/redactions", []any{map[string]any{"category": "other", "count": -1}}),
				"no table":                  del("/table"), "other table": set("/table", "trade_appeal_cases"),
				"enforcement table": set("/table", "trade_challenge_appeal_enforcement_records"), "no such table": set("/table", "canary"),
				"private member": set("/private", map[string]any{"canary": 1}), "another contract": set("/record/contractVersion", "x"),
			} {
				if what == "other table" && part == "record" && strings.HasPrefix(name, "appeal") {
					continue // it is that table
				}
				changed := scene(parsed(string(encoded(document))))
				changed.make(t, e)
				unreadableStored(t, name+": "+what, encoded(changed))
			}
		}
	}
	for _, text := range []string{"", "{}", "[]", "canary", `{"record":{}}`} {
		unreadableStored(t, text, []byte(text))
	}
}

func unreadableStored(t *testing.T, what string, document []byte) {
	t.Helper()
	var reader domain.Reader
	packet, err := reader.ReadStored(document)
	if !errors.Is(err, domain.ErrStoredPacket) || packet.Document() != nil || packet.Table() != 0 {
		t.Errorf("%s is read: %v", what, err)
	} else if strings.Contains(err.Error(), "canary") {
		t.Errorf("%s: the error repeats what may be private: %v", what, err)
	}
}
