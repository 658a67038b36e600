package client_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
)

var january = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// aStore opens a store of a service.
func aStore(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "store.db"), Service: true, Now: func() time.Time { return january }})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// takeOffice makes a person the operator of a service by the statement that is due, and returns the fingerprint of their key.
func takeOffice(t testing.TB, s *store.Store, id terms.ID, due func(context.Context) (records.LogStatement, error)) string {
	t.Helper()
	operator, err := identity.Ephemeral(id, terms.SafetyAdmin)
	must(t, err)
	statement, err := due(t.Context())
	must(t, err)
	statement.At = terms.InstantOf(january)
	named, err := operator.State(t.Context(), statement)
	must(t, err)
	must(t, s.NameOperator(t.Context(), named))
	return operator.Reviewer().KeyFingerprint
}

// invitedTo is an invitation to a service.
func invitedTo(t testing.TB, s *store.Store, operator string) client.Invitation {
	t.Helper()
	statements, err := s.LogStatements(t.Context())
	must(t, err)
	key, err := s.Verifier(t.Context())
	must(t, err)
	return client.Invitation{Name: "invite-abcd2345", Address: "https://docket.example.org", Key: key, Operator: operator,
		Statements: api.Statements(statements), Principal: "rev-0417", Role: terms.NeutralReviewer, Owners: []terms.ID{"own-1"}, Token: token + "A",
		OpenUntil: terms.InstantOf(january.Add(time.Hour)), Expires: terms.InstantOf(january.Add(2 * time.Hour))}
}

// anInvitation is one of a service that has an operator.
func anInvitation(t testing.TB) client.Invitation {
	t.Helper()
	s := aStore(t)
	return invitedTo(t, s, takeOffice(t, s, "op-1", s.OperatorToName))
}

func TestAConsoleThatAnsweredKnowsTheKeyAndTheOperatorBeforeTheFirstContact(t *testing.T) {
	service, console := aStore(t), newConsole(t).store
	invitation := invitedTo(t, service, takeOffice(t, service, "op-1", service.OperatorToName))
	followed := func(records.LogStatement) error { return nil }
	for _, want := range []bool{true, false} { // the second time changes nothing
		if first, err := invitation.Pin(t.Context(), console, followed); err != nil || first != want {
			t.Fatalf("%v, %v", first, err)
		}
	}
	if key, err := console.Service(t.Context()); err != nil || key != invitation.Key {
		t.Errorf("%s, %v", key, err)
	}
	other := anInvitation(t)
	if _, err := other.Pin(t.Context(), console, followed); !errors.Is(err, store.ErrOtherService) {
		t.Errorf("another service: %v", err)
	}
	takeOffice(t, service, "op-2", service.OperatorToReplace)
	statements, err := service.LogStatements(t.Context())
	must(t, err)
	statements = slices.DeleteFunc(statements, func(s signed.Statement) bool { return !strings.Contains(s.Text, "\noperator") })
	if named, err := console.KeepOperators(t.Context(), statements); err != nil || len(named) != 1 || named[0].By != "op-2" {
		t.Errorf("another operator: %v, %v", named, err)
	}
}

func TestAnInvitationIsReadBackAsItWasWritten(t *testing.T) {
	want := anInvitation(t)
	got, err := client.ReadInvitation(want.Document())
	if err != nil || !bytes.Equal(got.Document(), want.Document()) || got.Token != want.Token || got.Expires != want.Expires || len(got.Owners) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnInvitationThatDoesNotHoldTogetherIsRefusedAndNeverRepeated(t *testing.T) {
	whole, other := anInvitation(t), anInvitation(t)
	document := string(whole.Document())
	texts := map[string]string{
		"nothing": "", "no object": "[]", "another form": strings.Replace(document, "invitation/v1", "invitation/v2", 1),
		"a member twice":           strings.Replace(document, "\"form\"", "\"token\": \"docket_CANARY\", \"form\"", 1),
		"a member too many":        strings.Replace(document, "\"form\"", "\"CANARY\": 1, \"form\"", 1),
		"a member in another case": strings.Replace(document, "\"token\"", "\"Token\"", 1), "null": strings.Replace(document, "\"openUntil\": \"2026", "\"openUntil\": null, \"x\": \"2026", 1),
		"text after it": document + "x",
	}
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
		texts[name] = string(i.Document())
	}
	for name, text := range texts {
		got, err := client.ReadInvitation([]byte(text))
		if !errors.Is(err, client.ErrInvitation) || got.Token != "" || strings.Contains(err.Error(), "CANARY") || strings.Contains(err.Error(), whole.Token) {
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
