package records_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
)

// recordableOutcomes lists what may be recorded, and what is advised.
func recordableOutcomes(v *domain.View, added domain.BlockerSet) (outcomes []string, advised string) {
	for _, option := range domain.Options(v, added) {
		if option.Obstacle == "" {
			outcomes = append(outcomes, option.Outcome.String())
		}
	}
	slices.Sort(outcomes)
	return outcomes, domain.Advised(v, added).String()
}

// factorSets are the codes that the evaluation gives, and those that always stand.
func factorSets(v *domain.View, outcome domain.Outcome, added domain.BlockerSet) (offered, always domain.FactorSet) {
	for _, reason := range domain.FactorsFor(v, outcome, added) {
		if reason.Supported {
			offered = offered.With(reason.Code)
		}
		if reason.Always {
			always = always.With(reason.Code)
		}
	}
	return offered, always
}

func TestOutcomesFitTheTriggerTheGateAndTheNotice(t *testing.T) {
	only := func(words ...string) domaintest.Edit {
		return domaintest.Set("/policy/outcomeRules/wrong_scope_evidence", map[string]any{"advisory": words[0], "compatible": words})
	}
	excused := []domaintest.Edit{domaintest.Set("/record/status", "filed"), domaintest.Set("/record/notice", map[string]any{"state": "not_required_for_stage"})}
	carried := domain.SetOf(domain.AppealCaseStale)
	for _, c := range []struct {
		name    string
		edits   []domaintest.Edit
		carried domain.BlockerSet
		want    string
		advised string
	}{
		{"a pass", nil, 0,
			"block_reliance close_unresolved correct_record open_challenge_window request_evidence route_human_review uphold_decision", "open_challenge_window"},
		{"blocked", []domaintest.Edit{domaintest.Set("/record/nonRetaliation/acknowledged", false)}, 0, "block_reliance close_unresolved request_evidence route_human_review", "block_reliance"},
		{"blocked by somebody before", nil, carried, "block_reliance close_unresolved request_evidence route_human_review", "block_reliance"},
		{"a policy that only upholds, and it passes", []domaintest.Edit{only("uphold_decision")}, 0, "uphold_decision", "uphold_decision"},
		{"a policy that only upholds, blocked", []domaintest.Edit{only("uphold_decision"), domaintest.Set("/record/nonRetaliation/acknowledged", false)}, 0, "block_reliance", "block_reliance"},
		{"no usable rule", []domaintest.Edit{domaintest.Del("/policy/outcomeRules/wrong_scope_evidence")}, 0, "block_reliance request_evidence route_human_review", "block_reliance"},
		{"no policy", []domaintest.Edit{domaintest.Set("/policy", nil)}, 0, "block_reliance request_evidence route_human_review", "block_reliance"},
		{"a failed notice", []domaintest.Edit{domaintest.Set("/record/notice/state", "failed")}, 0, "block_reliance request_evidence route_human_review", "block_reliance"},
		{"an excused notice", excused, 0, "block_reliance open_challenge_window request_evidence route_human_review", "open_challenge_window"},
		{"an excused notice, asked to uphold", append(slices.Clone(excused), domaintest.Set("/record/requestedOutcome", "uphold_decision")), 0,
			"block_reliance open_challenge_window request_evidence route_human_review", "route_human_review"},
		{"an excused notice, and a policy that only upholds", append(slices.Clone(excused), only("uphold_decision")), 0, "block_reliance", "block_reliance"},
		{"an excused notice, blocked", append(slices.Clone(excused), domaintest.Set("/record/nonRetaliation/acknowledged", false)), 0,
			"block_reliance request_evidence route_human_review", "block_reliance"},
	} {
		v := domaintest.View(t, domaintest.Appeal(), c.edits...).Carrying(c.carried)
		outcomes, advised := recordableOutcomes(&v, 0)
		if got := strings.Join(outcomes, " "); got != c.want || advised != c.advised {
			t.Errorf("%s: %s, advised %s", c.name, got, advised)
		}
	}
}

