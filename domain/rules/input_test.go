package rules_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestAPacketThatIsNotHeldBlocksAsIfAbsent(t *testing.T) {
	s, a := domaintest.Appeal(), domaintest.Correction()
	s.Question(t)
	a.Question(t)
	policy, record := s.Stored(t, "policy"), s.Stored(t, "record")
	otherPolicy, otherRecord := a.Stored(t, "policy"), a.Stored(t, "record")
	latest, at := rules.Latest{PolicyVersion: 5, Revision: 4}, domaintest.Instant(domaintest.Now)
	var noPolicy packets.Redacted[packets.AppealPolicy]
	var noCase packets.Redacted[packets.AppealCase]
	var noAmendmentPolicy packets.Redacted[packets.AmendmentPolicy]
	var zeroAmendment packets.Redacted[packets.Amendment]
	ofCase, ofPolicy := rules.Latest{PolicyVersion: 3, Revision: 2}, rules.Latest{PolicyVersion: 3}
	const neither, noAmendment = "appeal_policy_missing appeal_case_missing", "policy_missing amendment_missing"
	for name, test := range map[string]struct {
		question rules.Input
		want     string
	}{
		"nothing":            {rules.AppealInput(nil, nil, latest, at), neither},
		"zero values":        {rules.AppealInput(&noPolicy, &noCase, latest, at), neither},
		"no amendment":       {rules.AmendmentInput(nil, nil, latest, at), noAmendment},
		"zero amendment":     {rules.AmendmentInput(&noAmendmentPolicy, &zeroAmendment, latest, at), noAmendment},
		"zero packets":       {rules.PacketInput(packets.Packet{}, packets.Packet{}, latest, at), neither},
		"another's policy":   {rules.PacketInput(otherPolicy, record, ofCase, at), "appeal_policy_missing"},
		"an appeal's policy": {rules.PacketInput(policy, otherRecord, latest, at), "policy_missing"},
		"a policy as case":   {rules.PacketInput(policy, policy, ofPolicy, at), "appeal_case_missing"},
		"a case as policy":   {rules.PacketInput(record, record, ofCase, at), "appeal_policy_missing"},
	} {
		if got := strings.Join(domaintest.Codes(rules.Evaluate(&test.question)), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Without a time nothing has come and everything may have run out.
func TestWithoutATimeNothingPasses(t *testing.T) {
	for name, s := range domaintest.Passing() {
		s.Question(t)
		v := s.Look(t, terms.Instant{})
		if v.Evaluation().Gate() != terms.Blocked || !slices.Contains(domaintest.Codes(v.Evaluation()), "notice_missing") {
			t.Errorf("%s: %q", name, domaintest.Codes(v.Evaluation()))
		}
		record, err := records.Decide(&v, domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Assigned))
		domaintest.Refused(t, name, record, err)
	}
}

// A record names a policy only if it was judged by.
func TestRecordsNameOnlyThePolicyThatWasJudgedBy(t *testing.T) {
	s, a := domaintest.Appeal(), domaintest.Correction()
	s.Question(t)
	a.Question(t)
	v := views.New(a.Stored(t, "policy"), s.Stored(t, "record"), rules.Latest{PolicyVersion: 3, Revision: 2}, domaintest.Instant(domaintest.Now))
	document := domaintest.Parsed(string(domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v)).Document()))
	if document["policyId"] != nil || document["policyVersion"] != nil || document["policyHash"] != nil {
		t.Errorf("policy %v %v %v", document["policyId"], document["policyVersion"], document["policyHash"])
	}
}

// Digests, keys and copies of what is read do not change with the copy.
func TestRecordsAreHandedOutAsCopies(t *testing.T) {
	s := domaintest.MaterialChange()
	s.Question(t)
	packet := s.Stored(t, "record")
	taken := packet.Amendment().Record()
	taken.State = terms.AmendmentDraft
	if packet.Amendment().Record().State != terms.AmendmentApplied {
		t.Error("the packet has changed")
	}
	if packet.AppealCase().Held() || packet.AppealPolicy().Held() || packet.AmendmentPolicy().Held() ||
		packet.AppealCase().Record().CaseID.Present() || packet.AppealCase().Digests().Content.Present() {
		t.Error("an amendment is a case too")
	}
}

// blockersAt is what the rules find in a packet at a time.
func blockersAt(policy, record packets.Packet, at terms.Instant) terms.BlockerSet {
	q := rules.PacketInput(policy, record, rules.Latest{PolicyVersion: 1, Revision: record.Key().Number}, at)
	evaluation := rules.Evaluate(&q)
	return evaluation.BlockerSet()
}

func TestTimeAloneChangesNothingBeforeUnchangedUntil(t *testing.T) {
	now := domaintest.Instant(domaintest.Now)
	bounded := 0
	for name, view := range map[string]views.View{
		"an appeal":                  domaintest.View(t, domaintest.Appeal()),
		"an appeal without a notice": domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice")),
		"a change":                   domaintest.View(t, domaintest.MaterialChange()),
	} {
		policy, record := view.Policy(), view.Record()
		until := rules.UnchangedUntil(policy, record, rules.Latest{PolicyVersion: 1, Revision: record.Key().Number}, now)
		found := blockersAt(policy, record, now)
		end := now.Time().AddDate(50, 0, 0)
		if until.Present() {
			bounded++
			end = until.Time()
			after := terms.InstantOf(end.Add(1))
			if until.Before(now) || blockersAt(policy, record, until) == found && blockersAt(policy, record, after) == found {
				t.Errorf("%s: nothing changes at %s", name, until)
			}
		}
		for step := range 200 {
			at := now.Time().Add(end.Sub(now.Time()) / 200 * time.Duration(step))
			if got := blockersAt(policy, record, terms.InstantOf(at)); got != found {
				t.Errorf("%s: at %s the blockers are %v", name, at, got.Texts())
			}
		}
	}
	if bounded == 0 {
		t.Error("nothing is bounded")
	}
}
