package packets_test

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// rewritten writes the value as other JSON text: members in another order, space between anything, characters as
// escapes, integers with a fraction or an exponent.
func rewritten(t *rapid.T, value any) string {
	space := func() string { return rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "}).Draw(t, "space") }
	switch value := value.(type) {
	case map[string]any:
		names := []string{}
		for name := range value {
			names = append(names, name)
		}
		slices.Sort(names)
		parts := []string{}
		for _, name := range rapid.Permutation(names).Draw(t, "order") {
			parts = append(parts, space()+escaped(t, name)+space()+":"+space()+rewritten(t, value[name])+space())
		}
		return "{" + strings.Join(parts, ",") + space() + "}"
	case []any:
		parts := []string{}
		for _, element := range value {
			parts = append(parts, space()+rewritten(t, element)+space())
		}
		return "[" + strings.Join(parts, ",") + space() + "]"
	case string:
		return escaped(t, value)
	case stdjson.Number:
		form := rapid.SampledFrom([]string{"%s", "%s.0", "%se0", "%s.0E-0", "%s.000e+00"}).Draw(t, "number")
		return fmt.Sprintf(form, value)
	default:
		return string(domaintest.Encoded(value))
	}
}

// escaped writes a string with some of its characters as \u escapes, in either case.
func escaped(t *rapid.T, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	chosen := rapid.Uint64().Draw(t, "escaped characters")
	for i, r := range []rune(text) {
		switch {
		case chosen>>(uint(i)%64)&1 == 1 && r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04X`, high, low)
		case chosen>>(uint(i)%64)&1 == 1:
			fmt.Fprintf(&out, `\u%04X`, r)
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func TestFormOfTheJSONTextDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := domaintest.DrawScene(t)
		if record, there := s["record"].(map[string]any); there && s["table"] == "trade_appeal_cases" {
			record["remedyGap"] = "The “stream” \\ of €5 & <more> was \"not\" restored 🙂"
		}
		line := s.SealedByHand()
		other := []byte(rewritten(t, any(domaintest.Parsed(string(line)))))
		if one, two := answerTo(line), answerTo(other); one != two {
			t.Fatalf("%s\nbecomes %s\nif written\n%s", one, two, other)
		}
		for _, part := range []string{"policy", "record"} {
			document, there := domaintest.Parsed(string(line))[part]
			if !there {
				continue
			}
			packet := map[string]any{"table": s.TableOf(part), "record": document}
			one := domaintest.Redacted(t, domaintest.Encoded(packet))
			two := domaintest.Redacted(t, []byte(rewritten(t, domaintest.Normal(packet))))
			if string(one.Document()) != string(two.Document()) || one.Digests() != two.Digests() {
				t.Fatalf("the stored packets differ:\n%s\n%s", one.Document(), two.Document())
			}
		}
	})
}

// answerTo is what is printed for a line.
func answerTo(line []byte) string {
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, line)
	if fault != nil {
		return string(views.AppendRefusal(nil, 1, json.Fault{Pointer: fault.Pointer, Reason: fault.Reason}))
	}
	return string(views.AppendAnswer(nil, &question, rules.Evaluate(&question)))
}

// A reader keeps nothing of what it read before.
func TestReadersHaveNoMemory(t *testing.T) {
	var reader packets.Reader
	lines := [][]byte{domaintest.Appeal().Question(t), []byte(`{"table":`), domaintest.Correction().Question(t, domaintest.Del("/policy")),
		[]byte(`{"table":"trade_appeal_cases","at":"` + domaintest.Now + `"}`), domaintest.MaterialChange().Question(t), domaintest.Appeal().Question(t)}
	for range 3 {
		for _, line := range lines {
			question, fault := rules.ReadInput(&reader, line)
			if fault != nil {
				continue
			}
			if got := string(views.AppendAnswer(nil, &question, rules.Evaluate(&question))); got != answerTo(line) {
				t.Fatalf("got %s\nwant %s", got, answerTo(line))
			}
		}
	}
}

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
