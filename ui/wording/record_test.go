package wording_test

import (
	"strings"
	"testing"
	"time"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/wording"
)

func TestEveryReasonForARejectionIsSaidInPlainWords(t *testing.T) {
	said := map[string]bool{}
	for _, reason := range records.RejectionReasons.All() {
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

func TestTheRecordInForceIsNamedWithItsLog(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Pull(time.Hour)
	none := workbench.Latest(terms.AppealCases, "AC-2042")
	own := workbench.Decide("AC-2042", terms.RouteHumanReview)
	workbench.Reject(0, records.RecordSuperseded, workbenchtest.Foreign)
	foreign := workbench.Latest(terms.AppealCases, "AC-2042")
	workbench.Decide("AC-2043", terms.RouteHumanReview)
	workbench.Reject(1, records.PacketStale, "")
	gone := workbench.Latest(terms.AppealCases, "AC-2043")
	first := workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Decide("AC-2044", terms.RouteHumanReview)
	workbench.Reject(3, records.RecordRefused, first.InForce)
	still := workbench.Latest(terms.AppealCases, "AC-2044")
	for name, test := range map[string]struct {
		caseFile   *queue.CaseFile
		says, stay string
	}{
		"nothing":          {&none, ": ", "it stays in the log"},
		"an own record":    {&own, "decided: route human review; record " + string(own.InForce) + " is in force; a new decision supersedes it", "it stays in the log"},
		"another's":        {&foreign, "in force at the service: record " + string(workbenchtest.Foreign) + ", a record of another console; a new decision supersedes it", "stays in the log there"},
		"the one before":   {&still, "still in force: record " + string(first.InForce) + "; a new decision supersedes it", "it stays in the log"},
		"nothing any more": {&gone, ": ", "it stays in the log"},
	} {
		if standing, text := wording.InForce(test.caseFile); standing+": "+text != test.says {
			t.Errorf("%s: %s: %q", name, standing, text)
		}
		if got := wording.StaysWhere(test.caseFile); !strings.Contains(got, test.stay) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for here, want := range map[bool]string{true: "record " + string(workbenchtest.Foreign), false: ", a record of another console"} {
		rejection := foreign.Rejected().HandIn.Rejection
		if got := wording.InForceThere(&rejection, here); !strings.HasSuffix(got, want) {
			t.Errorf("%v: %q", here, got)
		}
	}
	if got := wording.InForceThere(&records.Rejection{}, false); got != "nothing" {
		t.Errorf("nothing in force is said %q", got)
	}
}
