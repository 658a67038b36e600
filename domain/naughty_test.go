package domain_test

import "strings"

// naughty are strings that have upset programs before: they go where ids, words, names and texts are expected.
var naughty = []string{
	"", " ", "\t", "\n", "\x00", "null", "NULL", "undefined", "NaN", "true", "false", "0", "-0", "1e1000", "0x10", "nil", "None", "[object Object]",
	"../../../../etc/passwd", "C:\\nul", "%00", "%0d%0aSet-Cookie: a=b", "$(reboot)", "`reboot`", "${jndi:ldap://x}", "{{7*7}}", "%s%n%x",
	"' OR 1=1 --", "\"; DROP TABLE trade_appeal_cases; --", "<script>alert(1)</script>", "]]>", "<!--", "&lt;&#x41;", "__proto__", "constructor", "hasOwnProperty",
	"\u00a0", "\u2028\u2029", "\ufeff", "\u200b\u200c\u200d\u2060", "\u202e\u202dabc\u202c", "\u2066abc\u2069", "\u061c", "\u0000\u0001\u001f\u007f\u0080\u009f",
	"\x1b[2J\x1b[31m", "\x1b]0;title\x07", "\x1b]52;c;YQ==\x07", "\x1bP1$q\x1b\\", "\u009b31m", "a\rb", "a\bb",
	"Ω≈ç√∫˜µ≤≥÷", "åß∂ƒ©˙∆˚¬…æ", "社會科學院語學研究所", "مُنَاقَشَةُ", "ทดสอบ", "Z̴̛a̷l̵g̶o̸", "e\u0301", "\u00e9", "ﬀ", "ſtate", "İI", "ǅ", "ß", "ЅＴΑＴＥ",
	"👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "\U0010ffff", "\ue000", "\uffff", "\ufffd", "𝟘𝟙𝟚", "１２３", "٠١٢",
	"deadline", "Deadline", "table", "record", "private", "masked", "digests", "appeal_policy_missing", "trade_appeal_cases",
	strings.Repeat("a", 129), strings.Repeat("🙂", 2001), strings.Repeat("[", 70), strings.Repeat("(", 300), "{\"masked\":[\"IBAN\"]}",
	"canary@example.org", "+49 171 2345678", "DE89370400440532013000", "4111 1111 1111 1111", "52.52437, 13.41053", "https://a:b@example.org",
	"9007199254740993", "1.7976931348623157e309", "4.9e-324", "\\u0000", "\\ud800", "\\", "\"", "/", "~0~1", "a/b", "#/$ref",
}

// naughtyPackets put the strings into every place of a packet, as value and as name.
func naughtyPackets() [][]byte {
	all := [][]byte{}
	for _, text := range naughty {
		quoted := string(encoded(text))
		for _, members := range []string{`"remedyGap": ` + quoted, `"subjectId": ` + quoted, `"subject": ` + quoted, `"deadline": ` + quoted,
			`"caseHash": ` + quoted, quoted + `: 1`, `"standing": {` + quoted + `: ` + quoted + `}`} {
			all = append(all, packet("trade_appeal_cases", members))
		}
		private := strings.Replace(string(packet("trade_appeal_cases", "")), `{"table"`, `{"private": {`+quoted+`: [`+quoted+`]}, "table"`, 1)
		all = append(all, []byte(private), []byte(text), []byte(quoted), []byte(`{`+quoted+`: {}}`))
	}
	return all
}
