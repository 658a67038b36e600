package sample_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/sample"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestTheDocketShowsEveryWordAndEveryBlocker(t *testing.T) {
	h := open(t)
	seen := h.seen(start)
	requireBlockers(t, seen)
	for prefix, words := range map[string][]string{
		caseWords + "trigger ": terms.Triggers.Texts(), caseWords + "subject ": terms.Subjects.Texts(),
		caseWords + "standing.category ": terms.StandingCategories.Texts(), caseWords + "status ": terms.CaseStatuses.Texts(),
		caseWords + "notice.state ": terms.NoticeStates.Texts(), caseWords + "redaction.status ": terms.RedactionStatuses.Texts(),
		caseWords + "requestedEffects ": terms.RequestedEffects.Texts(), amendmentWords + "transition ": terms.Transitions.Texts(),
		amendmentWords + "subjectType ": terms.SubjectTypes.Texts(), amendmentWords + "amendmentType ": terms.AmendmentTypes.Texts(),
		amendmentWords + "state ": terms.AmendmentStates.Texts(), amendmentWords + "changedTerms ": terms.ChangedTerms.Texts(),
		amendmentWords + "confirmationState ": terms.ConfirmationStates.Texts(), "private ": terms.PrivateCategories.Texts(),
		"trade_appeal_policies.status ":              terms.AppealPolicyStatuses.Texts(),
		"trade_agreement_amendment_policies.status ": terms.AmendmentPolicyStatuses.Texts(),
	} {
		requireWords(t, seen, prefix, words, "")
	}
	requireWords(t, seen, amendmentWords+"effects.", terms.Effects.Texts(), " true")
}

func TestTheDocketIsAsLargeAsADaysWork(t *testing.T) {
	h := open(t)
	if n := len(h.queue()); n < 38 || n > 44 || len(h.records)-n < 3 {
		t.Errorf("%d in the queue of %d revisions", n, len(h.records))
	}
	for days := range 6 {
		at := start.Add(time.Duration(days) * 24 * time.Hour)
		if passing := h.passing(at); 3*passing < len(h.records) {
			t.Errorf("after %d days %d of %d pass", days, passing, len(h.records))
		}
	}
}

func TestWhatPassesCoversEveryTriggerOutcomeAndTransitionAndIsMostlyTheReviewersToDecide(t *testing.T) {
	h := open(t)
	reviewer := records.Reviewer{ID: sample.Reviewer, Role: terms.NeutralReviewer}
	seen, mine, elsewhere := map[string]int{}, 0, 0
	for _, record := range h.queue() {
		view := h.look(record, start)
		if view.Evaluation().Gate() != terms.Pass {
			continue
		}
		h.count(seen, name{record.Table(), record.Key()})
		for _, option := range records.Options(&view, 0) {
			if option.Obstacle == "" {
				seen[option.Outcome.String()]++
			}
		}
		if records.MayDecide(&view, reviewer) == nil {
			mine++
		} else {
			elsewhere++
		}
	}
	requireWords(t, seen, caseWords+"trigger ", terms.Triggers.Texts(), "")
	requireWords(t, seen, "", terms.Outcomes.Texts(), "")
	requireWords(t, seen, amendmentWords+"transition ", terms.Transitions.Texts(), "")
	for _, state := range terms.AmendmentStates.All() {
		if passes := seen[amendmentWords+"state "+state.String()] > 0; passes != (state == terms.AmendmentApplied) {
			t.Errorf("amendments in state %s pass: %v", state, passes)
		}
	}
	if mine < 3*elsewhere || elsewhere < 3 {
		t.Errorf("%d are the reviewer's, %d are not", mine, elsewhere)
	}
}

func TestDeadlinesReachFromHoursToWeeks(t *testing.T) {
	h := open(t)
	var ahead []time.Duration
	for _, record := range h.queue() {
		row := queue.NewRow(packets.Packet{}, record, rules.Latest{}, terms.InstantOf(start), queue.RowState{})
		if row.Deadline.Present() {
			ahead = append(ahead, row.Deadline.Sub(terms.InstantOf(start.Truncate(time.Second))))
		}
	}
	slices.Sort(ahead)
	if ahead[0] >= 0 {
		t.Error("no deadline has expired")
	}
	due, _ := slices.BinarySearch(ahead, 0)
	if ahead[due] != 3*time.Hour || ahead[len(ahead)-1] != 6*7*24*time.Hour {
		t.Errorf("from %v to %v", ahead[due], ahead[len(ahead)-1])
	}
}

