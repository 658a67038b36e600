package decision_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
	"docket/ui/wording"
)

func TestAReasonComesWithoutTheWordsNotRecorded(t *testing.T) {
	refusal := &records.Refusal{Reason: "you are recused"}
	for _, err := range []error{refusal, fmt.Errorf("here: %w", refusal)} {
		if got := decision.Reason(err); got != "you are recused" {
			t.Errorf("%v gives %q", err, got)
		}
	}
	if got := decision.Reason(errors.New("the disk is full")); got != "the disk is full" {
		t.Error(got)
	}
}

func TestTheObstaclesToRecordingComeInOrder(t *testing.T) {
	who := records.Reviewer{ID: "rev-1", Role: terms.NeutralReviewer, KeyFingerprint: "SHA256:x"}
	var nothing queue.CaseFile
	if why := decision.WhyNot(&nothing, who, "", ""); !strings.Contains(why, "there is no case") {
		t.Errorf("on nothing: %q", why)
	}
	if why := decision.WhyNot(&nothing, who, wording.Locked, "no key"); why != wording.Locked {
		t.Errorf("in a log that takes no record: %q", why)
	}
	waits := queue.CaseFile{Waits: "the clock"}
	if why := decision.WhyNot(&waits, who, "", "no key"); why != "the clock" {
		t.Errorf("while recording waits: %q", why)
	}
	if why := decision.WhyNot(&nothing, who, "", "the agent is gone"); why != "no record can be signed here: the agent is gone" {
		t.Errorf("without a key that signs: %q", why)
	}
	for _, test := range []struct {
		decided bool
		who     records.Reviewer
		locked  string
		part    string
	}{
		{false, who, wording.Locked, wording.Locked}, {false, records.Reviewer{}, "", "docket identity init"}, {true, who, "", "it is decided"},
	} {
		if why := decision.WhyNotSkip(test.decided, test.who, test.locked); !strings.Contains(why, test.part) {
			t.Errorf("%+v: %q", test, why)
		}
	}
	if why := decision.WhyNotSkip(false, who, ""); why != "" {
		t.Errorf("nothing stands against it, but %q is said", why)
	}
}

