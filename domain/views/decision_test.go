package views_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestDecisionHasTheMembersOfTheSource(t *testing.T) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(domaintest.Encoded(domaintest.Decided(t, domaintest.Appeal())), &members); err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(`status outcome factorCodes humanReviewRequired stateMutation standingAccepted reviewScope
		requiredArtifacts privacyActions provenanceActivity traceabilityBusinessStep appealScopeStatement blockers`)
	for _, name := range want {
		if _, there := members[name]; !there {
			t.Errorf("no %s", name)
		}
	}
	if len(members) != len(want) {
		t.Errorf("%d members of %d", len(members), len(want))
	}
}

func TestADecisionAsksForCuresAndRedactionOnlyIfNeeded(t *testing.T) {
	for name, test := range map[string]struct {
		edits         []domaintest.Edit
		cures, redact bool
	}{
		"pass":     {nil, false, false},
		"blocked":  {[]domaintest.Edit{domaintest.Del("/record/notice")}, true, false},
		"unmasked": {[]domaintest.Edit{domaintest.Set("/record/redaction/status", "pending")}, true, true},
	} {
		v := domaintest.View(t, domaintest.Appeal(), test.edits...)
		d := views.DecisionOf(v.Evaluation())
		cures := strings.Contains(strings.Join(d.RequiredArtifacts, " "), "What cures each blocker")
		redact := strings.Contains(strings.Join(d.PrivacyActions, " "), "Have the source redact the case")
		if cures != test.cures || redact != test.redact {
			t.Errorf("%s: asks for cures: %v, for redaction: %v", name, cures, redact)
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
