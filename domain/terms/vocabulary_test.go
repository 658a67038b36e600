package terms_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/terms"
)

func TestVocabulariesAreTheSources(t *testing.T) {
	names := map[string]bool{}
	for _, v := range vocabularies() {
		if got, want := v.words, strings.Fields(v.want); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", v.name, got, want)
		}
		if names[v.name] {
			t.Errorf("two are called %q", v.name)
		}
		names[v.name] = true
	}
	both := slices.Concat(domaintest.AppealCodes, domaintest.AmendmentCodes)
	slices.Sort(both)
	blockers := terms.Blockers.Texts()
	slices.Sort(blockers)
	if !slices.Equal(slices.Compact(both), blockers) {
		t.Errorf("blockers: %q", blockers)
	}
}

// word is a Word of any vocabulary.
type word interface {
	comparable
	String() string
	Label() string
	Present() bool
	MarshalJSON() ([]byte, error)
}

// roundTrip takes every word of a vocabulary there and back, each way.
func roundTrip[W word](t *testing.T, name string, all []W, parse func(string) (W, error), back func([]byte, *W) error) {
	t.Helper()
	var absent W
	if absent.Present() || absent.String() != "" || string(domaintest.Encoded(absent)) != "null" {
		t.Errorf("%s: the zero word is %q", name, absent.String())
	}
	for _, w := range all {
		parsed, err := parse(w.String())
		if err != nil || parsed != w || !w.Present() || w.Label() != strings.ReplaceAll(w.String(), "_", " ") {
			t.Errorf("%s: %s is parsed as %v: %v", name, w.String(), parsed, err)
		}
		var read W
		if err := back(domaintest.Encoded(w), &read); err != nil || read != w {
			t.Errorf("%s: %s is read as %v: %v", name, domaintest.Encoded(w), read, err)
		}
		if err := back([]byte("null"), &read); err != nil || read != absent {
			t.Errorf("%s: null is read as %v: %v", name, read, err)
		}
		for _, wrong := range []string{strings.ToUpper(w.String()), w.String() + " ", w.String() + "x", "", "canary"} {
			if got, err := parse(wrong); err == nil || got != absent || strings.Contains(err.Error(), "canary") {
				t.Errorf("%s: %q is parsed as %v: %v", name, wrong, got, err)
			}
			read = w
			if err := back(domaintest.Encoded(wrong), &read); err == nil || read != absent {
				t.Errorf("%s: %q is read as %v: %v", name, wrong, read, err)
			}
		}
		for _, wrong := range []string{"1", "true", "[]", "{}"} {
			if err := back([]byte(wrong), &read); err == nil {
				t.Errorf("%s: %s is read", name, wrong)
			}
		}
	}
}

func unmarshal[W any](text []byte, into *W) error { return json.Unmarshal(text, into) }

// The vocabularies share one code: three of them stand for all.
func TestWordsGoThereAndBack(t *testing.T) {
	roundTrip(t, "triggers", terms.Triggers.All(), terms.Triggers.Parse, unmarshal)
	roundTrip(t, "blockers", terms.Blockers.All(), terms.Blockers.Parse, unmarshal)
	roundTrip(t, "orders", queue.SortOrders.All(), queue.SortOrders.Parse, unmarshal)
}

func TestGatesGoThereAndBackAndAnythingElseIsBlocked(t *testing.T) {
	if !slices.Equal(terms.Gates(), []string{"pass", "blocked"}) {
		t.Errorf("%q", terms.Gates())
	}
	for text, gate := range map[string]terms.Gate{"pass": terms.Pass, "blocked": terms.Blocked} {
		if parsed, err := terms.ParseGate(text); err != nil || parsed != gate || gate.String() != text ||
			string(domaintest.Encoded(gate)) != `"`+text+`"` {
			t.Errorf("%s is %v: %v", text, parsed, err)
		}
	}
	for _, text := range []string{"", "Pass", "pass ", "open", "canary"} {
		if gate, err := terms.ParseGate(text); err == nil || gate != terms.Blocked || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q is %v: %v", text, gate, err)
		}
	}
	var zero terms.Gate
	for _, gate := range []terms.Gate{zero, 2, 255} {
		if gate.String() != "blocked" {
			t.Errorf("%d is %s", gate, gate)
		}
	}
}

func TestEachAreaHasItsOwnTables(t *testing.T) {
	for area, want := range map[terms.Area][3]terms.Table{
		terms.Appeals:    {terms.AppealPolicies, terms.AppealCases, terms.AppealEnforcements},
		terms.Amendments: {terms.AmendmentPolicies, terms.AmendmentRecords, terms.AmendmentEnforcements},
	} {
		got := [3]terms.Table{terms.PolicyTable(area), terms.RecordTable(area), terms.EnforcementTable(area)}
		if got != want {
			t.Errorf("%s has %v, want %v", area, got, want)
		}
		for _, table := range want {
			if terms.AreaOf(table) != area {
				t.Errorf("%s is one of %s", table, terms.AreaOf(table))
			}
		}
	}
}

func TestContractsAreThoseOfTheSource(t *testing.T) {
	if terms.ContractOf(terms.Appeals) != (terms.Contract{Version: "trade-challenge-appeal-v0.3",
		ValidatorName: "trade-challenge-appeal-contract", ValidatorVersion: "trade-challenge-appeal-validator-v0.1"}) {
		t.Errorf("%+v", terms.ContractOf(terms.Appeals))
	}
	if terms.ContractOf(terms.Amendments) != (terms.Contract{Version: "trade-agreement-amendments-v0.1-2026-06",
		ValidatorName:    "trade-agreement-amendments-contract",
		ValidatorVersion: "trade-agreement-amendments-validator-v0.1"}) {
		t.Errorf("%+v", terms.ContractOf(terms.Amendments))
	}
	if terms.ContractOf(0) != (terms.Contract{}) {
		t.Error("no area has a contract")
	}
}
