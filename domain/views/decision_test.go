package views_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/views"
)

var alwaysCompatible = []string{"uphold_decision", "request_evidence", "route_human_review", "close_unresolved"}

// What the sample policy advises for a trigger, the factor code of the trigger, and what it permits in addition to the
// four outcomes that it always does.
var triggerAdvice = map[string]struct {
	Advisory, Factor string
	Compatible       []string
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

func TestPassAdvisesTheRequestedOutcomeIfThePolicyPermitsIt(t *testing.T) {
	for trigger, advice := range triggerAdvice {
		gap := domaintest.Set("/record/remedyGap", "The stream was not restored.")
		for outcome, names := range domaintest.OutcomeNames {
			d := domaintest.Decided(t, domaintest.Appeal(), domaintest.Set("/record/trigger", trigger), gap, domaintest.Set("/record/requestedOutcome", outcome))
			want := advice.Advisory
			if slices.Contains(alwaysCompatible, outcome) || slices.Contains(advice.Compatible, outcome) {
				want = outcome
			}
			if d.Outcome.String() != want {
				t.Errorf("%s, asked for %s: advises %s, want %s", trigger, outcome, d.Outcome, want)
			}
			names = domaintest.OutcomeNames[want]
			if d.ProvenanceActivity != names[0] || d.TraceabilityStep != names[1] {
				t.Errorf("%s is called %s and %s", want, d.ProvenanceActivity, d.TraceabilityStep)
			}
			if got := slices.Contains(domaintest.Texts(d.FactorCodes), "challenge_window_required"); got != (want == "open_challenge_window") {
				t.Errorf("%s: challenge_window_required is %v", want, got)
			}
		}
		for _, nothing := range []domaintest.Edit{domaintest.Set("/record/requestedOutcome", nil), domaintest.Del("/record/requestedOutcome")} {
			d := domaintest.Decided(t, domaintest.Appeal(), domaintest.Set("/record/trigger", trigger), gap, nothing)
			if d.Outcome.String() != advice.Advisory || !slices.Contains(domaintest.Texts(d.FactorCodes), advice.Factor) {
				t.Errorf("%s: advises %s by %q", trigger, d.Outcome, d.FactorCodes)
			}
		}
	}
}

func TestBlockedAlwaysAdvisesToBlockReliance(t *testing.T) {
	for outcome := range domaintest.OutcomeNames {
		d := domaintest.Decided(t, domaintest.Appeal(), domaintest.Set("/record/requestedOutcome", outcome), domaintest.Del("/record/deadline"))
		if d.Status.String() != "blocked" || d.Outcome.String() != "block_reliance" ||
			d.ProvenanceActivity != "reliance_blocked" || d.TraceabilityStep != "reliance_held" {
			t.Errorf("asked for %s: %+v", outcome, d)
		}
	}
}

// The published example of source 2.3.7 and the pair of source 3.5.
func TestPublishedDecision(t *testing.T) {
	d := domaintest.Decided(t, domaintest.Appeal())
	if d.Status.String() != "ready_for_human_review" || d.Outcome.String() != "open_challenge_window" ||
		d.ProvenanceActivity != "challenge_window_opened" || d.TraceabilityStep != "challenge_opened" ||
		!d.StandingAccepted || !d.HumanReviewRequired || d.StateMutation || len(d.Blockers) != 0 || d.Blockers == nil ||
		strings.Join(domaintest.Texts(d.ReviewScope), " ") != "evidence_row" {
		t.Errorf("%+v", d)
	}
	for _, list := range [][]string{d.RequiredArtifacts, d.PrivacyActions, {d.AppealScopeStatement}} {
		if len(list) == 0 || slices.Contains(list, "") {
			t.Errorf("an empty list or sentence: %q", list)
		}
	}
	incomplete := domaintest.Decided(t, domaintest.Appeal(), domaintest.Del("/record/evidenceScope"))
	if incomplete.Status.String() != "blocked" || len(incomplete.Blockers) != 1 {
		t.Errorf("an incomplete case is %s by %q", incomplete.Status, incomplete.Blockers)
	}
}

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
