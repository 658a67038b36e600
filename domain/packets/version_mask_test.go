package packets_test

import (
	"strings"
	"testing"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A contract version is no text, so it is not scanned for the rules; but what is private in it does not land either.
func TestAContractVersionWithPrivateDetailsIsMaskedAndBlocks(t *testing.T) {
	const leak = "kanarienvogel@example.org"
	packet := `{"table":"trade_appeal_cases","record":{"caseId":"c-1","revision":1,"contractVersion":"` + leak + `","status":"filed"}}`
	var reader packets.Reader
	unredacted, fault := reader.Read([]byte(packet))
	if fault != nil {
		t.Fatal(fault)
	}
	document := unredacted.Redact().Document()
	if strings.Contains(string(document), "kanarienvogel") || !strings.Contains(string(document), `"contractVersion":{"masked":["e-mail address"]}`) {
		t.Errorf("stored as %s", document)
	}
	stored, err := reader.ReadStored(document)
	if err != nil {
		t.Fatal(err)
	}
	view := views.New(packets.Packet{}, stored, rules.Latest{PolicyVersion: 1, Revision: 1}, terms.Instant{})
	if !view.Evaluation().BlockerSet().Has(terms.AppealCaseStale) || strings.Contains(string(view.Document()), "kanarienvogel") {
		t.Errorf("shown as %s", view.Document())
	}
	if _, fault := (&packets.Sealer{}).Seal([]byte(packet)); fault == nil || fault.Pointer != "/record/contractVersion" ||
		strings.Contains(fault.Reason, "kanarienvogel") {
		t.Errorf("sealed: %v", fault)
	}
}
