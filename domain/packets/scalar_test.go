package packets_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/terms"
)

func TestTimesAreInUTCAndInOneForm(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-06-15T12:00:00Z": true, "2026-06-15T12:00:00.5Z": true, "2026-06-15T12:00:00.123456789Z": true,
		"2026-06-15T00:00:00Z": true, "2026-06-15T23:59:59Z": true, "0001-01-01T00:00:00Z": true,
		"9999-12-31T23:59:59.999999999Z": true, "2026-06-15T12:00:00.000Z": true,
		"2024-02-29T00:00:00Z": true, "2000-02-29T00:00:00Z": true, "2026-02-28T00:00:00Z": true,
		"2026-02-29T00:00:00Z": false, "1900-02-29T00:00:00Z": false, "2100-02-29T00:00:00Z": false,
		"2024-02-30T00:00:00Z": false, "2026-04-31T00:00:00Z": false, "2026-06-31T00:00:00Z": false,
		"2026-09-31T00:00:00Z": false, "2026-11-31T00:00:00Z": false, "2026-12-31T00:00:00Z": true,
		"2026-01-32T00:00:00Z": false, "2026-00-15T00:00:00Z": false, "2026-13-15T00:00:00Z": false, "2026-06-00T00:00:00Z": false,
		"2026-06-15T24:00:00Z": false, "2026-06-15T12:60:00Z": false, "2026-06-15T12:00:60Z": false, "2026-06-30T23:59:60Z": false,
		"2026-06-15T12:00:00+00:00": false, "2026-06-15T14:00:00+02:00": false, "2026-06-15T12:00:00-00:00": false,
		"2026-06-15T12:00:00z": false, "2026-06-15t12:00:00Z": false, "2026-06-15 12:00:00Z": false,
		"2026-06-15T12:00:00": false, "2026-06-15T12:00Z": false, "2026-06-15": false, "": false, "Z": false,
		"2026-06-15T12:00:00.Z": false, "2026-06-15T12:00:00.1234567890Z": false, "2026-06-15T12:00:00,5Z": false,
		"2026-06-15T12:00:00.5 Z": false, "2026-06-15T12:00:00.+5Z": false, " 2026-06-15T12:00:00Z": false,
		"2026-06-15T12:00:00Z ": false, "+026-06-15T12:00:00Z": false, "-026-06-15T12:00:00Z": false,
		"12026-06-15T12:00:00Z": false, "2026-6-15T12:00:00Z": false, "２026-06-15T12:00:00Z": false,
		"2026-06-15T12:00:00\x00Z": false, "20260615T120000Z": false, "2026-W25-1T12:00:00Z": false,
	} {
		at, ok := terms.ParseInstant(text)
		if ok != want || at.Present() != want {
			t.Errorf("%q is a time: %v", text, ok)
		}
		if parsed, err := time.Parse(time.RFC3339Nano, text); ok && (err != nil || !parsed.Equal(at.Time())) {
			t.Errorf("%q is read as %v", text, at.Time())
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet("trade_appeal_cases", `"deadline": `+string(domaintest.Encoded(text)))); (fault == nil) != want {
			t.Errorf("%q in a packet: %v", text, fault)
		}
	}
}

func TestTimesGoThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds") // the years 1 to 9999
		at := terms.InstantOf(time.Unix(seconds, rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")))
		again, ok := terms.ParseInstant(at.String())
		if !ok || again != at || string(domaintest.Encoded(at)) != `"`+at.String()+`"` {
			t.Fatalf("%s comes back as %s", at, again)
		}
	})
	var absent terms.Instant
	if absent.Present() || absent.String() != "" || string(domaintest.Encoded(absent)) != "null" || absent.Before(domaintest.Instant(domaintest.Now)) ||
		!domaintest.Instant(domaintest.Now).Before(absent) || absent.Sub(domaintest.Instant(domaintest.Now)) != 0 || domaintest.Instant(domaintest.Now).Sub(absent) != 0 {
		t.Error("an absent time is a time")
	}
}

func TestIDsHaveOneForm(t *testing.T) {
	long := strings.Repeat("a", 128)
	for text, want := range map[string]bool{
		"a": true, "Z": true, "0": true, "a.b_c:d-e": true, long: true, "a-": true, "9.": true,
		"": false, long + "a": false, ".a": false, "_a": false, ":a": false, "-a": false, "a b": false, "a/b": false,
		"a@b": false, "ä": false, "a\u200b": false, "a\x00": false, "a\n": false, "a\x1b[31m": false, "а": false,
		"a,b": false, "a+b": false, "(a)": false, "a\u202eb": false,
	} {
		if id, ok := terms.ParseID(text); ok != want || (id != "") != want {
			t.Errorf("%q is an id: %v", text, ok)
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet("trade_appeal_cases", `"subjectId": `+string(domaintest.Encoded(text)))); (fault == nil) != want {
			t.Errorf("%q in a packet: %v", text, fault)
		}
	}
}

func TestHashesHaveOneForm(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	for text, want := range map[string]bool{
		"sha256:" + digits: true, "sha256:" + strings.Repeat("0", 64): true,
		digits: false, "sha256:": false, "": false, "sha256:" + digits[1:]: false, "sha256:" + digits + "0": false,
		"SHA256:" + digits: false, "sha256:" + strings.ToUpper(digits): false, "sha512:" + digits: false,
		"sha256 " + digits: false, "sha256:" + digits[1:] + "g": false, "sha256:" + digits[1:] + " ": false, " sha256:" + digits: false,
	} {
		hash, ok := terms.ParseHash(text)
		if ok != want || hash.Present() != want || ok && hash.String() != text || hash.Matches(hash) != want {
			t.Errorf("%q is a hash: %v", text, ok)
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet("trade_appeal_cases", `"caseHash": `+string(domaintest.Encoded(text)))); (fault == nil) != want {
			t.Errorf("%q in a packet: %v", text, fault)
		}
	}
	var absent terms.Hash
	if absent.Matches(absent) || absent.String() != "" || string(domaintest.Encoded(absent)) != "null" {
		t.Error("an absent hash matches or is written")
	}
	if got := terms.HashOf(nil).String(); got != "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("of nothing: %s", got)
	}
}

func TestTextsHave1To2000Characters(t *testing.T) {
	for name, text := range map[string]string{
		"one": "x", "2,000": strings.Repeat("x", 2000), "2,000 of two bytes": strings.Repeat("é", 2000),
		"2,000 astral": strings.Repeat("🙂", 2000), "!a NUL": "a\x00", "a space": " ",
		"2,000 combining": strings.Repeat("\u0301", 2000),
		"!none":           "", "!2,001": strings.Repeat("x", 2001), "!2,001 of two bytes": strings.Repeat("é", 2001),
		"!2,001 astral": strings.Repeat("🙂", 2001),
	} {
		var reader packets.Reader
		quoted := string(domaintest.Encoded(text))
		for _, written := range []string{quoted, strings.ReplaceAll(quoted, "🙂", `\ud83d\ude42`)} {
			_, fault := reader.Read(packet("trade_appeal_cases", `"remedyGap": `+written))
			if refused := fault != nil; refused != strings.HasPrefix(name, "!") {
				t.Errorf("%s: %v", name, fault)
			}
		}
	}
}
