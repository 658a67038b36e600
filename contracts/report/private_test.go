package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// withMember puts a member of that name before the body's first one.
func withMember(t *testing.T, name string) []byte {
	t.Helper()
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(published(t, report.Amendments), []byte(`"privacyRule":`),
		[]byte(string(quoted)+`: "Kanarienvogel", "privacyRule":`), 1)
}

func TestAMemberNamedAfterAPrivateCategoryIsAFindingInAnySpelling(t *testing.T) {
	for name, want := range map[string]terms.PrivateCategory{
		"private_narrative": terms.PrivateNarrative, "privateNarratives": terms.PrivateNarrative,
		"participantIdentities": terms.ParticipantIdentity, "PARTICIPANT-IDENTITY": terms.ParticipantIdentity,
		"ConfirmationPayload": terms.ConfirmationPayload, "rawConfirmationPayloads": terms.ConfirmationPayload,
		"reviewernotes": terms.ReviewerNote, "Reviewer Notes": terms.ReviewerNote, "rawNotes": terms.ReviewerNote,
		"payment_details": terms.PaymentDetail, "paymentDetailJSON": terms.PaymentDetail,
		"private-baselines": terms.PrivateBaseline, "counterpartySpecificTerms": terms.CounterpartyTerms,
		"counterparty_term": terms.CounterpartyTerms, "exactWishes": terms.ExactWish, "EXACT_ASK": terms.ExactWish,
		"contactData": terms.ContactData, "contact_details": terms.ContactData,
		"sensitiveConstraints": terms.SensitiveConstraint, "preciseLocation": terms.SensitiveConstraint,
	} {
		found := examined(t, withMember(t, name))
		if len(found.Private) != 1 || found.Private[0].Category != want {
			t.Errorf("%s: got %+v, want %s", name, found.Private, want)
			continue
		}
		if !strings.HasPrefix(found.Private[0].Pointer, "/publicContract") {
			t.Errorf("%s: the pointer is %s", name, found.Private[0].Pointer)
		}
		if !strings.Contains(strings.Join(found.Blockers(), " "), "nothing-private") {
			t.Errorf("%s: nothing-private passes", name)
		}
	}
}

func TestTheMembersOfTheContractsAreNotPrivate(t *testing.T) {
	for _, kind := range report.Kinds() {
		if found := examined(t, published(t, kind)); len(found.Private) > 0 {
			t.Errorf("%s: %+v", kind, found.Private)
		}
	}
	for _, name := range []string{"notes", "payment", "terms", "narrator", "baseline", "detail", "privacy"} {
		if found := examined(t, withMember(t, name)); len(found.Private) > 0 {
			t.Errorf("%s: %+v", name, found.Private)
		}
	}
}

func TestAPrivateDetailInAnyTextIsAFinding(t *testing.T) {
	for detail, want := range map[string]terms.PrivateCategory{
		"write to jane@example.org":      terms.ContactData,
		"call +49 151 23456789":          terms.ContactData,
		"pay to DE89370400440532013000":  terms.PaymentDetail,
		"card 4111 1111 1111 1111":       terms.PaymentDetail,
		"at 52.52001, 13.40495":          terms.PrivateOther,
		"https://jane:pw@example.org/me": terms.ContactData,
	} {
		text := changed(t, report.Appeals, "A requested outcome is advisory", detail+" A requested outcome is advisory")
		found := examined(t, text)
		at := fmt.Sprint(found.Private)
		if len(found.Private) == 0 || found.Private[0].Category != want || !strings.Contains(at, "/publicContract/invariants/6") {
			t.Errorf("%s: got %+v, want %s", detail, found.Private, want)
		}
	}
	name := withMember(t, "jane@example.org")
	if found := examined(t, name); len(found.Private) != 1 || found.Private[0].Pointer != "/publicContract" {
		t.Errorf("a name with an address: %+v", found.Private)
	}
}

// canaries are texts that no examination may repeat from any place.
var canaries = []string{"Kanarienvogel", "Kanarienvogel sang at five", "kanarienvogel_seven", "\x1b]0;Kanarienvogel\x07",
	"kanarienvogel@example.org"}

func TestNothingOfAForeignTextIsRepeatedFromAnyPlace(t *testing.T) {
	t.Parallel()
	examiner := newExaminer(t)
	for _, kind := range report.Kinds() {
		for _, text := range everywhere(t, published(t, kind)) {
			found, err := examiner.Examine(text, now)
			said, _ := json.Marshal(&found)
			if err != nil {
				said = []byte(err.Error())
			}
			if bytes.Contains(bytes.ToLower(said), []byte("kanarienvogel")) {
				t.Fatalf("%s: a text is repeated in %s", kind, said)
			}
		}
	}
}

// everywhere puts a canary in place of each string of a document, member names included, one at a time and each in turn.
func everywhere(t *testing.T, document []byte) [][]byte {
	t.Helper()
	var all [][]byte
	for at := 0; at < len(document); {
		from := bytes.IndexByte(document[at:], '"')
		if from < 0 {
			break
		}
		from += at
		to := from + 2 + bytes.IndexByte(document[from+1:], '"')
		quoted, err := json.Marshal(canaries[len(all)%len(canaries)])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Join([][]byte{document[:from], quoted, document[to:]}, nil))
		at = to
	}
	if len(all) < 100 {
		t.Fatalf("only %d strings", len(all))
	}
	return all
}

func TestManyPrivateThingsAreCountedAndNotAllListed(t *testing.T) {
	many := strings.Repeat(`"jane@example.org",`, 500)
	found := examined(t, changed(t, report.Appeals, `"subjects": [`, `"subjects": [`+many))
	if len(found.Private) != 100 {
		t.Errorf("%d findings are listed", len(found.Private))
	}
	if text := fmt.Sprint(found.EnvelopeChecks); !strings.Contains(text, "500 private things were found") {
		t.Error("they are not counted")
	}
}
