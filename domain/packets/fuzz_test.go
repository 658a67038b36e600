package packets_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// canary never stands in a seed's known members; a refusal that repeats it repeats the input.
const canary = "canary7f3a"

// withCanary puts the canary into the text as the name and the value of a further member of its outermost object.
func withCanary(text []byte) []byte {
	at := bytes.LastIndexByte(text, '}')
	if at < 0 {
		return text
	}
	member := `"` + canary + `": "` + canary + `"}`
	if rest := bytes.TrimSpace(text[:at]); !bytes.HasSuffix(rest, []byte("{")) {
		member = "," + member
	}
	return append(append([]byte{}, text[:at]...), member+string(text[at+1:])...)
}

// quiet makes sure that a text with the canary in it is refused, and that the refusal does not repeat it.
func quiet(t *testing.T, text []byte, refusal func([]byte) string) {
	t.Helper()
	changed := withCanary(text)
	if strings.Contains(string(text), canary) || bytes.Equal(changed, text) {
		return
	}
	if message := refusal(changed); message == "" || strings.Contains(message, canary) {
		t.Fatalf("%q: %s", message, changed)
	}
}

func FuzzReadPacket(f *testing.F) {
	for _, s := range domaintest.Passing() {
		for _, packet := range unsealed(s) {
			packet["private"] = map[string]any{"exact_wish": []any{"x", nil, map[string]any{"y": 1}}}
			f.Add(domaintest.Encoded(packet))
			stored := domaintest.Parsed(string(domaintest.Redacted(f, domaintest.Encoded(packet)).Document()))
			if string(domaintest.Encoded(stored["record"])) != string(domaintest.Encoded(packet["record"])) || len(stored) != 5 {
				f.Errorf("it is stored as %v", stored)
			}
		}
	}
	for _, packet := range naughtyPackets() {
		f.Add(packet)
	}
	for _, r := range refusals {
		f.Add(r.packet())
	}
	f.Add(nested(64))
	f.Add(nested(65))
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader, again packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, fault := again.Read(changed); fault != nil {
				return fault.Error()
			}
			return ""
		})
		u, fault := reader.Read(text)
		if fault != nil {
			if fault.Reason == "" || fault.Offset < 0 || fault.Offset > len(text) {
				t.Fatalf("%+v", fault)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("no JSON is accepted: %q", text)
		}
		p := u.Redact()
		stored, err := again.ReadStored(p.Document())
		if err != nil {
			t.Fatalf("%v: %s", err, p.Document())
		}
		if !bytes.Equal(domaintest.CanonicalForm(domaintest.Parsed(string(p.Document()))), p.Document()) {
			t.Fatalf("not in canonical form: %s", p.Document())
		}
		if !bytes.Equal(stored.Document(), p.Document()) || stored.Digests() != p.Digests() || stored.Key() != p.Key() || stored.Table() != p.Table() {
			t.Fatalf("%s\nis read back as\n%s", p.Document(), stored.Document())
		}
		v := views.New(packets.Packet{}, stored, rules.Latest{}, domaintest.Instant(domaintest.Now))
		if v.Evaluation().Gate() != terms.Blocked || !v.Digest(domaintest.SampleSalt).Present() {
			t.Fatal("it passes without a policy")
		}
	})
}

