package records_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// recordableOutcomes lists what may be recorded, and what is advised.
func recordableOutcomes(v *views.View, added terms.BlockerSet) (outcomes []string, advised string) {
	for _, option := range records.Options(v, added) {
		if option.Obstacle == "" {
			outcomes = append(outcomes, option.Outcome.String())
		}
	}
	slices.Sort(outcomes)
	return outcomes, records.Advised(v, added).String()
}

// factorSets are the codes that the evaluation gives, and those that always stand.
func factorSets(v *views.View, outcome terms.Outcome, added terms.BlockerSet) (offered, always terms.FactorSet) {
	for _, reason := range records.FactorsFor(v, outcome, added) {
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
	carried := terms.SetOf(terms.AppealCaseStale)
	for _, c := range []struct {
		name    string
		edits   []domaintest.Edit
		carried terms.BlockerSet
		want    string
		advised string
	}{
		{"a pass", nil, 0,
			"block_reliance close_unresolved correct_record open_challenge_window request_evidence route_human_review uphold_decision", "open_challenge_window"},
		{"blocked", edits(`/record/nonRetaliation/acknowledged = false`), 0, "block_reliance close_unresolved request_evidence route_human_review", "block_reliance"},
		{"blocked by somebody before", nil, carried, "block_reliance close_unresolved request_evidence route_human_review", "block_reliance"},
		{"a policy that only upholds, and it passes", []domaintest.Edit{only("uphold_decision")}, 0, "uphold_decision", "uphold_decision"},
		{"a policy that only upholds, blocked", []domaintest.Edit{only("uphold_decision"), domaintest.Set("/record/nonRetaliation/acknowledged", false)}, 0, "block_reliance", "block_reliance"},
		{"no usable rule", edits(`-/policy/outcomeRules/wrong_scope_evidence`), 0, "block_reliance request_evidence route_human_review", "block_reliance"},
		{"no policy", edits(`/policy = null`), 0, "block_reliance request_evidence route_human_review", "block_reliance"},
		{"a failed notice", edits(`/record/notice/state = "failed"`), 0, "block_reliance request_evidence route_human_review", "block_reliance"},
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
	offered, always := factorSets(&v, terms.OpenChallengeWindow, 0)
	if !offered.Has(terms.ChallengeWindowRequired) || always != terms.SetOf(terms.WrongScopeEvidenceReview, terms.HumanReviewRequired, terms.ProvenanceActivityRequired) {
		t.Errorf("%v, always %v", offered.Terms(), always.Terms())
	}
	if offered, _ := factorSets(&v, terms.UpholdDecision, 0); offered.Has(terms.ChallengeWindowRequired) {
		t.Errorf("a decision that is upheld opens no window: %v", offered.Terms())
	}
	for blocker, code := range map[terms.Blocker]terms.FactorCode{terms.PrivateDetailsUnredacted: terms.PrivateDetailsRedacted,
		terms.StandingMissing: terms.StandingEstablished, terms.EvidenceScopeMissing: terms.EvidenceScopeNamed,
		terms.ScopeMissing: terms.NoUnrelatedMoralDisagreement} {
		before := v.Carrying(terms.SetOf(blocker))
		carried, _ := factorSets(&before, terms.BlockReliance, 0)
		added, _ := factorSets(&v, terms.BlockReliance, terms.SetOf(blocker))
		if carried.Has(code) || added.Has(code) {
			t.Errorf("%s is offered beside %s", code, blocker)
		}
	}
	choice := domaintest.ChoiceFor(&v)
	choice.Factors = choice.Factors.With(terms.ChallengeWindowRequired)
	record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
	domaintest.Refused(t, "a code of another outcome", record, err)
	whole := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	if got := domaintest.Replayed(&v, forged(t, whole, domaintest.Set("/factorCodes", []string{"human_review_required"}))); !got.Has(records.ReplayChoice) {
		t.Errorf("codes that always stand may be left out: %+v", got)
	}
}

func TestABlockerThatSomebodyAddedBeforeStands(t *testing.T) {
	for _, s := range []domaintest.Scene{domaintest.Appeal(), domaintest.Correction()} {
		v := domaintest.View(t, s)
		v = v.Carrying(terms.SetOf(terms.NoticeMissing))
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		if m := record.Members(); m.Gate != terms.Blocked || !slices.Equal(m.CarriedBlockers, []terms.Blocker{terms.NoticeMissing}) {
			t.Errorf("%+v", m)
		}
		fresh := domaintest.LookAgain(t, s, domaintest.RecheckedAt)
		if err := record.Recheck(&fresh, ""); err == nil || !strings.Contains(err.Error(), "notice_missing") {
			t.Errorf("a code that nobody added is carried: %v", err)
		}
	}
}

func TestNoRecordGoesWithoutARequiredStatement(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     func() domaintest.Scene
		carried  terms.BlockerSet
		outcome  terms.Outcome
		added    terms.BlockerSet
		required bool
	}{
		{"the advised outcome", domaintest.Appeal, 0, terms.OpenChallengeWindow, 0, false},
		{"another outcome", domaintest.Appeal, 0, terms.UpholdDecision, 0, true},
		{"closed unresolved", domaintest.Appeal, 0, terms.CloseUnresolved, 0, true},
		{"an added blocker", domaintest.Appeal, 0, terms.BlockReliance, terms.SetOf(terms.ScopeMissing), true},
		{"advised under a carried blocker", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.BlockReliance, 0, false},
		{"advised but for a carried blocker", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.RouteHumanReview, 0, true},
		{"added what is carried", domaintest.Appeal, terms.SetOf(terms.ScopeMissing), terms.BlockReliance, terms.SetOf(terms.ScopeMissing), false},
		{"a confirmed amendment", domaintest.Correction, 0, 0, 0, false},
		{"a tightened amendment", domaintest.Correction, 0, 0, terms.SetOf(terms.PolicyStale), true},
		{"a carried blocker of an amendment", domaintest.Correction, terms.SetOf(terms.PolicyStale), 0, terms.SetOf(terms.PolicyStale), false},
	} {
		v := domaintest.View(t, c.from())
		v = v.Carrying(c.carried)
		later := domaintest.LookAgain(t, c.from(), domaintest.RecheckedAt)
		later = later.Carrying(c.carried)
		choice := domaintest.ChoiceFor(&v, c.added.Terms()...)
		if choice.Outcome = c.outcome; v.Area() == terms.Appeals {
			choice.Factors = terms.SetOf(terms.HumanReviewRequired)
		}
		if why := records.StatementRequired(&v, &choice); (why != "") != c.required {
			t.Errorf("%s: a statement is required: %q", c.name, why)
		}
		for text, fits := range map[records.Statement]bool{{}: !c.required, domaintest.SampleReasons: true, {Text: domaintest.SampleReasons.Text}: false,
			{Salt: domaintest.SampleSalt}: false, {Salt: domaintest.SampleSalt, Text: " "}: false, {Salt: domaintest.SampleSalt, Text: "ask someone@example.org"}: false} {
			choice.Statement = text
			record, err := records.Decide(&v, choice, domaintest.StampOf(domaintest.Assigned))
			if !fits {
				domaintest.Refused(t, c.name, record, err)
			} else if err != nil {
				t.Errorf("%s with %+v: %v", c.name, text, err)
			}
		}
		choice.Statement = domaintest.SampleReasons
		without := forged(t, domaintest.Recorded(t, &v, choice), domaintest.Set("/statementDigest", nil))
		err := without.Recheck(&later, "")
		said := err != nil && strings.Contains(err.Error(), "a statement of reasons is required: ")
		if found := domaintest.Replayed(&v, without); said != c.required || (err != nil) != c.required ||
			found.Has(records.ReplayReasons) != c.required || (len(found.Findings) > 0) != c.required {
			t.Errorf("%s: appended without: %v; found %+v", c.name, err, found.Findings)
		}
	}
}

func TestStatementsOfReasonsAreTextsWithoutPrivateDetails(t *testing.T) {
	for text, good := range map[string]bool{"The evidence is about another row.": true, "": false, " \u200b": false, "ask someone@example.org": false,
		strings.Repeat("x", 2000): true, strings.Repeat("x", 2001): false, "\xff": false} {
		s := records.Statement{Salt: domaintest.SampleSalt, Text: text}
		if err := s.Check(); (err == nil) != good {
			t.Errorf("%.20q: %v", text, err)
		}
		again, err := records.ReadStatement(s.Document())
		if text != "\xff" && (err != nil || again != s) {
			t.Errorf("%.20q is read back as %v, %v", text, again, err)
		}
	}
	if err := (records.Statement{Text: "No salt."}).Check(); err == nil {
		t.Error("a statement needs a salt")
	}
}

// A statement and a note say only what is seen; the refusal names the character and no word of the text.
func TestWhatIsNotSeenIsRefusedInAStatementAndInANote(t *testing.T) {
	for text, code := range map[string]string{"The \u202enotice": "U+202E", "The\u200b notice": "U+200B", "The \x1b[31mnotice": "U+001B"} {
		for _, err := range []error{records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()} {
			if !errors.Is(err, records.ErrRefused) || !strings.Contains(err.Error(), code) || strings.Contains(err.Error(), "notice") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{"The notice\ncame late.", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"} {
		if err := errors.Join(records.CheckStatement(text), records.CheckSkipReason(text), records.Note{Salt: "s", Text: text}.Check()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAReasonToSkipHoldsNoPrivateDetail(t *testing.T) {
	for text, ok := range map[string]bool{"waits for the bank": true, "": false, "jane.roe@example.org is away": false, "call +49 171 1234567": false} {
		err := records.CheckSkipReason(text)
		if (err == nil) != ok || err != nil && (!errors.Is(err, records.ErrRefused) || strings.Contains(err.Error(), "jane")) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