func TestFactorCodesAreThoseOfTheChosenOutcome(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	offered, always := factorSets(&v, domain.OpenChallengeWindow, 0)
	if !offered.Has(domain.ChallengeWindowRequired) || always != domain.SetOf(domain.WrongScopeEvidenceReview, domain.HumanReviewRequired, domain.ProvenanceActivityRequired) {
		t.Errorf("%v, always %v", offered.Words(), always.Words())
	}
	if offered, _ := factorSets(&v, domain.UpholdDecision, 0); offered.Has(domain.ChallengeWindowRequired) {
		t.Errorf("a decision that is upheld opens no window: %v", offered.Words())
	}
	for blocker, code := range map[domain.Blocker]domain.FactorCode{domain.PrivateDetailsUnredacted: domain.PrivateDetailsRedacted,
		domain.StandingMissing: domain.StandingEstablished, domain.EvidenceScopeMissing: domain.EvidenceScopeNamed,
		domain.ScopeMissing: domain.NoUnrelatedMoralDisagreement} {
		before := v.Carrying(domain.SetOf(blocker))
		carried, _ := factorSets(&before, domain.BlockReliance, 0)
		added, _ := factorSets(&v, domain.BlockReliance, domain.SetOf(blocker))
		if carried.Has(code) || added.Has(code) {
			t.Errorf("%s is offered beside %s", code, blocker)
		}
	}
	choice := domaintest.ChoiceFor(&v)
	choice.Factors = choice.Factors.With(domain.ChallengeWindowRequired)
	record, err := domain.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
	domaintest.Refused(t, "a code of another outcome", record, err)
	whole := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	forged, err := domaintest.Reread(domain.Appeals, domaintest.Edited(whole, domaintest.Set("/factorCodes", []string{"human_review_required"})))
	if err != nil {
		t.Fatal(err)
	}
	if got := domaintest.Replayed(&v, forged); !got.Has(domain.ReplayChoice) {
		t.Errorf("codes that always stand may be left out: %+v", got)
	}
}

func TestABlockerThatSomebodyAddedBeforeStands(t *testing.T) {
	for _, s := range []domaintest.Scene{domaintest.Appeal(), domaintest.Correction()} {
		v := domaintest.View(t, s)
		v = v.Carrying(domain.SetOf(domain.NoticeMissing))
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		if m := record.Members(); m.Gate != domain.Blocked || !slices.Equal(m.CarriedBlockers, []domain.Blocker{domain.NoticeMissing}) {
			t.Errorf("%+v", m)
		}
		fresh := domaintest.LookAgain(t, s, domaintest.RecheckedAt)
		if err := record.Recheck(&fresh, ""); err == nil || !strings.Contains(err.Error(), "notice_missing") {
			t.Errorf("a code that nobody added is carried: %v", err)
		}
	}
}

func TestWhatNeedsAStatementOfReasonsIsSaid(t *testing.T) {
	v, amendment := domaintest.View(t, domaintest.Appeal()), domaintest.View(t, domaintest.Correction())
	for _, c := range []struct {
		v        *domain.View
		outcome  domain.Outcome
		added    domain.BlockerSet
		required bool
	}{
		{&v, domain.OpenChallengeWindow, 0, false}, {&v, domain.UpholdDecision, 0, true}, {&v, domain.CloseUnresolved, 0, true},
		{&v, domain.BlockReliance, domain.SetOf(domain.ScopeMissing), true}, {&amendment, 0, 0, false},
		{&amendment, 0, domain.SetOf(domain.PolicyStale), true},
	} {
		choice := domain.Choice{Outcome: c.outcome, AddedBlockers: c.added}
		if got := domain.StatementRequired(c.v, &choice); (got != "") != c.required {
			t.Errorf("%s with %v: %q", c.outcome, c.added.Words(), got)
		}
	}
}

