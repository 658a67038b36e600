package decision_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
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
	if why := decision.WhyNotJudgeAgain(&log.Records[1], who, "", ""); !strings.Contains(why, "see record 1") {
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
