package records_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// recordable holds the choices that specification and source let a reviewer record about a case, computed from the case as JSON
// and from the codes that block it.
type recordable struct {
	outcomes []string
	decision string            // what the decision advises
	advised  string            // what is advised of that may be recorded
	factors  map[string]string // by outcome, those that may be chosen, in the source's order
	always   string
}

// sourceFactors are the source's 2.3.5, in its order.
var sourceFactors = strings.Fields(`specific_reviewed_claim standing_established affected_party_standing evidence_scope_named
	duplicate_proof_review coercive_baseline_review wrong_scope_evidence_review material_factual_error_review
	privacy_disclosure_review externality_remedy_review reviewer_conflict_review policy_flag_review
	challenge_window_required human_review_required no_unrelated_moral_disagreement provenance_activity_required
	private_details_redacted`)

var reviewOf = map[string]string{"duplicate_proof": "duplicate_proof_review", "coercive_baseline": "coercive_baseline_review",
	"wrong_scope_evidence": "wrong_scope_evidence_review", "material_factual_error": "material_factual_error_review",
	"privacy_disclosure_error": "privacy_disclosure_review", "externality_remedy_gap": "externality_remedy_review",
	"reviewer_conflict": "reviewer_conflict_review", "policy_misapplied": "policy_flag_review"}

func member(of any, path ...string) any {
	for _, name := range path {
		object, _ := of.(map[string]any)
		of = object[name]
	}
	return of
}

func wordsOf(list any) []string {
	words := []string{}
	elements, _ := list.([]any)
	for _, element := range elements {
		words = append(words, element.(string))
	}
	return words
}

// mayRecord applies the specification's "What may be recorded" to the scene. codes are all that block: computed, carried
// over or added.
func mayRecord(s domaintest.Scene, codes []string) recordable {
	record := s["record"]
	trigger, _ := member(record, "trigger").(string)
	rule := member(s["policy"], "outcomeRules", trigger)
	advisory, _ := member(rule, "advisory").(string)
	compatible := wordsOf(member(rule, "compatible"))
	if usable := slices.Contains(compatible, advisory); !usable {
		advisory, compatible = "", nil
	}
	delivered := false
	if at, there := member(record, "notice", "deliveredAt").(string); there {
		delivered = member(record, "notice", "state") == "delivered" && !domaintest.Instant(s["at"].(string)).Before(domaintest.Instant(at))
	}
	pass := len(codes) == 0
	may := func(outcome string) bool {
		switch {
		case outcome == "block_reliance" && (!pass || !delivered):
			return true
		case pass && delivered:
			return slices.Contains(compatible, outcome)
		case pass:
			return slices.Contains(compatible, outcome) &&
				slices.Contains([]string{"request_evidence", "route_human_review", "open_challenge_window"}, outcome)
		case compatible == nil:
			return outcome == "request_evidence" || outcome == "route_human_review"
		case outcome == "close_unresolved" && !delivered:
			return false
		}
		return slices.Contains(compatible, outcome) &&
			slices.Contains([]string{"request_evidence", "route_human_review", "close_unresolved"}, outcome)
	}
	want := recordable{factors: map[string]string{}}
	for _, outcome := range terms.Outcomes.Texts() {
		if may(outcome) {
			want.outcomes = append(want.outcomes, outcome)
		}
	}
	want.decision = "block_reliance"
	if pass {
		if want.decision = advisory; slices.Contains(compatible, asText(member(record, "requestedOutcome"))) {
			want.decision = asText(member(record, "requestedOutcome"))
		}
	}
	want.advised = want.decision
	for _, instead := range []string{"route_human_review", "block_reliance"} {
		if !may(want.advised) {
			want.advised = instead
		}
	}
	always := []string{"human_review_required", "provenance_activity_required", reviewOf[trigger]}
	for _, outcome := range terms.Outcomes.Texts() {
		offered := slices.Clone(always)
		for code, holds := range map[string]bool{
			"specific_reviewed_claim": member(record, "subject") != nil && member(record, "subjectId") != nil,
			"standing_established":    !slices.Contains(codes, "standing_missing"),
			"affected_party_standing": !slices.Contains(codes, "standing_missing") &&
				member(record, "standing", "category") == "affected_party",
			"evidence_scope_named":            !slices.Contains(codes, "evidence_scope_missing"),
			"challenge_window_required":       outcome == "open_challenge_window",
			"no_unrelated_moral_disagreement": !slices.Contains(codes, "scope_missing"),
			"private_details_redacted":        !slices.Contains(codes, "private_details_unredacted"),
		} {
			if holds {
				offered = append(offered, code)
			}
		}
		want.factors[outcome] = inSourceOrder(offered)
	}
	want.always = inSourceOrder(always)
	return want
}

func asText(value any) string {
	text, _ := value.(string)
	return text
}