func TestNoRecordGoesWithoutARequiredStatement(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     func() domaintest.Scene
		carried  domain.BlockerSet
		outcome  domain.Outcome
		added    domain.BlockerSet
		required bool
	}{
		{"the advised outcome", domaintest.Appeal, 0, domain.OpenChallengeWindow, 0, false},
		{"another outcome", domaintest.Appeal, 0, domain.UpholdDecision, 0, true},
		{"closed unresolved", domaintest.Appeal, 0, domain.CloseUnresolved, 0, true},
		{"an added blocker", domaintest.Appeal, 0, domain.BlockReliance, domain.SetOf(domain.ScopeMissing), true},
		{"advised under a carried blocker", domaintest.Appeal, domain.SetOf(domain.ScopeMissing), domain.BlockReliance, 0, false},
		{"advised but for a carried blocker", domaintest.Appeal, domain.SetOf(domain.ScopeMissing), domain.RouteHumanReview, 0, true},
		{"added what is carried", domaintest.Appeal, domain.SetOf(domain.ScopeMissing), domain.BlockReliance, domain.SetOf(domain.ScopeMissing), false},
		{"a confirmed amendment", domaintest.Correction, 0, 0, 0, false},
		{"a tightened amendment", domaintest.Correction, 0, 0, domain.SetOf(domain.PolicyStale), true},
		{"a carried blocker of an amendment", domaintest.Correction, domain.SetOf(domain.PolicyStale), 0, domain.SetOf(domain.PolicyStale), false},
	} {
		v := domaintest.View(t, c.from())
		v = v.Carrying(c.carried)
		later := domaintest.LookAgain(t, c.from(), domaintest.RecheckedAt)
		later = later.Carrying(c.carried)
		choice := domaintest.ChoiceFor(&v, c.added.Words()...)
		if choice.Outcome = c.outcome; v.Area() == domain.Appeals {
			choice.Factors = domain.SetOf(domain.HumanReviewRequired)
		}
		for text, fits := range map[domain.Statement]bool{{}: !c.required, domaintest.SampleReasons: true, {Text: domaintest.SampleReasons.Text}: false,
			{Salt: domaintest.SampleSalt}: false, {Salt: domaintest.SampleSalt, Text: " "}: false, {Salt: domaintest.SampleSalt, Text: "ask someone@example.org"}: false} {
			choice.Statement = text
			record, err := domain.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
			if !fits {
				domaintest.Refused(t, c.name, record, err)
			} else if err != nil {
				t.Errorf("%s with %+v: %v", c.name, text, err)
			}
		}
		choice.Statement = domaintest.SampleReasons
		without, err := domaintest.Reread(v.Area(), domaintest.Edited(domaintest.Recorded(t, &v, choice), domaintest.Set("/statementDigest", nil)))
		if err != nil {
			t.Fatal(err)
		}
		err = without.Recheck(&later, "")
		said := err != nil && strings.Contains(err.Error(), "a statement of reasons is required: ")
		if found := domaintest.Replayed(&v, without); said != c.required || (err != nil) != c.required ||
			found.Has(domain.ReplayReasons) != c.required || (len(found.Findings) > 0) != c.required {
			t.Errorf("%s: appended without: %v; found %+v", c.name, err, found.Findings)
		}
	}
}

func TestStatementsOfReasonsAreTextsWithoutPrivateDetails(t *testing.T) {
	for text, good := range map[string]bool{"The evidence is about another row.": true, "": false, " \u200b": false, "ask someone@example.org": false,
		strings.Repeat("x", 2000): true, strings.Repeat("x", 2001): false, "\xff": false} {
		s := domain.Statement{Salt: domaintest.SampleSalt, Text: text}
		if err := s.Check(); (err == nil) != good {
			t.Errorf("%.20q: %v", text, err)
		}
		again, err := domain.ReadStatement(&domain.Reader{}, s.Document())
		if text != "\xff" && (err != nil || again != s) {
			t.Errorf("%.20q is read back as %v, %v", text, again, err)
		}
	}
	if err := (domain.Statement{Text: "No salt."}).Check(); err == nil {
		t.Error("a statement needs a salt")
	}
}