func TestTheReviewerMustNotJudgeTheirOwnDecisionNorWhereTheyAreRecused(t *testing.T) {
	h := open(t)
	for id, reason := range map[terms.ID]string{
		"case-004174": "you took the decision",
		"case-004177": "you are recused",
	} {
		view := h.look(h.find(t, id), start)
		if gate := view.Evaluation().Gate(); gate != terms.Pass {
			t.Errorf("%s is %s; it should pass and still not be theirs", id, gate)
		}
		err := records.MayDecide(&view, records.Reviewer{ID: sample.Reviewer, Role: terms.NeutralReviewer})
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestAFormerRevisionIsStaleAndACaseIsFiledBeforeItIsNoticed(t *testing.T) {
	h := open(t)
	for _, record := range h.records {
		view := h.look(record, start)
		blockers := view.Evaluation().BlockerSet()
		stale := blockers.Has(terms.AppealCaseStale) || blockers.Has(terms.AmendmentStaleBlocker)
		if view.Latest().Revision > record.Key().Number && !stale {
			t.Errorf("%s revision %d is not stale", record.Key().ID, record.Key().Number)
		}
		c := record.AppealCase().Record()
		if notice := c.Notice.DeliveredAt; notice.Present() && !c.FiledAt.Before(notice) {
			t.Errorf("%s: filed %v, notice delivered %v", c.CaseID, c.FiledAt, notice)
		}
		if !c.FiledAt.Present() && record.AppealCase().Held() && c.Status != terms.CaseDraft {
			t.Errorf("%s is not filed", c.CaseID)
		}
	}
}

func TestTheDocketIsTheSameWheneverItIsOpenedAndItsBytesAreThoseOfItsSecond(t *testing.T) {
	h := open(t)
	first := docketAt(t, start)
	if !slices.EqualFunc(first, docketAt(t, start.Truncate(time.Second).In(time.FixedZone("", -5*3600))), bytes.Equal) {
		t.Error("the texts differ")
	}
	if slices.EqualFunc(first, docketAt(t, start.Add(time.Second)), bytes.Equal) {
		t.Error("a later start changes nothing")
	}
	for _, at := range []time.Time{
		time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), start.AddDate(70, 0, 0),
	} {
		then := hold(t, docketAt(t, at))
		if then.passing(at) != h.passing(start) || len(then.records) != len(h.records) {
			t.Errorf("opened at %v, %d of %d pass", at, then.passing(at), len(then.records))
		}
	}
}

func TestAStartThatNoPacketCanWriteIsAnError(t *testing.T) {
	if texts, err := sample.Packets(time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil || texts != nil {
		t.Errorf("%d packets, error %v", len(texts), err)
	}
}

func TestASupersededVersionIsStillNamed(t *testing.T) {
	h := open(t)
	appeals, amendments := 0, 0
	for _, record := range h.queue() {
		policy := policyOf(record)
		if _, held := h.policies[policy]; !held || h.latest[all(policy)] == policy.Number {
			continue
		}
		if record.AppealCase().Held() {
			appeals++
		} else {
			amendments++
		}
	}
	if appeals == 0 || amendments == 0 {
		t.Errorf("%d cases and %d amendments name a former version", appeals, amendments)
	}
}

// hostileCase is the one case with hostile texts.
const hostileCase = terms.ID("case-004144")

func TestHostileTextPassesAndIsShownEscaped(t *testing.T) {
	h := open(t)
	view := h.look(h.find(t, hostileCase), start)
	if view.Evaluation().Gate() != terms.Pass {
		t.Errorf("blocked by %v; it should look like routine", view.Evaluation().Blockers())
	}
	c := view.Record().AppealCase().Record()
	text := c.EvidenceScope.Statement.String() + c.Standing.PrivacySafeSummary.String()
	for name, part := range map[string]string{
		"title": "\x1b]0;", "clipboard": "\x1b]52;", "CSI": "\x1b[2J", "C1 CSI": "\u009b", "C1 OSC": "\u009d",
		"bidi override": "\u202e", "bidi isolate": "\u2066", "zero-width space": "\u200b", "newline": "\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the texts have no %s", name)
		}
	}
}

func TestOnlyTheSlippedDetailsAreMasked(t *testing.T) {
	h := open(t)
	for _, record := range h.records {
		masked := bytes.Contains(record.Document(), []byte(`"masked":`))
		if slipped := record.Key().ID == "case-004189"; masked != (slipped || record.Key().ID == pendingCase) {
			t.Errorf("%s: masked is %v", record.Key().ID, masked)
		}
		if bytes.Contains(record.Document(), []byte("example.org")) {
			t.Errorf("%s still holds an address", record.Key().ID)
		}
	}
	view := h.look(h.find(t, "case-004189"), start)
	if blockers := view.Evaluation().Blockers(); !slices.Equal(blockers, []terms.Blocker{terms.StandingMissing, terms.PrivateDetailsUnredacted}) {
		t.Errorf("blocked by %v", blockers)
	}
}

// pendingCase is not redacted yet.
const pendingCase = "case-004186"

// The page of the contracts lists the rules of the sample of the reports.
func TestTheFrozenAppealPoliciesHaveTheOutcomeRulesOfTheReports(t *testing.T) {
	rulesOf := func(policy packets.Packet) (listed []packets.OutcomeRule) {
		held := policy.AppealPolicy().Record()
		for _, trigger := range terms.Triggers.All() {
			listed = append(listed, held.OutcomeRules.For(trigger))
		}
		return listed
	}
	text, err := os.ReadFile("../../../contracts/report/samples/appeals.json")
	var listed []json.RawMessage
	if err = errors.Join(err, json.Unmarshal(text, &listed)); err != nil {
		t.Fatal(err)
	}
	unredacted, fault := new(packets.Reader).Read(listed[0])
	if fault != nil {
		t.Fatal(fault)
	}
	h, want, frozen := open(t), rulesOf(unredacted.Redact()), 0
	for key, packet := range h.policies {
		if packet.AppealPolicy().Record().Status == terms.AppealPolicyFrozen {
			frozen++
			if !slices.Equal(rulesOf(packet), want) {
				t.Errorf("%s has %v", key.ID, rulesOf(packet))
			}
		}
	}
	if frozen == 0 {
		t.Error("no appeal policy is frozen")
	}
}
