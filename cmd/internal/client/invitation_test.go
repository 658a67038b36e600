package client_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/domain/terms"
	"docket/store"
)

// anInvitation is one of a service that has an operator.
func anInvitation(t testing.TB) client.Invitation {
	t.Helper()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "service.db"), Service: true, Now: func() time.Time { return now }})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	operator, err := identity.Ephemeral("op-1", terms.SafetyAdmin)
	must(t, err)
	due, err := s.OperatorToName(t.Context())
	must(t, err)
	due.At = terms.InstantOf(now)
	named, err := operator.State(t.Context(), due)
	must(t, err)
	must(t, s.NameOperator(t.Context(), named))
	statements, err := s.LogStatements(t.Context())
	must(t, err)
	key, err := s.Verifier(t.Context())
	must(t, err)
	return client.Invitation{Name: "invite-abcd2345", Address: "https://docket.example.org", Key: key, Operator: operator.Reviewer().KeyFingerprint,
		Statements: api.Statements(statements), Principal: "rev-0417", Role: terms.NeutralReviewer, Owners: []terms.ID{"own-1"}, Token: token + "A",
		OpenUntil: terms.InstantOf(now.Add(time.Hour)), Expires: terms.InstantOf(now.Add(2 * time.Hour))}
}

func TestAnInvitationIsReadBackAsItWasWritten(t *testing.T) {
	want := anInvitation(t)
	got, err := client.ReadInvitation(want.Document())
	if err != nil || !bytes.Equal(got.Document(), want.Document()) || got.Token != want.Token || got.Expires != want.Expires || len(got.Owners) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnInvitationThatDoesNotHoldTogetherIsRefusedAndNeverRepeated(t *testing.T) {
	whole := anInvitation(t)
	other := anInvitation(t)
	for name, change := range map[string]func(*client.Invitation){
		"no name":                        func(i *client.Invitation) { i.Name = "" },
		"no address":                     func(i *client.Invitation) { i.Address = "" },
		"an address in the clear":        func(i *client.Invitation) { i.Address = "http://docket.example.org" },
		"an address with a password":     func(i *client.Invitation) { i.Address = "https://u:CANARY@docket.example.org" },
		"no key":                         func(i *client.Invitation) { i.Key = "" },
		"the key of another service":     func(i *client.Invitation) { i.Key = other.Key },
		"no operator":                    func(i *client.Invitation) { i.Operator = "" },
		"another operator":               func(i *client.Invitation) { i.Operator = other.Operator },
		"no statements":                  func(i *client.Invitation) { i.Statements = nil },
		"the statements of another":      func(i *client.Invitation) { i.Statements = other.Statements },
		"a statement without the log":    func(i *client.Invitation) { i.Statements[0].LogSignature = "" },
		"a statement without the person": func(i *client.Invitation) { i.Statements[0].Signature = "" },
		"no principal":                   func(i *client.Invitation) { i.Principal = "" },
		"no role":                        func(i *client.Invitation) { i.Role = 0 },
		"no token":                       func(i *client.Invitation) { i.Token = "CANARY" },
		"no end":                         func(i *client.Invitation) { i.OpenUntil = terms.Instant{} },
		"a token that ends before":       func(i *client.Invitation) { i.Expires = terms.InstantOf(i.OpenUntil.Time().Add(-1)) },
	} {
		i, err := client.ReadInvitation(whole.Document())
		must(t, err)
		change(&i)
		got, err := client.ReadInvitation(i.Document())
		if !errors.Is(err, client.ErrInvitation) || got.Token != "" || strings.Contains(err.Error(), "CANARY") || strings.Contains(err.Error(), whole.Token) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	document := string(whole.Document())
	for name, text := range map[string]string{
		"nothing": "", "no object": "[]", "another form": strings.Replace(document, "invitation/v1", "invitation/v2", 1),
		"a member twice":           strings.Replace(document, "\"form\"", "\"token\": \"docket_CANARY\", \"form\"", 1),
		"a member too many":        strings.Replace(document, "\"form\"", "\"CANARY\": 1, \"form\"", 1),
		"a member in another case": strings.Replace(document, "\"token\"", "\"Token\"", 1), "null": strings.Replace(document, "\"openUntil\": \"2026", "\"openUntil\": null, \"x\": \"2026", 1),
		"text after it": document + "x",
	} {
		if got, err := client.ReadInvitation([]byte(text)); !errors.Is(err, client.ErrInvitation) || got.Token != "" || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestAnInvitationWithOneByteChangedIsRefusedOrSaysWhatItSays(t *testing.T) {
	whole := anInvitation(t)
	document := whole.Document()
	rapid.Check(t, func(t *rapid.T) {
		changed := bytes.Clone(document)
		changed[rapid.IntRange(0, len(changed)-1).Draw(t, "place")] = rapid.Byte().Draw(t, "byte")
		got, err := client.ReadInvitation(changed)
		if err == nil && (got.Key != whole.Key || got.Operator != whole.Operator || len(got.Statements) != len(whole.Statements)) {
			t.Fatalf("another service or operator: %+v", got)
		}
		if err != nil && strings.Contains(err.Error(), whole.Token) {
			t.Fatalf("the token is in the error: %v", err)
		}
	})
}
