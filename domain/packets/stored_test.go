package packets_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
)

func TestStoredPacketsAreReadBackAsTheyWere(t *testing.T) {
	for name, s := range domaintest.Passing() {
		s["private"] = map[string]any{"reviewer_note": []int{1, 2}}
		s.Question(t)
		for _, part := range []string{"policy", "record"} {
			document := domaintest.Encoded(map[string]any{"table": s.TableOf(part), "record": s[part], "private": s["private"]})
			packet := domaintest.Redacted(t, document)
			again := domaintest.Restored(t, packet)
			if string(again.Document()) != string(packet.Document()) || again.Digests() != packet.Digests() ||
				again.Key() != packet.Key() || again.Table() != packet.Table() || again.Table().String() != s.TableOf(part) {
				t.Errorf("%s: the %s comes back as %s", name, part, again.Document())
			}
			stored := domaintest.Parsed(string(packet.Document()))
			if string(domaintest.Encoded(stored["record"])) != string(domaintest.Encoded(s[part])) || len(stored) != 4 {
				t.Errorf("%s: the %s is stored as %s", name, part, packet.Document())
			}
			if string(domaintest.CanonicalForm(t, stored)) != string(packet.Document()) {
				t.Errorf("%s: the %s is not stored in canonical form", name, part)
			}
		}
	}
}

// The digests are those of section 3, made with another implementation.
func TestDigestsOfAPacket(t *testing.T) {
	s := domaintest.Appeal()
	s.Question(t)
	record := s.Record()
	digests := s.Stored(t, "record").Digests()
	for what, pair := range map[string][2]string{
		"content": {digests.Content.String(), domaintest.HashOf(t, domaintest.Without(record, "caseHash"))},
		"scope":   {digests.Scope.String(), domaintest.HashOf(t, domaintest.Only(record, "subject", "subjectId", "evidenceScope"))},
		"record":  {digests.Record.String(), domaintest.HashOf(t, record)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", what, pair[0], pair[1])
		}
	}
	if s.Stored(t, "policy").Digests().Scope.Present() {
		t.Error("a policy has a scope")
	}
}

func TestTamperedStoredPacketsAreRefused(t *testing.T) {
	for name, s := range domaintest.Passing() {
		s.Question(t)
		for _, part := range []string{"policy", "record"} {
			document := domaintest.Parsed(string(s.Stored(t, part).Document()))
			for _, pointer := range domaintest.Pointers(document["record"], "/record") {
				changed := domaintest.Scene(document).Removed(pointer)
				unreadableStored(t, name+" without "+pointer, domaintest.Encoded(changed))
			}
			for what, e := range map[string]domaintest.Edit{
				"unknown member": domaintest.Set("/canary", 1), "unknown record member": domaintest.Set("/record/canary", 1),
				"no digests": domaintest.Del("/digests"), "other content": domaintest.Set("/digests/content", domaintest.OtherHash),
				"other record": domaintest.Set("/digests/record", domaintest.OtherHash), "other scope": domaintest.Set("/digests/scope", domaintest.OtherHash),
				"no content": domaintest.Del("/digests/content"), "no record": domaintest.Del("/digests/record"), "no redactions": domaintest.Del("/redactions"),
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
				changed.Make(t, e)
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