func FuzzReadInput(f *testing.F) {
	for _, s := range domaintest.Passing() {
		f.Add(s.Question(f))
	}
	for _, from := range []func() domaintest.Scene{domaintest.Appeal, domaintest.Correction} {
		f.Add(from().Question(f, domaintest.Del("/policy"), domaintest.Del("/record")))
		f.Add(from().Question(f, domaintest.Set("/policy", nil), domaintest.Set("/record", nil)))
		f.Add(from().Question(f, domaintest.Del("/record")))
	}
	for _, r := range refusals {
		f.Add([]byte(r.text))
	}
	for _, text := range naughty {
		s := domaintest.Appeal()
		s["at"] = text
		f.Add(domaintest.Encoded(s))
		s = domaintest.Correction()
		s.Record()["ownerId"] = text
		f.Add(domaintest.Encoded(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, fault := rules.ReadInput(&reader, changed); fault != nil {
				return fault.Error()
			}
			return ""
		})
		q, fault := rules.ReadInput(&reader, text)
		if fault != nil {
			if line := views.AppendRefusal(nil, 1, *fault); fault.Reason == "" || !json.Valid(line) {
				t.Fatalf("%s", line)
			}
			return
		}
		j := rules.Evaluate(&q)
		line := views.AppendAnswer(nil, &q, j)
		if !json.Valid(line) || (j.Gate() == terms.Pass) != (len(j.Blockers()) == 0) || len(j.Blockers()) != j.BlockerSet().Len() {
			t.Fatalf("%s", line)
		}
		if other := views.AppendAnswer(nil, &q, rules.Evaluate(&q)); !bytes.Equal(line, other) {
			t.Fatalf("judged twice: %s and %s", line, other)
		}
	})
}

func FuzzReadStored(f *testing.F) {
	for _, s := range domaintest.Passing() {
		s["private"] = map[string]any{"exact_wish": "x", "unknown": []int{1, 2}}
		s.Question(f)
		f.Add(s.Stored(f, "policy").Document())
		f.Add(s.Stored(f, "record").Document())
	}
	for _, text := range privateTexts {
		v := domaintest.View(f, domaintest.Appeal(), domaintest.SetText(summary, text))
		f.Add(v.Record().Document())
	}
	for _, text := range naughty {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, err := reader.ReadStored(changed); err != nil {
				return err.Error()
			}
			return ""
		})
		packets.Shown(text) // of what was never read it says nothing, and goes on
		p, err := reader.ReadStored(text)
		if err != nil {
			if !errors.Is(err, packets.ErrStoredPacket) || p.Document() != nil {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := reader.ReadStored(p.Document())
		if err != nil || again.Digests() != p.Digests() || again.Key() != p.Key() || again.Table() != p.Table() {
			t.Fatalf("%v: %s", err, p.Document())
		}
		v := views.New(packets.Packet{}, p, rules.Latest{}, domaintest.Instant(domaintest.Now))
		if v.Evaluation().Gate() != terms.Blocked || !v.Digest(domaintest.SampleSalt).Present() {
			t.Fatal("it passes without a policy")
		}
	})
}

func FuzzReadEnforcement(f *testing.F) {
	for _, record := range domaintest.Records(f) {
		f.Add(terms.AreaOf(record.Table()) == terms.Appeals, record.Document())
	}
	for _, text := range naughty {
		f.Add(true, []byte(text))
		f.Add(false, []byte(`{"recordId":`+string(domaintest.Encoded(text))+`}`))
	}
	f.Fuzz(func(t *testing.T, appeals bool, text []byte) {
		area := map[bool]terms.Area{true: terms.Appeals, false: terms.Amendments}[appeals]
		quiet(t, text, func(changed []byte) string {
			if _, err := domaintest.Reread(area, changed); err != nil {
				return err.Error()
			}
			return ""
		})
		record, err := domaintest.Reread(area, text)
		if err != nil {
			if !errors.Is(err, records.ErrEnforcement) || record.Document() != nil {
				t.Fatalf("%v", err)
			}
			return
		}
		if !bytes.Equal(record.Document(), text) || record.Table() == 0 {
			t.Fatalf("%s\nis read as\n%s", text, record.Document())
		}
		m := record.Members()
		if (m.Gate == terms.Pass) != (len(m.ComputedBlockers)+len(m.ReviewerBlockers)+len(m.CarriedBlockers) == 0) ||
			(len(m.Factors) == 0) != (area == terms.Amendments) {
			t.Fatalf("the gate is %s by %q and %q", m.Gate, m.ComputedBlockers, m.ReviewerBlockers)
		}
	})
}

