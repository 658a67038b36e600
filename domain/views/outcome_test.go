package views_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// What may be recorded while the gate is blocked, from the specification.
var blockedOutcomes = []string{"block_reliance", "request_evidence", "route_human_review", "close_unresolved"}

func TestOutcomesThatMayBeRecorded(t *testing.T) {
	gap := domaintest.Set("/record/remedyGap", "The stream was not restored.")
	for trigger, advice := range triggerAdvice {
		open := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/trigger", trigger), gap, domaintest.Set("/record/requestedOutcome", "close_unresolved"))
		blocked := domaintest.View(t, domaintest.Appeal(), domaintest.Set("/record/trigger", trigger), gap, domaintest.Del("/record/deadline"))
		for _, test := range []struct {
			name     string
			view     *views.View
			added    terms.BlockerSet
			permits  []string
			advisory string
		}{
			{"pass", &open, 0, slices.Concat(alwaysCompatible, advice.Compatible), "close_unresolved"},
			{"blocked", &blocked, 0, blockedOutcomes, "block_reliance"},
			{"tightened", &open, terms.SetOf(terms.StandingMissing), blockedOutcomes, "block_reliance"},
			{"blocked and tightened", &blocked, terms.SetOf(terms.StandingMissing), blockedOutcomes, "block_reliance"},
		} {
			options := records.Options(test.view, test.added)
			if len(options) != len(domaintest.OutcomeNames) {
				t.Fatalf("%d options", len(options))
			}
			for _, option := range options {
				may := slices.Contains(test.permits, option.Outcome.String())
				choice := domaintest.ChoiceFor(test.view, test.added.Terms()...)
				choice.Outcome = option.Outcome
				record, err := records.Decide(test.view, choice, domaintest.StampOf(domaintest.Assigned))
				if !may {
					domaintest.Refused(t, trigger+", "+test.name+", "+option.Outcome.String(), record, err)
				} else if err != nil {
					t.Errorf("%s, %s, %s: %v", trigger, test.name, option.Outcome, err)
				}
				asked := test.view == &open && option.Outcome.String() == "close_unresolved"
				if (option.Obstacle == "") != may || option.Asked != asked ||
					option.Advised != (option.Outcome.String() == test.advisory) {
					t.Errorf("%s, %s: %+v", trigger, test.name, option)
				}
			}
		}
	}
}

func TestAppealsNeedAnOutcomeAndFactorCodesAndAmendmentsTakeNone(t *testing.T) {
	for name, one := range map[string]struct {
		from  domaintest.Scene
		spoil func(*records.Choice)
	}{
		"no outcome":            {domaintest.Appeal(), func(c *records.Choice) { c.Outcome = 0 }},
		"no word":               {domaintest.Appeal(), func(c *records.Choice) { c.Outcome = terms.Outcome(terms.Outcomes.Len() + 1) }},
		"no factor code":        {domaintest.Appeal(), func(c *records.Choice) { c.Factors = 0 }},
		"outcome":               {domaintest.Correction(), func(c *records.Choice) { c.Outcome = terms.BlockReliance }},
		"a preliminary outcome": {domaintest.Correction(), func(c *records.Choice) { c.Preliminary = terms.BlockReliance }},
		"factor codes":          {domaintest.Correction(), func(c *records.Choice) { c.Factors = terms.SetOf(terms.HumanReviewRequired) }},
	} {
		v := domaintest.View(t, one.from)
		choice := domaintest.ChoiceFor(&v)
		one.spoil(&choice)
		record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
		domaintest.Refused(t, name, record, err)
		if options := records.Options(&v, 0); v.Area() == terms.Amendments && len(options) != 0 {
			t.Errorf("an amendment has %d options", len(options))
		}
	}
}

func TestBlockersOfTheOtherAreaAreRefused(t *testing.T) {
	for area, s := range map[terms.Area]domaintest.Scene{terms.Appeals: domaintest.Appeal(), terms.Amendments: domaintest.Correction()} {
		for _, blocker := range terms.Blockers.All() {
			v := domaintest.View(t, s)
			choice := domaintest.ChoiceFor(&v, blocker)
			record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
			if _, own := rules.RuleFor(area, blocker); !own {
				domaintest.Refused(t, blocker.String(), record, err)
			} else if err != nil {
				t.Errorf("%s: %v", blocker, err)
			}
		}
	}
}

// A human can add a blocker; nobody can remove one.
func TestAddedBlockersTightenAndNeverLoosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := []domaintest.Scene{domaintest.Appeal(), domaintest.Correction(), domaintest.MaterialChange()}[rapid.IntRange(0, 2).Draw(t, "sample")]
		edits := []domaintest.Edit{domaintest.Set("/record/revision", 1), domaintest.Del("/record/notice"), domaintest.Del("/policy")}
		v := domaintest.View(t, s, edits[:rapid.IntRange(0, 3).Draw(t, "edits")]...)
		computed := v.Evaluation().BlockerSet()
		added := terms.SetOf(rapid.SliceOfN(rapid.SampledFrom(rules.AllBlockers(v.Area()).Terms()), 0, 4).Draw(t, "added")...)
		want := terms.Blocked
		if computed.Empty() && added.Empty() {
			want = terms.Pass
		}
		if got := records.GateWith(&v, added); got != want {
			t.Fatalf("%q and %q: %s", computed.Texts(), added.Texts(), got)
		}
		m := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v, added.Terms()...)).Members()
		if m.Gate != want || !slices.Equal(domaintest.Texts(m.ComputedBlockers), domaintest.Codes(v.Evaluation())) {
			t.Fatalf("recorded %s by %q", m.Gate, m.ComputedBlockers)
		}
		if got := terms.SetOf(m.ReviewerBlockers...); got != added.Minus(computed) || got.Len() != len(m.ReviewerBlockers) {
			t.Fatalf("added %q, recorded %q", added.Texts(), m.ReviewerBlockers)
		}
		if v.Area() == terms.Amendments && (len(m.Blocked) == 0) != (want == terms.Pass) {
			t.Fatalf("%s holds back %q", want, m.Blocked)
		}
	})
}
