package terms_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/terms"
)

// Tests of package contracts hold the vocabularies to the words of the source, to the schemas, and to the list of this project's
// choices; what stands in none of them is here.
func TestVocabulariesHaveTheirOwnNamesAndWords(t *testing.T) {
	names := []string{terms.Subjects.Name(), terms.StandingCategories.Name(), terms.Triggers.Name(), terms.Outcomes.Name(),
		terms.FactorCodes.Name(), terms.CaseStatuses.Name(), terms.NoticeStates.Name(), terms.Transitions.Name(), terms.GuardedActions.Name(),
		terms.SubjectTypes.Name(), terms.AmendmentTypes.Name(), terms.AmendmentStates.Name(), terms.ConfirmationStates.Name(),
		terms.DecisionStatuses.Name(), terms.AppealPolicyStatuses.Name(), terms.AmendmentPolicyStatuses.Name(), terms.RedactionStatuses.Name(),
		terms.RequestedEffects.Name(), terms.ChangedTerms.Name(), terms.Effects.Name(), terms.PrivateCategories.Name(), terms.Roles.Name(),
		terms.SnapshotSubjects.Name(), terms.Tables.Name(), terms.Areas.Name(), terms.Blockers.Name(), queue.SortOrders.Name()}
	if slices.Sort(names); len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("two are called alike: %q", names)
	}
	for want, got := range map[string][]string{domaintest.EveryAction: terms.GuardedActions.Texts(), "appeals amendments": terms.Areas.Texts(),
		"deadline -deadline blockers -blockers id -id arrival -arrival": queue.SortOrders.Texts()} {
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
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

func TestSetsAreSets(t *testing.T) {
	all := terms.Blockers.All()
	drawn := func(t *rapid.T, name string) map[terms.Blocker]bool {
		set := map[terms.Blocker]bool{}
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(all), 0, 12).Draw(t, name) {
			set[w] = true
		}
		return set
	}
	made := func(set map[terms.Blocker]bool) terms.BlockerSet {
		var s terms.BlockerSet
		for w := range set {
			s = s.With(w)
		}
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		sa, sb := made(a), made(b)
		words := []terms.Blocker{}
		for _, w := range all {
			if sa.Has(w) != a[w] || sa.Union(sb).Has(w) != (a[w] || b[w]) || sa.Minus(sb).Has(w) != (a[w] && !b[w]) ||
				!sa.With(w).Has(w) || sa.Without(w).Has(w) || sa.With(w).Without(w) != sa.Without(w) {
				t.Fatalf("%s", w)
			}
			if a[w] {
				words = append(words, w)
			}
		}
		if !slices.Equal(sa.Terms(), words) || sa.Len() != len(a) || sa.Empty() != (len(a) == 0) ||
			terms.SetOf(sa.Terms()...) != sa || !slices.Equal(sa.Texts(), domaintest.Texts(words)) {
			t.Fatalf("%q of %q", sa.Texts(), domaintest.Texts(words))
		}
	})
}

func TestAbsentWordsAreInNoSet(t *testing.T) {
	beyond := terms.Outcome(terms.Outcomes.Len() + 1)
	s := terms.SetOf(terms.Outcome(0), beyond, terms.BlockReliance)
	if s.Len() != 1 || s.Has(0) || s.Has(beyond) || !s.Has(terms.BlockReliance) {
		t.Errorf("%q", s.Texts())
	}
	var none terms.OutcomeSet
	if none.Terms() == nil || none.Texts() == nil || !none.Empty() || none.Has(0) {
		t.Error("the empty set")
	}
	if beyond.Present() || beyond.String() != "" || string(domaintest.Encoded(beyond)) != "null" {
		t.Errorf("%q is a word", beyond)
	}
	if terms.AreaOf(0) != 0 || terms.AreaOf(terms.Table(terms.Tables.Len()+1)) != 0 {
		t.Error("no table has an area")
	}
}

type colourList struct{}

var colourWords = terms.NewWordList("colour", "red", "dark_blue")

func (colourList) WordList() *terms.WordList { return colourWords }

func TestWordsOfOtherPackagesGoThereAndBack(t *testing.T) {
	var colours terms.Terms[colourList]
	roundTrip(t, colours.Name(), colours.All(), colours.Parse, unmarshal)
	if set := terms.SetOf(colours.All()...); colours.Len() != 2 || set.Len() != 2 || set.Texts()[1] != "dark_blue" {
		t.Errorf("%q", set.Texts())
	}
}

func TestTheDistanceOfWordsCountsCharactersToChange(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"sort", "sort", 0}, {"srot", "sort", 2}, {"", "sort", 4}, {"sort", "", 4}, {"kitten", "sitting", 3}, {"é", "e", 1}, {"ab", "ba", 2}} {
		if got := terms.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d", c.a, c.b, got)
		}
	}
}

func TestTheNearestWordsComeFirstAndEqualOnesKeepTheirOrder(t *testing.T) {
	words := []string{"down", "up", "skip", "sort"}
	if got := terms.Nearest("skpi", words, terms.Distance); !slices.Equal(got, []string{"skip", "up", "sort", "down"}) {
		t.Errorf("%q", got)
	}
	if got := terms.Nearest("x", []string{"a", "b"}, terms.Distance); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
	if words[0] != "down" {
		t.Error("the words were sorted in place")
	}
}
