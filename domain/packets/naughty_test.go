package packets_test

import (
	"strings"

	"docket/domain/internal/domaintest"
)

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
