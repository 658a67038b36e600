package packets_test

import (
	"fmt"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
)

// nested is a packet whose private member lies as many containers deep as asked for, the packet itself included.
func nested(depth int) []byte {
	inner := depth - 2 // the packet and private
	return fmt.Appendf(nil, `{"table": "trade_appeal_cases", "record": {%s}, "private": {"private_narrative": %s1%s}}`,
		requiredMembers["trade_appeal_cases"], strings.Repeat("[", inner), strings.Repeat("]", inner))
}

func TestNestingIsLimitedTo64(t *testing.T) {
	var reader packets.Reader
	if _, fault := reader.Read(nested(64)); fault != nil {
		t.Errorf("64 levels: %v", fault)
	}
	_, fault := reader.Read(nested(65))
	expectFault(t, fault, "/private", "nested too deep")
	_, fault = reader.Read(nested(100_000))
	expectFault(t, fault, "/private", "nested too deep")
}

// sized is a packet whose record takes so many bytes.
func sized(bytes int) []byte {
	record := `{` + requiredMembers["trade_appeal_cases"] + `, "partyIds": ["a"`
	for n := 0; len(record)+2 < bytes-200; n++ {
		record += fmt.Sprintf(`,"c%0120d"`, n)
	}
	for n := 0; len(record)+2 < bytes-100; n++ {
		record += fmt.Sprintf(`,"d%020d"`, n)
	}
	record += `,"` + strings.Repeat("c", bytes-len(record)-len(`,""]}`)) + `"]}`
	return []byte(`{"table": "trade_appeal_cases", "record": ` + record + `, "private": {"reviewer_note": "` +
		strings.Repeat("n", 1000) + `"}}`)
}

// mebibyte is the largest record that is read.
const mebibyte = 1 << 20

func TestRecordsAreLimitedToAMebibyte(t *testing.T) {
	var reader packets.Reader
	u, fault := reader.Read(sized(mebibyte))
	if fault != nil {
		t.Fatalf("a mebibyte: %v", fault)
	}
	domaintest.Restored(t, u.Redact())
	_, fault = reader.Read(sized(mebibyte + 1))
	expectFault(t, fault, "/record", "is over 1 MiB")
	question := strings.Replace(string(sized(mebibyte+1)), `"private"`, `"at": "`+domaintest.Now+`", "private"`, 1)
	question = question[:strings.Index(question, `, "private"`)] + "}"
	_, fault = rules.ReadInput(&reader, []byte(question))
	expectFault(t, fault, "/record", "is over 1 MiB")
}

// White space counts, because it is what has to be read.
func TestWhiteSpaceCountsTowardsTheMebibyte(t *testing.T) {
	var reader packets.Reader
	text := strings.Replace(string(packet("trade_appeal_cases", "")), `"caseId"`, strings.Repeat(" ", mebibyte)+`"caseId"`, 1)
	_, fault := reader.Read([]byte(text))
	expectFault(t, fault, "/record", "is over 1 MiB")
	outside := strings.Repeat("\n", 2*mebibyte) + string(packet("trade_appeal_cases", ""))
	if _, fault := reader.Read([]byte(outside)); fault != nil {
		t.Errorf("white space around the packet: %v", fault)
	}
}

// A record just below the limit grows when its texts are masked, and has to be readable all the same.
func TestMaskedRecordsOfAMebibyteAreReadBack(t *testing.T) {
	text := strings.Replace(string(sized(mebibyte)), `"status"`, `"remedyGap": "a@b.co", "status"`, 1)
	over := len(`"remedyGap": "a@b.co", `)
	text = strings.Replace(text, strings.Repeat("c", over)+`"]}`, `"]}`, 1)
	packet := domaintest.Redacted(t, []byte(text))
	if len(packet.Document()) <= mebibyte {
		t.Fatal("it did not grow")
	}
	if again := domaintest.Restored(t, packet); again.Key() != packet.Key() {
		t.Errorf("%+v", again.Key())
	}
}

func TestIntegersAreBelowTwoToThe53(t *testing.T) {
	var reader packets.Reader
	for number, reason := range map[string]string{
		"1": "", "1.0": "", "1e0": "", "10e-1": "", "9007199254740991": "", "9007199254740991.0": "",
		"9007199254740992":                "a number of 2^53 or more",
		"9007199254740993":                "a number of 2^53 or more",
		"9007199254740992.0":              "a number of 2^53 or more",
		"9.007199254740992e15":            "a number of 2^53 or more",
		"1e16":                            "a number of 2^53 or more",
		"1e1000000":                       "a number of 2^53 or more",
		"18446744073709551617":            "a number of 2^53 or more",
		"1.00000000000000000000000000001": "a fraction that would round to an integer",
		"0":                               wantVersion, "-0": wantVersion, "-1": wantVersion, "0.0": wantVersion, "1.5": wantVersion,
		"-9007199254740991": wantVersion,
		`"1"`:               wantVersion, "true": wantVersion, "[1]": wantVersion, "{}": wantVersion,
		"01": "malformed number", "+1": "malformed number", ".5": "malformed number", "1.": "malformed number",
		"1e": "malformed number", "0x1": "unexpected character", "Infinity": "unexpected character",
		strings.Repeat("1", 65): "a number of more than 64 bytes",
	} {
		_, fault := reader.Read(packet("trade_appeal_cases", `"policyVersion": `+number))
		switch {
		case reason == "":
			if fault != nil {
				t.Errorf("%s: %v", number, fault)
			}
		case fault == nil || fault.Reason != reason:
			t.Errorf("%s: %v, want %s", number, fault, reason)
		}
	}
}

func TestAnIntegerHasOneHashInAllItsWritings(t *testing.T) {
	var first packets.Digests
	for i, number := range []string{"20", "20.0", "2e1", "200e-1", "2.0E+1"} {
		p := domaintest.Redacted(t, packet("trade_appeal_cases", `"policyVersion": `+number))
		if i == 0 {
			first = p.Digests()
		}
		if p.Digests() != first {
			t.Errorf("%s has another hash", number)
		}
	}
}
