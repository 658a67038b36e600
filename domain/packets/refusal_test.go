package packets_test

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/rules"
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

const wantVersion = "must be an integer of 1 or more, below 2^53"

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
