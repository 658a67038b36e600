package packets_test

import (
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A contract version is no text, but what is private in it does not land either: neither what the
// scan finds nor, before its source calls the case redacted, a sentence.
func TestAContractVersionWithPrivateDetailsIsMaskedAndBlocks(t *testing.T) {
	for name, c := range map[string]struct{ version, status, kept string }{
		"an address":                         {"kanarienvogel@example.org", "redacted", `{"masked":["e-mail address"]}`},
		"an address in an unredacted case":   {"kanarienvogel@example.org", "pending", `{"masked":["e-mail address","withheld until redacted"]}`},
		"a sentence in an unredacted case":   {"kanarienvogel is what Jane calls the house", "pending", `{"masked":["withheld until redacted"]}`},
		"the known one in an unredacted one": {terms.AppealContract.Version, "pending", `"` + terms.AppealContract.Version + `"`},
		"another one in a redacted case":     {"trade-challenge-appeal-v9", "redacted", `"trade-challenge-appeal-v9"`},
	} {
		t.Run(name, func(t *testing.T) {
			packet := `{"table":"trade_appeal_cases","record":{"caseId":"c-1","revision":1,"contractVersion":"` + c.version +
				`","redaction":{"status":"` + c.status + `"},"status":"filed"}}`
			var reader packets.Reader
			unredacted, fault := reader.Read([]byte(packet))
			if fault != nil {
				t.Fatal(fault)
			}
			document := unredacted.Redact().Document()
			if strings.Contains(string(document), "kanarienvogel") || !strings.Contains(string(document), `"contractVersion":`+c.kept) {
				t.Errorf("stored as %s", document)
			}
			stored, err := reader.ReadStored(document)
			if err != nil {
				t.Fatal(err)
			}
			view := views.New(packets.Packet{}, stored, rules.Latest{PolicyVersion: 1, Revision: 1}, terms.Instant{})
			known := c.version == terms.AppealContract.Version
			if view.Evaluation().BlockerSet().Has(terms.AppealCaseStale) == known || strings.Contains(string(view.Document()), "kanarienvogel") {
				t.Errorf("shown as %s", view.Document())
			}
			_, fault = (&packets.Sealer{}).Seal([]byte(packet))
			if strings.Contains(c.version, "@") && (fault == nil || fault.Pointer != "/record/contractVersion" ||
				strings.Contains(fault.Reason, "kanarienvogel")) {
				t.Errorf("sealed: %v", fault)
			}
		})
	}
}