func TestARecordIsJudgedAgainOnlyOnceAndOnlyIfItWasRejected(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	rejected := workbench.Decide("AC-2042", terms.RouteHumanReview)
	logged := rejected.Records[0]
	who := workbench.Reviewer()
	for _, test := range []struct {
		state           records.HandInState
		who             records.Reviewer
		locked, keyless string
		part            string
	}{
		{records.NotHandedIn, who, "", "", "not handed in yet"}, {records.Accepted, who, "", "", "accepted this record"},
		{records.Rejected, who, wording.Locked, "", wording.Locked}, {records.Rejected, records.Reviewer{}, "", "", "docket identity init"},
		{records.Rejected, who, "", "the agent is gone", "the agent is gone"},
	} {
		logged.HandIn.State = test.state
		if why := decision.WhyNotJudgeAgain(&logged, test.who, test.locked, test.keyless); !strings.Contains(why, test.part) {
			t.Errorf("%+v: %q", test, why)
		}
	}
	logged.HandIn.State = records.Rejected
	if why := decision.WhyNotJudgeAgain(&logged, who, "", ""); why != "" {
		t.Errorf("a rejected record: %q", why)
	}
	workbench.Reject(0, records.PacketStale, "")
	rejected = workbench.Latest(terms.AppealCases, "AC-2042")
	id := logged.Record.Members().RecordID
	if why := decision.JudgedAgain(&rejected, id); why != "" {
		t.Errorf("before it is judged again: %q", why)
	}
	again := workbench.Decide("AC-2042", terms.RouteHumanReview)
	if why := decision.JudgedAgain(&again, id); !strings.Contains(why, "judged again: record "+string(again.InForce)) {
		t.Errorf("after: %q", why)
	}
	log, err := workbench.Records(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if why := decision.WhyNotJudgeAgain(&log.Records[1], who, "", ""); !strings.Contains(why, fmt.Sprintf("see record %d ", log.Records[0].Receipt.Sequence)) {
		t.Errorf("by the log: %q", why)
	}
	workbench.Reject(1, records.PacketStale, "")
	twice := workbench.Latest(terms.AppealCases, "AC-2042")
	if why := decision.JudgedAgain(&twice, id); !strings.Contains(why, "a later record") {
		t.Errorf("after that was rejected, too: %q", why)
	}
}

func TestTheAdviceOnAnAppealIsHeldBackUntilAnOwnOutcomeOrARecord(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	fresh := workbench.Latest(terms.AppealCases, "AC-2041")
	given, elsewhere, undecided, recorded := fresh, fresh, fresh, fresh
	given.Draft = records.KeptDraft{Draft: records.Draft{Preliminary: terms.UpholdDecision}, Revision: 2}
	elsewhere.Draft = records.KeptDraft{Draft: records.Draft{Preliminary: terms.UpholdDecision}, Revision: 1}
	undecided.Draft = records.KeptDraft{Draft: records.Draft{Outcome: terms.UpholdDecision}, Revision: 2}
	recorded.Records = []records.LoggedRecord{{Unreadable: "its bytes are others"}}
	amendment := workbench.Latest(terms.AmendmentRecords, "AM-310")
	for name, test := range map[string]struct {
		caseFile *queue.CaseFile
		blind    bool
	}{
		"a fresh one": {&fresh, true}, "an own outcome": {&given, false}, "an own outcome on another revision": {&elsewhere, true},
		"a draft without one": {&undecided, true}, "a record": {&recorded, false}, "an amendment": {&amendment, false},
	} {
		if got := decision.HoldsBackAdvice(test.caseFile); got != test.blind {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestJudgingAgainNamesTheReasonAndTheSupersededRecord(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Pull(time.Hour)
	own := workbench.Decide("AC-2042", terms.RouteHumanReview)
	workbench.Reject(0, records.RecordSuperseded, workbenchtest.Foreign)
	foreign := workbench.Latest(terms.AppealCases, "AC-2042")
	first := workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Reject(2, records.RecordRefused, first.InForce)
	still := workbench.Latest(terms.AppealCases, "AC-2044")
	notices := func(d *queue.CaseFile) []string {
		return decision.New(d, terms.Instant{}, records.Reviewer{}, false).Notices
	}
	if said := notices(&foreign); len(said) != 2 || !strings.HasSuffix(said[1], string(workbenchtest.Foreign)+", a record of another console") {
		t.Errorf("of another's: %q", said)
	}
	if said := notices(&still); len(said) != 1 || !strings.Contains(said[0], wording.WhyRejected(records.RecordRefused)) {
		t.Errorf("of an own one: %q", said)
	}
	if said := notices(&own); said != nil {
		t.Errorf("of one that was not rejected: %q", said)
	}
}

func TestTheSameResultIsTakenOverInSilence(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Outcome = terms.CorrectRecord
	d.Enter(decision.Review)
	seen := []views.SectionName{views.SectionGate, views.SectionStanding}
	workbench.Pass(time.Minute)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	renewal, still := d.Renew(&now, seen)
	if renewal != decision.Same || len(d.Notices) > 0 || d.Step() != decision.Review || !slices.Equal(still, seen) || d.View().EvaluatedAt() != workbench.Now() {
		t.Errorf("%d at %s with %q, seen %v", renewal, d.Step(), d.Notices, still)
	}
}

func TestAfterAnotherResultOnlyUnchangedSectionsCountAsSeen(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Outcome, d.Added = terms.RouteHumanReview, terms.SetOf(terms.DeadlineExpired)
	d.Enter(decision.Review)
	workbench.Pass(400 * 24 * time.Hour)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	renewal, still := d.Renew(&now, []views.SectionName{views.SectionGate, views.SectionStanding})
	if renewal != decision.Touched || d.Step() != decision.Blockers || !d.Added.Empty() || !slices.Equal(still, []views.SectionName{views.SectionStanding}) {
		t.Errorf("%d at %s, added %v, seen %v", renewal, d.Step(), d.Added.Terms(), still)
	}
	if told := strings.Join(d.Notices, "; "); !strings.Contains(told, "deadline_expired applies now") {
		t.Error(told)
	}
}

func TestAnEvaluationOfAnotherRevisionIsNotTaken(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Enter(decision.Review)
	record := workbenchtest.Case("AC-2041", 29*time.Hour)
	record["revision"] = 3
	workbench.Add(terms.AppealCases, record, nil)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	if renewal, _ := d.Renew(&now, nil); renewal != decision.Replaced || d.View().Key().Number != 2 || d.Notices[0] != "revision 3 has arrived" {
		t.Errorf("%d on revision %d with %q", renewal, d.View().Key().Number, d.Notices)
	}
}

func TestEachAreaListsWhatARecordCannotDo(t *testing.T) {
	for _, area := range terms.Areas.All() {
		if !strings.HasPrefix(views.Cannot(area), "It cannot ") {
			t.Errorf("nothing is said for %s", area)
		}
	}
}
