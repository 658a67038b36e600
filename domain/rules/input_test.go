package rules_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
)

func TestWhatIsNotHeldBlocksAsIfItWereAbsent(t *testing.T) {
	s, a := domaintest.Appeal(), domaintest.Correction()
	s.Question(t)
	a.Question(t)
	policy, record := s.Stored(t, "policy"), s.Stored(t, "record")
	otherPolicy, otherRecord := a.Stored(t, "policy"), a.Stored(t, "record")
	latest, at := domain.Latest{PolicyVersion: 5, Revision: 4}, domaintest.Instant(domaintest.Now)
	var noPolicy domain.Redacted[domain.AppealPolicy]
	var noCase domain.Redacted[domain.AppealCase]
	var noAmendmentPolicy domain.Redacted[domain.AmendmentPolicy]
	var noAmendment domain.Redacted[domain.Amendment]
	for name, test := range map[string]struct {
		question domain.Question
		want     string
	}{
		"nothing": {
			domain.AppealQuestion(nil, nil, latest, at),
			"appeal_policy_missing appeal_case_missing",
		},
		"zero values": {
			domain.AppealQuestion(&noPolicy, &noCase, latest, at),
			"appeal_policy_missing appeal_case_missing",
		},
		"no amendment": {
			domain.AmendmentQuestion(nil, nil, latest, at),
			"policy_missing amendment_missing",
		},
		"zero amendment": {
			domain.AmendmentQuestion(&noAmendmentPolicy, &noAmendment, latest, at),
			"policy_missing amendment_missing",
		},
		"zero packets": {
			domain.PacketQuestion(domain.Packet{}, domain.Packet{}, latest, at),
			"appeal_policy_missing appeal_case_missing",
		},
		"another's policy": {
			domain.PacketQuestion(otherPolicy, record, domain.Latest{PolicyVersion: 3, Revision: 2}, at),
			"appeal_policy_missing",
		},
		"an appeal's policy": {
			domain.PacketQuestion(policy, otherRecord, latest, at),
			"policy_missing",
		},
		"a policy as case": {
			domain.PacketQuestion(policy, policy, domain.Latest{PolicyVersion: 3}, at),
			"appeal_case_missing",
		},
		"a case as policy": {
			domain.PacketQuestion(record, record, domain.Latest{PolicyVersion: 3, Revision: 2}, at),
			"appeal_policy_missing",
		},
	} {
		if got := strings.Join(domaintest.Codes(domain.Judge(&test.question)), " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Without a time nothing has come and everything may have run out.
func TestWithoutATimeNothingPasses(t *testing.T) {
	for name, s := range domaintest.Passing() {
		s.Question(t)
		v := s.Look(t, domain.Instant{})
		if v.Judgment().Gate() != domain.Blocked || !slices.Contains(domaintest.Codes(v.Judgment()), "notice_missing") {
			t.Errorf("%s: %q", name, domaintest.Codes(v.Judgment()))
		}
		record, err := domain.Decide(&v, domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Assigned))
		domaintest.Refused(t, name, record, err)
	}
}

// A record names a policy only if it was judged by.
func TestRecordsNameOnlyThePolicyThatWasJudgedBy(t *testing.T) {
	s, a := domaintest.Appeal(), domaintest.Correction()
	s.Question(t)
	a.Question(t)
	v := domain.Look(a.Stored(t, "policy"), s.Stored(t, "record"), domain.Latest{PolicyVersion: 3, Revision: 2}, domaintest.Instant(domaintest.Now))
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
	taken.State = domain.AmendmentDraft
	if packet.Amendment().Record().State != domain.AmendmentApplied {
		t.Error("the packet has changed")
	}
	if packet.AppealCase().Held() || packet.AppealPolicy().Held() || packet.AmendmentPolicy().Held() ||
		packet.AppealCase().Record().CaseID.Present() || packet.AppealCase().Digests().Content.Present() {
		t.Error("an amendment is a case too")
	}
}
