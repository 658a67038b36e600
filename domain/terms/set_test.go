package terms_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/terms"
)

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

func TestConfirmableEffectsAreThoseOfTheSpecification(t *testing.T) {
	want := []string{"exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange", "donorOfRecordChange",
		"thirdPartyObligationChange"}
	if got := terms.ConfirmableEffects.Texts(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
