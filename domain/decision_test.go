package domain_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

// The names of an outcome in the provenance trail and in the business steps, written out from the specification.
var outcomeNames = map[string][2]string{
	"uphold_decision":       {"decision_upheld", "challenge_closed"},
	"request_evidence":      {"evidence_requested", "evidence_pending"},
	"route_human_review":    {"human_review_routed", "review_routed"},
	"open_challenge_window": {"challenge_window_opened", "challenge_opened"},
	"block_reliance":        {"reliance_blocked", "reliance_held"},
	"record_remedy":         {"remedy_recorded", "remedy_recorded"},
	"close_unresolved":      {"challenge_closed_unresolved", "challenge_closed"},
	"correct_record":        {"record_correction_proposed", "correction_proposed"},
}

// What the sample policy advises for a trigger, the factor code of the trigger, and what else it permits besides the
// four outcomes that it always does.
var triggerAdvice = map[string]struct {
	advisory, factor string
	compatible       []string
}{
	"duplicate_proof": {"block_reliance", "duplicate_proof_review",
		[]string{"open_challenge_window", "block_reliance", "correct_record"}},
	"coercive_baseline": {"route_human_review", "coercive_baseline_review",
		[]string{"open_challenge_window", "block_reliance"}},
	"wrong_scope_evidence": {"open_challenge_window", "wrong_scope_evidence_review",
		[]string{"open_challenge_window", "block_reliance", "correct_record"}},
	"material_factual_error": {"correct_record", "material_factual_error_review",
		[]string{"open_challenge_window", "correct_record"}},
	"privacy_disclosure_error": {"block_reliance", "privacy_disclosure_review",
		[]string{"block_reliance", "record_remedy", "correct_record"}},
	"externality_remedy_gap": {"record_remedy", "externality_remedy_review",
		[]string{"block_reliance", "record_remedy"}},
	"reviewer_conflict": {"route_human_review", "reviewer_conflict_review",
		[]string{"open_challenge_window", "block_reliance"}},
	"policy_misapplied": {"open_challenge_window", "policy_flag_review",
		[]string{"open_challenge_window", "correct_record"}},
}

var alwaysCompatible = []string{"uphold_decision", "request_evidence", "route_human_review", "close_unresolved"}

// texts writes words out.
func texts[S ~[]E, E interface{ String() string }](words S) []string {
	all := []string{}
	for _, word := range words {
		all = append(all, word.String())
	}
	return all
}

// decided is the decision, the same from the judgment and from the line that is printed.
func decided(t tb, s scene, edits ...edit) domain.Decision {
	t.Helper()
	line := s.question(t, edits...)
	var reader domain.Reader
	question, fault := domain.ReadQuestion(&reader, line)
	if fault != nil {
		t.Fatalf("the question is refused: %v", fault)
	}
	judgment := domain.Judge(&question)
	decision := domain.DecisionOf(judgment)
	printed := parsed(string(domain.AppendAnswer(nil, &question, judgment)))["decision"]
	if string(encoded(printed)) != string(encoded(normal(decision))) {
		t.Fatalf("printed %s, but decided %s", encoded(printed), encoded(decision))
	}
	return decision
}

func TestPassAdvisesWhatIsAskedForIfThePolicyPermitsIt(t *testing.T) {
	for trigger, advice := range triggerAdvice {
		gap := set("/record/remedyGap", "The stream was not restored.")
		for outcome, names := range outcomeNames {
			d := decided(t, appeal(), set("/record/trigger", trigger), gap, set("/record/requestedOutcome", outcome))
			want := advice.advisory
			if slices.Contains(alwaysCompatible, outcome) || slices.Contains(advice.compatible, outcome) {
				want = outcome
			}
			if d.Outcome.String() != want {
				t.Errorf("%s, asked for %s: advises %s, want %s", trigger, outcome, d.Outcome, want)
			}
			names = outcomeNames[want]
			if d.ProvenanceActivity != names[0] || d.TraceabilityStep != names[1] {
				t.Errorf("%s is called %s and %s", want, d.ProvenanceActivity, d.TraceabilityStep)
			}
			if got := slices.Contains(texts(d.FactorCodes), "challenge_window_required"); got != (want == "open_challenge_window") {
				t.Errorf("%s: challenge_window_required is %v", want, got)
			}
		}
		for _, nothing := range []edit{set("/record/requestedOutcome", nil), del("/record/requestedOutcome")} {
			d := decided(t, appeal(), set("/record/trigger", trigger), gap, nothing)
			if d.Outcome.String() != advice.advisory || !slices.Contains(texts(d.FactorCodes), advice.factor) {
				t.Errorf("%s: advises %s by %q", trigger, d.Outcome, d.FactorCodes)
			}
		}
	}
}

func TestBlockedAdvisesToBlockRelianceWhateverIsAskedFor(t *testing.T) {
	for outcome := range outcomeNames {
		d := decided(t, appeal(), set("/record/requestedOutcome", outcome), del("/record/deadline"))
		if d.Status.String() != "blocked" || d.Outcome.String() != "block_reliance" ||
			d.ProvenanceActivity != "reliance_blocked" || d.TraceabilityStep != "reliance_held" {
			t.Errorf("asked for %s: %+v", outcome, d)
		}
	}
}

// The published example of seed 2.3.7 and the pair of seed 3.5.
func TestPublishedDecision(t *testing.T) {
	d := decided(t, appeal())
	if d.Status.String() != "ready_for_human_review" || d.Outcome.String() != "open_challenge_window" ||
		d.ProvenanceActivity != "challenge_window_opened" || d.TraceabilityStep != "challenge_opened" ||
		!d.StandingAccepted || !d.HumanReviewRequired || d.StateMutation || len(d.Blockers) != 0 || d.Blockers == nil ||
		strings.Join(texts(d.ReviewScope), " ") != "evidence_row" {
		t.Errorf("%+v", d)
	}
	for _, list := range [][]string{d.RequiredArtifacts, d.PrivacyActions, {d.AppealScopeStatement}} {
		if len(list) == 0 || slices.Contains(list, "") {
			t.Errorf("an empty list or sentence: %q", list)
		}
	}
	incomplete := decided(t, appeal(), del("/record/evidenceScope"))
	if incomplete.Status.String() != "blocked" || len(incomplete.Blockers) != 1 {
		t.Errorf("an incomplete case is %s by %q", incomplete.Status, incomplete.Blockers)
	}
}

func TestDecisionHasTheMembersOfTheSource(t *testing.T) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded(decided(t, appeal())), &members); err != nil {
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

func TestADecisionAsksForCuresAndRedactionWhereTheyAreWantedOnly(t *testing.T) {
	for name, test := range map[string]struct {
		edits         []edit
		cures, redact bool
	}{
		"pass":     {nil, false, false},
		"blocked":  {[]edit{del("/record/notice")}, true, false},
		"unmasked": {[]edit{set("/record/redaction/status", "pending")}, true, true},
	} {
		v := view(t, appeal(), test.edits...)
		d := domain.DecisionOf(v.Judgment())
		cures := strings.Contains(strings.Join(d.RequiredArtifacts, " "), "What cures each blocker")
		redact := strings.Contains(strings.Join(d.PrivacyActions, " "), "Have the source redact the case")
		if cures != test.cures || redact != test.redact {
			t.Errorf("%s: asks for cures: %v, for redaction: %v", name, cures, redact)
		}
	}
}
