package decision_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain"
	"docket/ui/decision"
	"docket/ui/internal/desktest"
	"docket/ui/wording"
)

func TestAReasonIsGivenWithoutTheWordsThatSayThatItIsOne(t *testing.T) {
	refusal := &domain.Refusal{Reason: "you are recused"}
	for _, err := range []error{refusal, fmt.Errorf("here: %w", refusal)} {
		if got := decision.Reason(err); got != "you are recused" {
			t.Errorf("%v gives %q", err, got)
		}
	}
	if got := decision.Reason(errors.New("the disk is full")); got != "the disk is full" {
		t.Error(got)
	}
}

func TestWhatStandsAgainstRecordingIsSaidInOrder(t *testing.T) {
	who := domain.Reviewer{ID: "rev-1", Role: domain.NeutralReviewer, KeyFingerprint: "SHA256:x"}
	var nothing domain.Dossier
	if why := decision.WhyNot(&nothing, who, "", ""); !strings.Contains(why, "there is no case") {
		t.Errorf("on nothing: %q", why)
	}
	if why := decision.WhyNot(&nothing, who, wording.Locked, "no key"); why != wording.Locked {
		t.Errorf("in a log that takes no record: %q", why)
	}
	waits := domain.Dossier{Waits: "the clock"}
	if why := decision.WhyNot(&waits, who, "", "no key"); why != "the clock" {
		t.Errorf("while recording waits: %q", why)
	}
	if why := decision.WhyNot(&nothing, who, "", "the agent is gone"); why != "no record can be signed here: the agent is gone" {
		t.Errorf("without a key that signs: %q", why)
	}
	for _, test := range []struct {
		decided bool
		who     domain.Reviewer
		locked  string
		part    string
	}{
		{false, who, wording.Locked, wording.Locked}, {false, domain.Reviewer{}, "", "docket identity init"}, {true, who, "", "it is decided"},
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
	desk := desktest.Sample()
	rejected := desk.Decide("AC-2042", domain.RouteHumanReview)
	logged := rejected.Records[0]
	who := desk.Reviewer()
	for _, test := range []struct {
		state           domain.HandInState
		who             domain.Reviewer
		locked, keyless string
		part            string
	}{
		{domain.NotHandedIn, who, "", "", "not handed in yet"}, {domain.Accepted, who, "", "", "took this record"},
		{domain.Rejected, who, wording.Locked, "", wording.Locked}, {domain.Rejected, domain.Reviewer{}, "", "", "docket identity init"},
		{domain.Rejected, who, "", "the agent is gone", "the agent is gone"},
	} {
		logged.HandIn.State = test.state
		if why := decision.WhyNotJudgeAgain(&logged, test.who, test.locked, test.keyless); !strings.Contains(why, test.part) {
			t.Errorf("%+v: %q", test, why)
		}
	}
	logged.HandIn.State = domain.Rejected
	if why := decision.WhyNotJudgeAgain(&logged, who, "", ""); why != "" {
		t.Errorf("a rejected record: %q", why)
	}
	desk.Reject(0, domain.PacketStale, "")
	rejected = desk.Latest(domain.AppealCases, "AC-2042")
	id := logged.Record.Members().RecordID
	if why := decision.JudgedAgain(&rejected, id); why != "" {
		t.Errorf("before it is judged again: %q", why)
	}
	again := desk.Decide("AC-2042", domain.RouteHumanReview)
	if why := decision.JudgedAgain(&again, id); !strings.Contains(why, "judged again: record "+string(again.InForce)) {
		t.Errorf("after: %q", why)
	}
	log, err := desk.Records(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if why := decision.WhyNotJudgeAgain(&log.Records[1], who, "", ""); !strings.Contains(why, "see record 1") {
		t.Errorf("by the log: %q", why)
	}
	desk.Reject(1, domain.PacketStale, "")
	twice := desk.Latest(domain.AppealCases, "AC-2042")
	if why := decision.JudgedAgain(&twice, id); !strings.Contains(why, "a later record") {
		t.Errorf("after that was rejected, too: %q", why)
	}
}

func TestTheAdviceOnAnAppealIsHeldBackUntilAnOwnOutcomeOrARecord(t *testing.T) {
	desk := desktest.Sample()
	fresh := desk.Latest(domain.AppealCases, "AC-2041")
	given, elsewhere, undecided, recorded := fresh, fresh, fresh, fresh
	given.Draft = domain.KeptDraft{Draft: domain.Draft{Preliminary: domain.UpholdDecision}, Revision: 2}
	elsewhere.Draft = domain.KeptDraft{Draft: domain.Draft{Preliminary: domain.UpholdDecision}, Revision: 1}
	undecided.Draft = domain.KeptDraft{Draft: domain.Draft{Outcome: domain.UpholdDecision}, Revision: 2}
	recorded.Records = []domain.LoggedRecord{{Unreadable: "its bytes are others"}}
	amendment := desk.Latest(domain.AmendmentRecords, "AM-310")
	for name, test := range map[string]struct {
		caseFile *domain.Dossier
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

func TestWhatIsJudgedAgainSaysWhyAndWhatItSupersedes(t *testing.T) {
	desk := desktest.Sample()
	desk.Pull(time.Hour)
	own := desk.Decide("AC-2042", domain.RouteHumanReview)
	desk.Reject(0, domain.RecordSuperseded, desktest.Foreign)
	foreign := desk.Latest(domain.AppealCases, "AC-2042")
	first := desk.Decide("AC-2044", domain.RouteHumanReview)
	desk.Decide("AC-2044", domain.RouteHumanReview)
	desk.Reject(2, domain.RecordRefused, first.InForce)
	still := desk.Latest(domain.AppealCases, "AC-2044")
	notices := func(d *domain.Dossier) []string { return decision.New(d, domain.Instant{}, false).Notices }
	if said := notices(&foreign); len(said) != 2 || !strings.HasSuffix(said[1], string(desktest.Foreign)+", a record of another console") {
		t.Errorf("of another's: %q", said)
	}
	if said := notices(&still); len(said) != 1 || !strings.Contains(said[0], wording.WhyRejected(domain.RecordRefused)) {
		t.Errorf("of an own one: %q", said)
	}
	if said := notices(&own); said != nil {
		t.Errorf("of one that was not rejected: %q", said)
	}
}