func inSourceOrder(codes []string) string {
	ordered := []string{}
	for _, code := range sourceFactors {
		if slices.Contains(codes, code) {
			ordered = append(ordered, code)
		}
	}
	return strings.Join(ordered, " ")
}

// mayDecide holds the decision on the view of a case to the specification's words (source 2.3.7).
func mayDecide(t *testing.T, s domaintest.Scene, v *views.View) views.Decision {
	t.Helper()
	codes := domaintest.Codes(v.Evaluation())
	want, got := mayRecord(s, codes), views.DecisionOf(v.Evaluation())
	status := map[bool]string{true: "ready_for_human_review", false: "blocked"}[len(codes) == 0]
	names, scope := domaintest.OutcomeNames[want.decision], asText(member(s["record"], "subject"))
	if got.Status.String() != status || got.Outcome.String() != want.decision ||
		strings.Join(domaintest.Texts(got.FactorCodes), " ") != want.factors[want.decision] ||
		got.ProvenanceActivity != names[0] || got.TraceabilityStep != names[1] ||
		strings.Join(domaintest.Texts(got.ReviewScope), " ") != scope || got.ReviewScope == nil ||
		got.StandingAccepted == slices.Contains(codes, "standing_missing") || !got.HumanReviewRequired || got.StateMutation ||
		!slices.Equal(domaintest.Texts(got.Blockers), codes) || got.Blockers == nil {
		t.Fatalf("%s\nblocked by %q: %+v, want %+v", domaintest.Encoded(s), codes, got, want)
	}
	for _, list := range [][]string{got.RequiredArtifacts, got.PrivacyActions, {got.AppealScopeStatement}} {
		if len(list) == 0 || slices.Contains(list, "") {
			t.Fatalf("an empty list or sentence: %q", list)
		}
	}
	return got
}

// drawCase is a case with a notice, a request, a trigger and a rule of the policy that are drawn, and further changes.
func drawCase(d *domaintest.Draws) domaintest.Scene {
	s := domaintest.Appeal()
	if d.Below(4) == 0 {
		s.Record()["status"], s.Record()["notice"] = "filed", map[string]any{"state": "not_required_for_stage"}
	}
	if requests := append(terms.Outcomes.Texts(), "null"); d.Below(2) == 0 {
		s.Make(domaintest.Set("/record/requestedOutcome", domaintest.PickOf(d, requests...)))
		if s.Record()["requestedOutcome"] == "null" {
			s.Record()["requestedOutcome"] = nil
		}
	}
	if d.Below(2) == 0 {
		s.Record()["trigger"] = domaintest.PickOf(d, terms.Triggers.Texts()...)
		s.Record()["remedyGap"] = "The stream was not restored."
	}
	switch rule := "/policy/outcomeRules/" + s.Record()["trigger"].(string); d.Below(12) {
	case 0: // it permits one outcome
		only := domaintest.PickOf(d, terms.Outcomes.Texts()...)
		s.Make(domaintest.Set(rule, map[string]any{"advisory": only, "compatible": []string{only}}))
	case 1:
		s.Make(domaintest.Del(rule))
	}
	if d.Below(16) == 0 {
		s.Make(domaintest.Set("/record/standing/category", "affected_party"))
	}
	for range d.Below(3) {
		domaintest.Change(d, s)
	}
	return s
}

