package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"docket/cmd/internal/api"
	"docket/domain/records"
)

func TestEveryProblemHasAStatusATitleAndATypeOfItsOwn(t *testing.T) {
	types := map[string]bool{}
	for _, kind := range api.ProblemKinds() {
		if http.StatusText(kind.Status()) == "" || kind.Status() < 400 {
			t.Errorf("%s has the status %d", kind.Word(), kind.Status())
		}
		if kind.Title() == "" || !strings.HasSuffix(kind.Title(), ".") {
			t.Errorf("%s has the title %q", kind.Word(), kind.Title())
		}
		if types[kind.URI()] {
			t.Errorf("%s stands twice", kind.URI())
		}
		types[kind.URI()] = true
		if (&api.Problem{Type: kind.URI()}).Kind() != kind {
			t.Errorf("%s is not read back", kind.URI())
		}
	}
}

func TestAnUnknownProblemRejectsNothing(t *testing.T) {
	for _, uri := range []string{"", "about:blank", "urn:docket:problem:", "packet_stale", "urn:docket:problem:Packet_stale"} {
		if kind := (&api.Problem{Type: uri}).Kind(); kind != api.Internal || kind.Rejects().Present() {
			t.Errorf("%q is read as %s", uri, kind.Word())
		}
	}
	if beyond := api.ProblemKind(200); beyond.Word() != api.Internal.Word() || beyond.Status() != 500 {
		t.Errorf("a kind outside the table is %s", beyond.Word())
	}
}

func TestEveryReasonToRejectARecordIsAProblem(t *testing.T) {
	for _, reason := range records.RejectionReasons.All() {
		var words []string
		for _, kind := range api.ProblemKinds() {
			if kind.Rejects() == reason {
				words = append(words, kind.Word())
			}
		}
		if len(words) != 1 || words[0] != reason.String() {
			t.Errorf("%s is answered with %v", reason, words)
		}
	}
}

func TestAProblemDocumentHoldsNoEmptyMembers(t *testing.T) {
	text, err := json.Marshal(api.Unauthenticated.New(""))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"urn:docket:problem:unauthenticated","title":"The request has no valid token.","status":401}`
	if string(text) != want {
		t.Errorf("got %s", text)
	}
	problem := api.PacketStale.New("do not go on")
	if problem.Kind() != api.PacketStale || !strings.Contains(problem.Error(), "do not go on") {
		t.Errorf("it reads %v", problem)
	}
}
