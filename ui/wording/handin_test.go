package wording_test

import (
	"strings"
	"testing"
	"time"

	"docket/domain"
	"docket/ui/internal/deskfake"
	"docket/ui/wording"
)

func TestEveryReasonForARejectionIsSaidInPlainWords(t *testing.T) {
	said := map[string]bool{}
	for _, reason := range domain.RejectionReasons.All() {
		why := wording.WhyRejected(reason)
		if said[why] || strings.Contains(why, "_") || strings.Contains(why, "no reason") || strings.HasSuffix(why, ".") {
			t.Errorf("%s is said %q", reason, why)
		}
		said[why] = true
	}
	if why := wording.WhyRejected(0); !strings.Contains(why, "no reason that is known") {
		t.Errorf("an unknown one is said %q", why)
	}
}

// decideOn records a decision on the latest revision of a case.
func decideOn(t *testing.T, desk *deskfake.Desk, id domain.ID) domain.Dossier {
	t.Helper()
	d := opened(t, desk, domain.AppealCases, id)
	_, err := desk.Record(t.Context(), &d.View, domain.Choice{Outcome: domain.RouteHumanReview, Supersedes: d.InForce,
		Factors: domain.SetOf(domain.HumanReviewRequired), OpenedAt: desk.Now(),
		Statement: domain.Statement{Text: "The notice does not say who was told."}}, "")
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, desk, domain.AppealCases, id)
}

func TestWhatIsInForceIsSaidToBeWhoseItIs(t *testing.T) {
	desk := deskfake.Sample()
	desk.Pull(time.Hour)
	none := opened(t, desk, domain.AppealCases, "AC-2042")
	own := decideOn(t, desk, "AC-2042")
	desk.Reject(0, domain.RecordSuperseded, deskfake.Foreign)
	foreign := opened(t, desk, domain.AppealCases, "AC-2042")
	decideOn(t, desk, "AC-2043")
	desk.Reject(1, domain.PacketStale, "")
	gone := opened(t, desk, domain.AppealCases, "AC-2043")
	first := decideOn(t, desk, "AC-2044")
	decideOn(t, desk, "AC-2044")
	desk.Reject(3, domain.RecordRefused, first.InForce)
	still := opened(t, desk, domain.AppealCases, "AC-2044")
	for name, test := range map[string]struct {
		dossier    *domain.Dossier
		says, stay string
	}{
		"nothing":          {&none, ": ", "it stays in the log"},
		"an own record":    {&own, "decided: record " + string(own.InForce) + " is in force; a new decision supersedes it", "it stays in the log"},
		"another's":        {&foreign, "in force at the service: record " + string(deskfake.Foreign) + ", a record of another console; a new decision supersedes it", "stays in the log there"},
		"the one before":   {&still, "still in force: record " + string(first.InForce) + "; a new decision supersedes it", "it stays in the log"},
		"nothing any more": {&gone, ": ", "it stays in the log"},
	} {
		if standing, text := wording.InForce(test.dossier); standing+": "+text != test.says {
			t.Errorf("%s: %s: %q", name, standing, text)
		}
		if got := wording.StaysWhere(test.dossier); !strings.Contains(got, test.stay) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if said := wording.AgainBecause(&foreign); len(said) != 2 || !strings.HasSuffix(said[1], string(deskfake.Foreign)+", a record of another console") {
		t.Errorf("of another's: %q", said)
	}
	if said := wording.AgainBecause(&still); len(said) != 1 || !strings.Contains(said[0], wording.WhyRejected(domain.RecordRefused)) {
		t.Errorf("of an own one: %q", said)
	}
	if said := wording.AgainBecause(&own); said != nil {
		t.Errorf("of one that was not rejected: %q", said)
	}
	for here, want := range map[bool]string{true: "record " + string(deskfake.Foreign), false: ", a record of another console"} {
		rejection := foreign.TurnedAway().HandIn.Rejection
		if got := wording.InForceThere(&rejection, here); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q", here, got)
		}
	}
	if got := wording.InForceThere(&domain.Rejection{}, false); got != "nothing" {
		t.Errorf("nothing in force is said %q", got)
	}
}

func TestARecordIsJudgedAgainOnlyOnceAndOnlyIfItWasRejected(t *testing.T) {
	desk := deskfake.Sample()
	rejected := decideOn(t, desk, "AC-2042")
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
		if why := wording.WhyNotJudgeAgain(&logged, test.who, test.locked, test.keyless); !strings.Contains(why, test.part) {
			t.Errorf("%+v: %q", test, why)
		}
	}
	logged.HandIn.State = domain.Rejected
	if why := wording.WhyNotJudgeAgain(&logged, who, "", ""); why != "" {
		t.Errorf("a rejected record: %q", why)
	}
	desk.Reject(0, domain.PacketStale, "")
	rejected = opened(t, desk, domain.AppealCases, "AC-2042")
	id := logged.Record.Members().RecordID
	if why := wording.JudgedAgain(&rejected, id); why != "" {
		t.Errorf("before it is judged again: %q", why)
	}
	again := decideOn(t, desk, "AC-2042")
	if why := wording.JudgedAgain(&again, id); !strings.Contains(why, "judged again: record "+string(again.InForce)) {
		t.Errorf("after: %q", why)
	}
	log, err := desk.Records(t.Context(), 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	if why := wording.WhyNotJudgeAgain(&log.Records[1], who, "", ""); !strings.Contains(why, "see record 1") {
		t.Errorf("by the log: %q", why)
	}
	desk.Reject(1, domain.PacketStale, "")
	twice := opened(t, desk, domain.AppealCases, "AC-2042")
	if why := wording.JudgedAgain(&twice, id); !strings.Contains(why, "a later record") {
		t.Errorf("after that was rejected, too: %q", why)
	}
}
