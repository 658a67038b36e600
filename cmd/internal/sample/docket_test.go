package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
)

func TestTheDocketShowsEveryWordAndEveryBlocker(t *testing.T) {
	h := open(t)
	coverageOf(&h, start).require(t,
		blockersOf(terms.Appeals), blockersOf(terms.Amendments),
		terms.Triggers.Texts(), terms.Subjects.Texts(), terms.StandingCategories.Texts(),
		prefixed("case", terms.CaseStatuses.Texts()), terms.NoticeStates.Texts(), terms.RedactionStatuses.Texts(),
		terms.RequestedEffects.Texts(), terms.Transitions.Texts(), terms.SubjectTypes.Texts(),
		prefixed("type", terms.AmendmentTypes.Texts()), prefixed("state", terms.AmendmentStates.Texts()),
		prefixed("confirmation", terms.ConfirmationStates.Texts()), prefixed("term", terms.ChangedTerms.Texts()),
		terms.Effects.Texts(), prefixed("private", terms.PrivateCategories.Texts()),
		prefixed("appeal policy", terms.AppealPolicyStatuses.Texts()),
		prefixed("amendment policy", terms.AmendmentPolicyStatuses.Texts()))
}

func TestAboutFortyCasesAndAmendmentsAreHeld(t *testing.T) {
	h := open(t)
	if n := len(h.queue()); n < 38 || n > 44 {
		t.Errorf("%d in the queue", n)
	}
	if former := len(h.records) - len(h.queue()); former < 3 {
		t.Errorf("%d former revisions", former)
	}
}

func TestAThirdPassesFromTheStartUntilFiveDaysLater(t *testing.T) {
	h := open(t)
	for days := range 6 {
		at := start.Add(time.Duration(days) * 24 * time.Hour)
		if passing := h.passing(at); 3*passing < len(h.records) {
			t.Errorf("after %d days %d of %d pass", days, passing, len(h.records))
		}
	}
}

func TestWhatPassesCoversEveryTriggerOutcomeAndTransition(t *testing.T) {
	h := open(t)
	seen := coverage{}
	for _, record := range h.queue() {
		view := h.look(record, start)
		if view.Evaluation().Gate() != terms.Pass {
			continue
		}
		seen.record(record)
		for _, option := range records.Options(&view, 0) {
			if option.Obstacle == "" {
				seen.count(option.Outcome)
			}
		}
	}
	seen.require(t, terms.Triggers.Texts(), terms.Outcomes.Texts(), terms.Transitions.Texts())
	for _, state := range terms.AmendmentStates.All() {
		if passes := seen["state "+state.String()] > 0; passes != (state == terms.AmendmentApplied) {
			t.Errorf("amendments in state %s pass: %v", state, passes)
		}
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

func TestMostOfWhatPassesIsTheReviewersToDecide(t *testing.T) {
	h := open(t)
	reviewer := records.Reviewer{ID: Reviewer, Role: terms.NeutralReviewer}
	mine, elsewhere := 0, 0
	for _, record := range h.queue() {
		view := h.look(record, start)
		if view.Evaluation().Gate() != terms.Pass {
			continue
		}
		if records.MayDecide(&view, reviewer) == nil {
			mine++
		} else {
			elsewhere++
		}
	}
	if mine < 3*elsewhere || elsewhere < 3 {
		t.Errorf("%d are the reviewer's, %d are not", mine, elsewhere)
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
		err := records.MayDecide(&view, records.Reviewer{ID: Reviewer, Role: terms.NeutralReviewer})
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestAFormerRevisionIsStaleAndTheLatestIsNot(t *testing.T) {
	h := open(t)
	for _, record := range h.records {
		view := h.look(record, start)
		stale := view.Evaluation().BlockerSet().Has(terms.AppealCaseStale) ||
			view.Evaluation().BlockerSet().Has(terms.AmendmentStaleBlocker)
		former := view.Latest().Revision > record.Key().Number
		if former && !stale {
			t.Errorf("%s revision %d is not stale", record.Key().ID, record.Key().Number)
		}
	}
}

func TestTheSameStartGivesTheSameBytes(t *testing.T) {
	first, err := Packets(start)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Packets(start.Truncate(time.Second).In(time.FixedZone("", -5*3600)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(first, again, bytes.Equal) {
		t.Error("the texts differ")
	}
	later, err := Packets(start.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if slices.EqualFunc(first, later, bytes.Equal) {
		t.Error("a later start changes nothing")
	}
}

func TestTheDocketIsTheSameWheneverItIsOpened(t *testing.T) {
	h := open(t)
	for _, at := range []time.Time{
		time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), start.AddDate(70, 0, 0),
	} {
		texts, err := Packets(at)
		if err != nil {
			t.Fatal(err)
		}
		then := hold(t, texts)
		if then.passing(at) != h.passing(start) || len(then.records) != len(h.records) {
			t.Errorf("opened at %v, %d of %d pass", at, then.passing(at), len(then.records))
		}
	}
}

func TestACaseIsFiledBeforeItIsNoticed(t *testing.T) {
	h := open(t)
	for _, record := range h.records {
		c := record.AppealCase().Record()
		if notice := c.Notice.DeliveredAt; notice.Present() && !c.FiledAt.Before(notice) {
			t.Errorf("%s: filed %v, notice delivered %v", c.CaseID, c.FiledAt, notice)
		}
		if !c.FiledAt.Present() && record.AppealCase().Held() && c.Status != terms.CaseDraft {
			t.Errorf("%s is not filed", c.CaseID)
		}
	}
}

func TestPoliciesComeFirst(t *testing.T) {
	texts, err := Packets(start)
	if err != nil {
		t.Fatal(err)
	}
	records := false
	for _, text := range texts {
		isPolicy := bytes.Contains(text, []byte(`_policies"`))
		if isPolicy && records {
			t.Fatal("a policy comes behind a record")
		}
		records = records || !isPolicy
	}
}

func TestAStartThatNoPacketCanWriteIsAnError(t *testing.T) {
	if texts, err := Packets(time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil || texts != nil {
		t.Errorf("%d packets, error %v", len(texts), err)
	}
}
