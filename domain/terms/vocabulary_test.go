package terms_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
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
	blockers := domain.Blockers.Texts()
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

func TestWordsGoThereAndBack(t *testing.T) {
	roundTrip(t, "subjects", domain.Subjects.All(), domain.Subjects.Parse, unmarshal)
	roundTrip(t, "standing", domain.StandingCategories.All(), domain.StandingCategories.Parse, unmarshal)
	roundTrip(t, "triggers", domain.Triggers.All(), domain.Triggers.Parse, unmarshal)
	roundTrip(t, "outcomes", domain.Outcomes.All(), domain.Outcomes.Parse, unmarshal)
	roundTrip(t, "factors", domain.FactorCodes.All(), domain.FactorCodes.Parse, unmarshal)
	roundTrip(t, "case statuses", domain.CaseStatuses.All(), domain.CaseStatuses.Parse, unmarshal)
	roundTrip(t, "notice", domain.NoticeStates.All(), domain.NoticeStates.Parse, unmarshal)
	roundTrip(t, "appeal policy", domain.AppealPolicyStatuses.All(), domain.AppealPolicyStatuses.Parse, unmarshal)
	roundTrip(t, "redaction", domain.RedactionStatuses.All(), domain.RedactionStatuses.Parse, unmarshal)
	roundTrip(t, "requested effects", domain.RequestedEffects.All(), domain.RequestedEffects.Parse, unmarshal)
	roundTrip(t, "transitions", domain.Transitions.All(), domain.Transitions.Parse, unmarshal)
	roundTrip(t, "guarded actions", domain.GuardedActions.All(), domain.GuardedActions.Parse, unmarshal)
	roundTrip(t, "subject types", domain.SubjectTypes.All(), domain.SubjectTypes.Parse, unmarshal)
	roundTrip(t, "amendment types", domain.AmendmentTypes.All(), domain.AmendmentTypes.Parse, unmarshal)
	roundTrip(t, "amendment states", domain.AmendmentStates.All(), domain.AmendmentStates.Parse, unmarshal)
	roundTrip(t, "confirmations", domain.ConfirmationStates.All(), domain.ConfirmationStates.Parse, unmarshal)
	roundTrip(t, "amendment policy", domain.AmendmentPolicyStatuses.All(), domain.AmendmentPolicyStatuses.Parse, unmarshal)
	roundTrip(t, "changed terms", domain.ChangedTerms.All(), domain.ChangedTerms.Parse, unmarshal)
	roundTrip(t, "effects", domain.Effects.All(), domain.Effects.Parse, unmarshal)
	roundTrip(t, "snapshots", domain.SnapshotSubjects.All(), domain.SnapshotSubjects.Parse, unmarshal)
	roundTrip(t, "private", domain.PrivateCategories.All(), domain.PrivateCategories.Parse, unmarshal)
	roundTrip(t, "roles", domain.Roles.All(), domain.Roles.Parse, unmarshal)
	roundTrip(t, "decisions", domain.DecisionStatuses.All(), domain.DecisionStatuses.Parse, unmarshal)
	roundTrip(t, "tables", domain.Tables.All(), domain.Tables.Parse, unmarshal)
	roundTrip(t, "areas", domain.Areas.All(), domain.Areas.Parse, unmarshal)
	roundTrip(t, "blockers", domain.Blockers.All(), domain.Blockers.Parse, unmarshal)
	roundTrip(t, "sections", domain.SectionNames.All(), domain.SectionNames.Parse, unmarshal)
	roundTrip(t, "orders", domain.SortOrders.All(), domain.SortOrders.Parse, unmarshal)
}

func TestGatesGoThereAndBackAndAnythingElseIsBlocked(t *testing.T) {
	if !slices.Equal(domain.Gates(), []string{"pass", "blocked"}) {
		t.Errorf("%q", domain.Gates())
	}
	for text, gate := range map[string]domain.Gate{"pass": domain.Pass, "blocked": domain.Blocked} {
		if parsed, err := domain.ParseGate(text); err != nil || parsed != gate || gate.String() != text ||
			string(domaintest.Encoded(gate)) != `"`+text+`"` {
			t.Errorf("%s is %v: %v", text, parsed, err)
		}
	}
	for _, text := range []string{"", "Pass", "pass ", "open", "canary"} {
		if gate, err := domain.ParseGate(text); err == nil || gate != domain.Blocked || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q is %v: %v", text, gate, err)
		}
	}
	var zero domain.Gate
	for _, gate := range []domain.Gate{zero, 2, 255} {
		if gate.String() != "blocked" {
			t.Errorf("%d is %s", gate, gate)
		}
	}
}

func TestEachAreaHasItsOwnTables(t *testing.T) {
	for area, want := range map[domain.Area][3]domain.Table{
		domain.Appeals:    {domain.AppealPolicies, domain.AppealCases, domain.AppealEnforcements},
		domain.Amendments: {domain.AmendmentPolicies, domain.AmendmentRecords, domain.AmendmentEnforcements},
	} {
		got := [3]domain.Table{domain.PolicyTable(area), domain.RecordTable(area), domain.EnforcementTable(area)}
		if got != want {
			t.Errorf("%s has %v, want %v", area, got, want)
		}
		for _, table := range want {
			if domain.AreaOf(table) != area {
				t.Errorf("%s is one of %s", table, domain.AreaOf(table))
			}
		}
	}
}

func TestContractsAreThoseOfTheSource(t *testing.T) {
	if domain.ContractOf(domain.Appeals) != (domain.Contract{Version: "trade-challenge-appeal-v0.3",
		ValidatorName: "trade-challenge-appeal-contract", ValidatorVersion: "trade-challenge-appeal-validator-v0.1"}) {
		t.Errorf("%+v", domain.ContractOf(domain.Appeals))
	}
	if domain.ContractOf(domain.Amendments) != (domain.Contract{Version: "trade-agreement-amendments-v0.1-2026-06",
		ValidatorName:    "trade-agreement-amendments-contract",
		ValidatorVersion: "trade-agreement-amendments-validator-v0.1"}) {
		t.Errorf("%+v", domain.ContractOf(domain.Amendments))
	}
	if domain.ContractOf(0) != (domain.Contract{}) {
		t.Error("no area has a contract")
	}
}