// naughty are strings that have upset programs before: they go where ids, words, names and texts are expected.
var naughty = []string{
	// texts that other languages take for nothing, or for numbers
	"", " ", "\t", "\n", "\x00", "null", "NULL", "undefined", "NaN", "nil", "None", "true", "false", "[object Object]",
	"0", "-0", "0x10", "1e1000", "9007199254740993", "1.7976931348623157e309", "4.9e-324",
	// texts that other programs run, or take for structure
	"../../../../etc/passwd", "C:\\nul", "%00", "%0d%0aSet-Cookie: a=b", "$(reboot)", "`reboot`", "${jndi:ldap://x}",
	"{{7*7}}", "%s%n%x", "' OR 1=1 --", "\"; DROP TABLE trade_appeal_cases; --", "<script>alert(1)</script>", "]]>",
	"<!--", "&lt;&#x41;", "__proto__", "constructor", "hasOwnProperty", "\\u0000", "\\ud800", "\\", "\"", "/", "~0~1",
	"a/b", "#/$ref", "=1+1",
	// texts that a terminal obeys, and invisible ones
	"\x1b[2J\x1b[31m", "\x1b]0;title\x07", "\x1b]52;c;YQ==\x07", "\x1bP1$q\x1b\\", "\u009b31m", "a\rb", "a\bb",
	"\u0000\u0001\u001f\u007f\u0080\u009f", "\u00a0", "\u2028\u2029", "\ufeff", "\u200b\u200c\u200d\u2060",
	"\u202e\u202dabc\u202c", "\u2066abc\u2069", "\u061c",
	// letters that are not what they seem, or more than one
	"\u0645\u064f\u0646\u064e\u0627", "\u0e17\u0e14\u0e2a\u0e2d\u0e1a", "\u793e\u6703\u79d1\u5b78", "Z\u0334\u031ba\u0337",
	"e\u0301", "\u00e9", "\ufb00", "\u017ftate", "\u0130I", "\u01c5", "\u00df", "\u0405\uff34\u0391\uff34\uff25",
	"\U0001f469\u200d\U0001f467", "\U0001f3f3\ufe0f\u200d\U0001f308", "\U0001f1e9\U0001f1ea", "\U0010ffff", "\ue000",
	"\uffff", "\ufffd", "\U0001d7d8\U0001d7d9", "\uff11\uff12\uff13", "\u0660\u0661\u0662",
	// texts that mean something here
	"deadline", "Deadline", "table", "record", "private", "masked", "digests", "appeal_policy_missing",
	"trade_appeal_cases", "{\"masked\":[\"IBAN\"]}", "canary@example.org", "+49 171 2345678", "DE89370400440532013000",
	"4111 1111 1111 1111", "52.52437, 13.41053", "https://a:b@example.org",
	// texts that are too long
	strings.Repeat("a", 129), strings.Repeat("\U0001f642", 2001), strings.Repeat("[", 70), strings.Repeat("(", 300),
}

// naughtyPackets put the strings into every place of a packet, as value and as name.
func naughtyPackets() [][]byte {
	all := [][]byte{}
	for _, text := range naughty {
		quoted := string(domaintest.Encoded(text))
		for _, members := range []string{`"remedyGap": ` + quoted, `"subjectId": ` + quoted, `"subject": ` + quoted,
			`"deadline": ` + quoted,
			`"caseHash": ` + quoted, quoted + `: 1`, `"standing": {` + quoted + `: ` + quoted + `}`} {
			all = append(all, packet("trade_appeal_cases", members))
		}
		private := strings.Replace(string(packet("trade_appeal_cases", "")), `{"table"`,
			`{"private": {`+quoted+`: [`+quoted+`]}, "table"`, 1)
		all = append(all, []byte(private), []byte(text), []byte(quoted), []byte(`{`+quoted+`: {}}`))
	}
	return all
}