// TestRecordableChoicesFollowFromCaseRuleNoticeAndBlockers compares what is decided, what may be chosen, what is advised and
// what then is recorded with the specification's words, on generated cases with blockers that people added before and now.
func TestRecordableChoicesFollowFromCaseRuleNoticeAndBlockers(t *testing.T) {
	d, asked, passed, unheard, followed := domaintest.Draws(7), 0, 0, 0, 0
	shown := map[string]int{} // what decisions give, and triggers that pass
	for range 1500 {
		s := drawCase(&d)
		if s["record"] == nil || s["policy"] == nil && d.Below(2) == 0 {
			continue
		}
		s = domaintest.Parsed(string(s.SealedByHand()))
		var reader packets.Reader
		if _, fault := rules.ReadInput(&reader, domaintest.Encoded(s)); fault != nil {
			continue
		}
		v := s.Look(t, domaintest.Instant(s["at"].(string)))
		asked++
		decision := mayDecide(t, s, &v)
		for _, word := range append(domaintest.Texts(decision.FactorCodes), decision.Outcome.String()) {
			shown[word]++
		}
		if decision.Status == terms.ReadyForHumanReview {
			shown[asText(member(s["record"], "trigger"))]++
		}
		var carried, added terms.BlockerSet
		all := rules.AllBlockers(terms.Appeals).Terms()
		if d.Below(4) == 0 {
			carried = terms.SetOf(domaintest.PickOf(&d, all...))
		}
		if d.Below(4) == 0 {
			added = terms.SetOf(domaintest.PickOf(&d, all...), domaintest.PickOf(&d, all...))
		}
		v = v.Carrying(carried)
		blocking := slices.Concat(domaintest.Codes(v.Evaluation()), carried.Texts(), added.Texts())
		want := mayRecord(s, blocking)
		outcomes, advised := []string{}, ""
		for _, option := range records.Options(&v, added) {
			if option.Obstacle == "" {
				outcomes = append(outcomes, option.Outcome.String())
			}
			if option.Advised {
				advised += option.Outcome.String()
			}
			if option.Asked != (option.Outcome.String() == member(s["record"], "requestedOutcome")) {
				t.Fatalf("%s\n%+v", domaintest.Encoded(s), option)
			}
		}
		if !slices.Equal(outcomes, want.outcomes) || advised != want.advised || records.Advised(&v, added).String() != want.advised {
			t.Fatalf("%s\nblocked by %q: %q, advised %s; want %q, %s", domaintest.Encoded(s), blocking, outcomes, advised, want.outcomes, want.advised)
		}
		if len(blocking) == 0 {
			passed++
			if member(s["record"], "notice", "state") != "delivered" {
				unheard++
			}
		}
		for _, outcome := range terms.Outcomes.All() {
			offered, always := factorSets(&v, outcome, added)
			if got := strings.Join(offered.Texts(), " "); got != want.factors[outcome.String()] {
				t.Fatalf("%s\nblocked by %q, %s: factor codes %s, want %s", domaintest.Encoded(s), blocking, outcome, got, want.factors[outcome.String()])
			}
			if got := strings.Join(always.Texts(), " "); got != want.always {
				t.Fatalf("%s\nalways %q, want %q", domaintest.Encoded(s), got, want.always)
			}
			needed := outcome.String() != want.advised || outcome == terms.CloseUnresolved ||
				!added.Minus(carried).Minus(v.Evaluation().BlockerSet()).Empty()
			choice := domaintest.ChoiceFor(&v)
			choice.Outcome, choice.Factors, choice.AddedBlockers = outcome, offered, added
			if reason := records.StatementRequired(&v, &choice); (reason != "") != needed {
				t.Fatalf("%s\n%s: statement required: %q, want %v", domaintest.Encoded(s), outcome, reason, needed)
			}
			choice.OpenedAt = v.EvaluatedAt()
			stamp := domaintest.StampOf(records.Reviewer{ID: "someone-else", Role: terms.SafetyAdmin, KeyFingerprint: domaintest.Fingerprint})
			if len(blocking) == 0 {
				stamp.Reviewer = domaintest.Person(terms.ID(asText(member(s["record"], "neutralReview", "reviewerId"))), terms.NeutralReviewer)
			}
			stamp.RecordedAt = v.EvaluatedAt()
			stamp.RecordID = records.NewRecordID(v.EvaluatedAt(), [10]byte{})
			choice.Statement = records.Statement{Salt: domaintest.SampleSalt, Text: "The evidence is about another row."}
			record, err := records.Decide(&v, choice, stamp)
			if may := slices.Contains(want.outcomes, outcome.String()); !may {
				domaintest.Refused(t, outcome.String(), record, err)
			} else if err != nil {
				t.Fatalf("%s\nblocked by %q, %s with %q is refused: %v", domaintest.Encoded(s), blocking, outcome, offered.Texts(), err)
			} else {
				code := domaintest.PickOf(&d, terms.FactorCodes.All()...)
				if choice.Factors = offered.Without(code); !offered.Has(code) {
					choice.Factors = offered.With(code)
				}
				other, err := records.Decide(&v, choice, stamp)
				if !offered.Has(code) {
					domaintest.Refused(t, outcome.String()+" but for "+code.String(), other, err)
				} else if err != nil {
					t.Fatalf("%s without %s: %v", outcome, code, err)
				}
				advised, err := record.Members().Advised(func() (policy, packet packets.Packet, err error) {
					if outcome.String() == want.advised {
						followed++
					}
					return v.Policy(), v.Record(), nil
				})
				if err != nil || advised.String() != want.advised {
					t.Fatalf("%s\nblocked by %q, %s: the record says that docket advised %s, %v, and it advised %s",
						domaintest.Encoded(s), blocking, outcome, advised, err, want.advised)
				}
			}
		}
	}
	for _, word := range slices.Concat(terms.Triggers.Texts(), terms.Outcomes.Texts(), sourceFactors) {
		if shown[word] < 5 {
			t.Errorf("%s is shown %d times", word, shown[word])
		}
	}
	if asked < 1000 || passed < 200 || unheard < 20 || followed == 0 {
		t.Errorf("%d cases, %d pass, %d of them unheard, %d with advice that their record does not tell", asked, passed, unheard, followed)
	}
}
