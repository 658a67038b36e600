package overlap_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"docket/domain/overlap"
)

// tag is a blinded tag.
const tag = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

type object = map[string]any

func token() object {
	return object{"blinded_tag": tag, "tag_namespace": "exact_capability_tag", "token_version": 1, "expires_at": "2027-01-01T00:00:00Z"}
}

func tokenWith(name string, value any) object {
	changed := token()
	changed[name] = value
	return changed
}

func request(tokens ...any) object { return object{"tokens": tokens} }

func encoded(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestARequestOfBlindedTokensIsTaken(t *testing.T) {
	one, many := string(encoded(t, request(token()))), slices.Repeat([]any{token()}, overlap.MaxTokens)
	for name, text := range map[string][]byte{
		"one token":       encoded(t, request(token())),
		"two tokens":      encoded(t, request(token(), tokenWith("tag_namespace", "exact_constraint_tag"))),
		"as many as fit":  encoded(t, request(many...)),
		"a whole MiB":     []byte(strings.Repeat(" ", overlap.MaxRequestSize-len(one)) + one),
		"white space":     []byte(" \n" + string(encoded(t, request(token()))) + "\n "),
		"highest version": encoded(t, request(tokenWith("token_version", 65535))),
	} {
		if refusal := overlap.CheckRequest(text); refusal != nil {
			t.Errorf("%s: %v", name, refusal)
		}
	}
}

func TestAnyOtherRequestIsRefusedWithPlaceAndCode(t *testing.T) {
	beside := request(token())
	beside["CANARY"] = 1
	forbidden := request(token())
	forbidden["exact_wish"] = "CANARY"
	cases := map[string]struct {
		text    []byte
		pointer string
		code    overlap.RefusalCode
	}{
		"no JSON":              {[]byte("CANARY"), "", overlap.MalformedJSON},
		"nothing":              {nil, "", overlap.MalformedJSON},
		"truncated":            {[]byte(`{"tokens":[{"blinded_tag":"CANARY`), "/tokens/0/blinded_tag", overlap.MalformedJSON},
		"in an unknown place":  {[]byte(`{"CANARY":{"CANARY":01}}`), "", overlap.MalformedJSON},
		"in an unknown member": {[]byte(`{"tokens":[{"CANARY":01}]}`), "/tokens/0", overlap.MalformedJSON},
		"a duplicate member":   {[]byte(`{"tokens":[],"tokens":["CANARY"]}`), "", overlap.MalformedJSON},
		"two values":           {[]byte(`{"tokens":[]} "CANARY"`), "", overlap.MalformedJSON},
		"over 1 MiB":           {[]byte(strings.Repeat(" ", overlap.MaxRequestSize+1)), "", overlap.TooLarge},
		"an array":             {encoded(t, []any{token()}), "", overlap.WrongType},
		"a text":               {[]byte(`"CANARY"`), "", overlap.WrongType},
		"no tokens member":     {[]byte(`{}`), "", overlap.MemberMissing},
		"tokens as text":       {encoded(t, object{"tokens": "CANARY"}), "/tokens", overlap.WrongType},
		"no tokens":            {[]byte(`{"tokens":[]}`), "/tokens", overlap.TokenCount},
		"too many tokens":      {encoded(t, request(slices.Repeat([]any{token()}, overlap.MaxTokens+1)...)), "/tokens", overlap.TokenCount},
		"an unknown member":    {encoded(t, beside), "", overlap.UnknownMember},
		"a forbidden input":    {encoded(t, forbidden), "", overlap.ForbiddenMember},
		"a token as text":      {encoded(t, request(token(), "CANARY")), "/tokens/1", overlap.WrongType},
		"an unknown member of a token": {encoded(t, request(token(), tokenWith("CANARY", 1))), "/tokens/1",
			overlap.UnknownMember},
		"a raw tag beside": {encoded(t, request(tokenWith("raw_tag", "CANARY"))), "/tokens/0", overlap.UnknownMember},
	}
	for _, word := range overlap.ForbiddenInputs.Texts() {
		cases["forbidden "+word] = struct {
			text    []byte
			pointer string
			code    overlap.RefusalCode
		}{encoded(t, request(tokenWith(word, "CANARY"))), "/tokens/0", overlap.ForbiddenMember}
	}
	for name, c := range cases {
		refusal := overlap.CheckRequest(c.text)
		if refusal == nil || refusal.Pointer != c.pointer || refusal.Code != c.code {
			t.Errorf("%s: %+v", name, refusal)
		} else if strings.Contains(refusal.Error(), "CANARY") || strings.Contains(refusal.Error(), "exact_wish") {
			t.Errorf("%s: the refusal repeats what was sent: %v", name, refusal)
		}
	}
}

func TestEveryMemberOfATokenIsHeldToItsForm(t *testing.T) {
	wrong := map[string]struct {
		code   overlap.RefusalCode
		values []any
	}{
		"blinded_tag": {overlap.NotABlindedTag, []any{"", "CANARY", nil, 1, []any{tag}, strings.ToUpper(tag), tag[1:], tag + "0",
			strings.Repeat("g", 64), "I would like to swap my pledge for a quieter one, please and CANARY", strings.Repeat("é", 32)}},
		"tag_namespace": {overlap.NotANamespace, []any{"", "CANARY", nil, 1, "Exact_capability_tag", "free_text", "exact_capability_tag "}},
		"token_version": {overlap.NotATokenVersion, []any{0, -1, 65536, 15551234567, 1.5, "1", nil, true, "CANARY"}},
		"expires_at":    {overlap.NotATime, []any{"", "CANARY", nil, 1, "2027-01-01", "2027-02-30T00:00:00Z", "2027-01-01T00:00:00+01:00"}},
	}
	for name, w := range wrong {
		for _, value := range w.values {
			refusal := overlap.CheckRequest(encoded(t, request(token(), tokenWith(name, value))))
			if refusal == nil || refusal.Pointer != "/tokens/1/"+name || refusal.Code != w.code || strings.Contains(refusal.Error(), "CANARY") {
				t.Errorf("%s %v: %+v", name, value, refusal)
			}
		}
		missing := token()
		delete(missing, name)
		refusal := overlap.CheckRequest(encoded(t, request(missing)))
		if refusal == nil || refusal.Pointer != "/tokens/0" || refusal.Code != overlap.MemberMissing || refusal.Detail != name {
			t.Errorf("without %s: %+v", name, refusal)
		}
	}
	if got, want := slices.Sorted(maps.Keys(wrong)), slices.Sorted(maps.Keys(token())); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func FuzzCheckRequest(f *testing.F) {
	f.Add(encoded(f, request(token())))
	f.Add([]byte(`{"tokens":[{"blinded_tag":"x","free_text":1}]}`))
	f.Add([]byte(`{"tokens":[],"tokens":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if refusal := overlap.CheckRequest(text); refusal != nil {
			if !refusal.Code.Present() || refusal.Error() == "" {
				t.Fatalf("%+v", refusal)
			}
			return
		}
		var shape struct{ Tokens []map[string]any }
		if err := json.Unmarshal(text, &shape); err != nil || len(shape.Tokens) == 0 {
			t.Fatalf("%v: %q", err, text)
		}
		for _, token := range shape.Tokens {
			if len(token) != 4 || len(fmt.Sprint(token["blinded_tag"])) != 64 {
				t.Fatalf("%q", text)
			}
		}
	})
}

func TestARefusalNamesPlaceAndReasonOnly(t *testing.T) {
	for want, refusal := range map[string]overlap.Refusal{
		"too_large: it is over 1 MiB":                                                       {Code: overlap.TooLarge},
		"/tokens: token_count: it must hold 1 to 1,000 tokens":                              {Code: overlap.TokenCount, Pointer: "/tokens"},
		"member_missing: it lacks a member that every token needs (expires_at)":             {Code: overlap.MemberMissing, Detail: "expires_at"},
		"/tokens/0: member_missing: it lacks a member that every token needs (blinded_tag)": {Code: overlap.MemberMissing, Pointer: "/tokens/0", Detail: "blinded_tag"},
	} {
		if got := refusal.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestEveryBlockerHasItsOwnRule(t *testing.T) {
	for i, code := range overlap.Blockers.All() {
		if rule, found := overlap.RuleFor(code); !found || rule.Code != code || rule != overlap.BlockerRules()[i] {
			t.Errorf("%s: %+v", code, rule)
		}
	}
	if _, found := overlap.RuleFor(0); found {
		t.Error("an absent blocker has a rule")
	}
}
