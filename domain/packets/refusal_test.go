package packets_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// A refusal is a text that is refused, by the pointer and the reason; testdata/refusals.txt says how it is written.
type refusal struct{ where, name, pointer, reason, text string }

var refusals = func() (all []refusal) {
	file, err := os.ReadFile("testdata/refusals.txt")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(file)) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 5)
		if strings.HasPrefix(line, "#") || len(fields) < 5 {
			continue
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		text := strings.ReplaceAll(fields[4], "$now", domaintest.Now)
		if quoted, is := strings.CutPrefix(text, "go:"); is {
			if text, err = strconv.Unquote(quoted); err != nil {
				panic(line)
			}
		}
		all = append(all, refusal{fields[0], fields[1], fields[2], fields[3], text})
	}
	return all
}()

// packet is the whole text that is refused.
func (r *refusal) packet() []byte {
	if strings.HasPrefix(r.where, "trade_") {
		return packet(r.where, r.text)
	}
	return []byte(r.text)
}

// required are the members that a record of the table must have.
var requiredMembers = map[string]string{
	"trade_appeal_policies":              `"policyId": "p", "policyVersion": 1, "contractVersion": "c", "status": "draft"`,
	"trade_appeal_cases":                 `"caseId": "c", "revision": 1, "contractVersion": "c", "status": "draft"`,
	"trade_agreement_amendment_policies": `"policyId": "p", "policyVersion": 1, "contractVersion": "c", "status": "draft"`,
	"trade_agreement_amendment_records": `"amendmentId": "a", "revision": 1, "contractVersion": "c", "ownerId": "o",
		"state": "draft"`,
}

func packet(table, members string) []byte {
	if members != "" {
		members = ", " + members
	}
	return []byte(`{"table": "` + table + `", "record": {` + requiredMembers[table] + members + `}}`)
}

func TestRefusalsPointAtTheFaultAndRepeatNothing(t *testing.T) {
	var reader packets.Reader
	var sealer packets.Sealer
	for i := range refusals {
		r := &refusals[i]
		text := r.packet()
		t.Run(cmp.Or(r.name, r.text, "nothing"), func(t *testing.T) {
			if r.where != "question" {
				u, fault := reader.Read(text)
				expectFault(t, fault, r.pointer, r.reason)
				if u.Table() != 0 || u.Redact().Document() != nil {
					t.Error("something of it was read all the same")
				}
				out, fault := sealer.Seal(text)
				if expectFault(t, fault, r.pointer, r.reason); out != nil {
					t.Error("it is sealed")
				}
			}
			asked := text
			switch r.where {
			case "trade_appeal_cases", "trade_agreement_amendment_records": // as a question it is refused just so
				asked = []byte(strings.Replace(string(text), `"record"`, `"at": "`+domaintest.Now+`", "record"`, 1))
			case "question":
			default:
				return
			}
			_, fault := rules.ReadInput(&reader, asked)
			expectFault(t, fault, r.pointer, r.reason)
		})
	}
	if len(refusals) != 109 {
		t.Errorf("%d texts", len(refusals))
	}
}

func expectFault(t *testing.T, fault *json.Fault, pointer, reason string) {
	t.Helper()
	if fault == nil {
		t.Fatal("accepted")
	}
	if fault.Pointer != pointer || fault.Reason != reason {
		t.Errorf("got  %s: %s\nwant %s: %s", fault.Pointer, fault.Reason, pointer, reason)
	}
	if pointed := pointer + ": " + reason; fault.Error() != strings.TrimPrefix(pointed, ": ") {
		t.Errorf("as an error it reads %q", fault.Error())
	}
	if text := fault.Error(); strings.Contains(text, "canary") || strings.Contains(text, "cänary") {
		t.Errorf("it repeats what may be private: %s", text)
	}
}

// Only the members that identify a record have to be there; all other absences are for the rules to judge.
func TestRequiredMembersAreThoseOfTheSpecification(t *testing.T) {
	for table, required := range requiredMembers {
		word, err := terms.Tables.Parse(table)
		info, ok := packets.Info(word)
		if err != nil || !ok {
			t.Fatalf("%s: %v", table, err)
		}
		members := domaintest.Parsed("{" + required + "}")
		for _, m := range info.Shape.Members {
			if _, wanted := members[m.Name]; m.Required != wanted {
				t.Errorf("%s of %s is required: %v", m.Name, table, m.Required)
			}
			if nullable := slices.Contains([]string{"effectiveUntil", "requestedOutcome"}, m.Name); m.Nullable != nullable {
				t.Errorf("%s of %s may be null: %v", m.Name, table, m.Nullable)
			}
			strict := func(n json.MemberShape) bool { return n.Required || n.Nullable }
			if m.Form.Shape != nil && slices.ContainsFunc(m.Form.Shape.Members, strict) {
				t.Errorf("a member of %s of %s is required or may be null", m.Name, table)
			}
		}
		var reader packets.Reader
		if _, fault := reader.Read(packet(table, "")); fault != nil {
			t.Errorf("%s: %v", table, fault)
		}
		for name := range members {
			_, fault := reader.Read(domaintest.Encoded(map[string]any{"table": table, "record": domaintest.Without(members, name)}))
			expectFault(t, fault, "/record/"+name, "is required and absent")
			spoiled := strings.Replace(string(packet(table, "")), `"`+name+`"`, `"`+strings.ToUpper(name)+`"`, 1)
			if _, fault := reader.Read([]byte(spoiled)); fault == nil {
				t.Errorf("%s in capitals is accepted", name)
			}
		}
		if _, ok := packets.Info(0); ok {
			t.Error("no table is described")
		}
	}
}

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
	record := []byte(`{` + requiredMembers["trade_appeal_cases"] + `, "partyIds": ["a"`)
	for n := 0; len(record)+2 < bytes-200; n++ {
		record = fmt.Appendf(record, `,"c%0120d"`, n)
	}
	for n := 0; len(record)+2 < bytes-100; n++ {
		record = fmt.Appendf(record, `,"d%020d"`, n)
	}
	return fmt.Appendf(nil, `{"table": "trade_appeal_cases", "record": %s,"%s"]}, "private": {"reviewer_note": "%s"}}`, record,
		strings.Repeat("c", bytes-len(record)-len(`,""]}`)), strings.Repeat("n", 1000))
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
