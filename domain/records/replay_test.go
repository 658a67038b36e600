package records_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
)

func TestARecordFollowsFromItsPacketsWhateverWasNewest(t *testing.T) {
	for name, from := range map[string]func() domaintest.Scene{"appeal": domaintest.Appeal, "correction": domaintest.Correction, "material change": domaintest.MaterialChange} {
		for _, version := range []int{0, 7, 9} {
			for _, revision := range []int{0, 6, 20260101} {
				var edits []domaintest.Edit
				if version > 0 {
					edits = append(edits, domaintest.Set("/latestPolicyVersion", version))
				}
				if revision > 0 {
					edits = append(edits, domaintest.Set("/latestRevision", revision))
				}
				v := domaintest.View(t, from(), edits...)
				got := domaintest.Replayed(&v, domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v)))
				if len(got.Findings) > 0 || !slices.Equal(got.Blockers, v.Judgment().Blockers()) {
					t.Errorf("%s, newest %d and %d: %+v", name, version, revision, got)
				}
			}
		}
	}
}

func TestARecordFollowsFromABlockedPacketAndFromNoPolicy(t *testing.T) {
	for name, edits := range map[string][]domaintest.Edit{
		"no policy":    {domaintest.Set("/policy", nil)},
		"blocked":      {domaintest.Del("/record/notice")},
		"stale anyway": {domaintest.LateSet("/policy/status", "superseded"), domaintest.Set("/latestPolicyVersion", 9)},
		"masked":       {domaintest.SetText("/record/evidenceScope/statement", "ask someone@example.org")},
	} {
		v := domaintest.View(t, domaintest.Appeal(), edits...)
		if got := domaintest.Replayed(&v, domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))); len(got.Findings) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatDoesNotFollowIsNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  func() domaintest.Scene
		made  []domaintest.Edit // of the scene
		forge []domaintest.Edit // of the record
		want  []domain.ReplayFault
	}{
		{"blockers", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/computedBlockers", []string{"notice_missing"}), domaintest.Set("/gate", "blocked")},
			[]domain.ReplayFault{domain.ReplayBlockers, domain.ReplayConclusion}},
		{"blockers as added", domaintest.Appeal, []domaintest.Edit{domaintest.Del("/record/notice")},
			[]domaintest.Edit{domaintest.Set("/computedBlockers", []string{}), domaintest.Set("/reviewerBlockers", []string{"notice_missing"})},
			[]domain.ReplayFault{domain.ReplayBlockers, domain.ReplayConclusion}},
		{"advice", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/advisoryOutcome", "uphold_decision")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"request", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/requestedOutcome", "uphold_decision")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"contract", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/contractVersion", "v9")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"rules", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/rulesVersion", "v9")}, []domain.ReplayFault{domain.ReplayRules}},
		{"view", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/packetDigest", domaintest.OtherHash)}, []domain.ReplayFault{domain.ReplayView}},
		{"moment", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/evaluatedAt", "2026-06-15T11:59:00Z")}, []domain.ReplayFault{domain.ReplayView}},
		{"case", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseId", "case-18")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"revision", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseRevision", 3)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"case hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseHash", domaintest.OtherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"scope hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/scopeHash", domaintest.OtherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"policy", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyId", "other")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"no policy", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyId", nil), domaintest.Set("/policyVersion", nil)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"policy hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyHash", domaintest.OtherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"owner", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/ownerId", "owner-3")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"agreement", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/agreementId", nil)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"terms", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/afterTermsHash", domaintest.OtherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"own decision", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "decider-1")}, []domain.ReplayFault{domain.ReplayOwnDecision, domain.ReplayNotTheirs}},
		{"recused", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "reviewer-3")}, []domain.ReplayFault{domain.ReplayRecused, domain.ReplayNotTheirs}},
		{"another's", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "reviewer-8")}, []domain.ReplayFault{domain.ReplayNotTheirs}},
		{"an admin passes", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "admin-1"), domaintest.Set("/reviewer/role", "safety_admin")},
			[]domain.ReplayFault{domain.ReplayNotTheirs}},
		{"an admin blocks", domaintest.Appeal, []domaintest.Edit{domaintest.Del("/record/notice")}, []domaintest.Edit{domaintest.Set("/reviewer/id", "admin-1"), domaintest.Set("/reviewer/role", "safety_admin")}, nil},
		{"outcome", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/outcome", "record_remedy"), domaintest.Set("/provenanceActivity", "remedy_recorded"),
			domaintest.Set("/traceabilityBusinessStep", "remedy_recorded")}, []domain.ReplayFault{domain.ReplayChoice}},
		{"no reasons", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/statementDigest", nil)}, []domain.ReplayFault{domain.ReplayReasons}},
		{"times", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/recordedAt", domaintest.OpenedAt)}, []domain.ReplayFault{domain.ReplayTime}},
		{"opened later", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/openedAt", domaintest.FarAhead)}, []domain.ReplayFault{domain.ReplayTime}},
		{"no key", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/reviewer/keyFingerprint", "")}, []domain.ReplayFault{domain.ReplayConclusion}},
	} {
		v := domaintest.View(t, c.from(), c.made...)
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		forged, err := domaintest.Reread(v.Area(), domaintest.Edited(record, c.forge...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := domaintest.Replayed(&v, forged)
		var faults []domain.ReplayFault
		for _, finding := range got.Findings {
			if !slices.Contains(faults, finding.Fault) {
				faults = append(faults, finding.Fault)
			}
			if finding.Detail == "" {
				t.Errorf("%s: nothing is said about %d", c.name, finding.Fault)
			}
		}
		slices.Sort(faults)
		if !slices.Equal(faults, c.want) {
			t.Errorf("%s: %+v, want %v", c.name, got.Findings, c.want)
		}
	}
}

func TestNothingFollowsFromPacketsThatAreNotThere(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	other := domaintest.View(t, domaintest.Correction())
	record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	for name, got := range map[string]domain.Replayed{
		"no record":       domain.Enforcement{}.Replay(v.Policy(), v.Record(), domaintest.SampleSalt),
		"no packet":       record.Replay(v.Policy(), domain.Packet{}, domaintest.SampleSalt),
		"no policy":       record.Replay(domain.Packet{}, v.Record(), domaintest.SampleSalt),
		"case as policy":  record.Replay(v.Record(), v.Record(), domaintest.SampleSalt),
		"policy as case":  record.Replay(v.Policy(), v.Policy(), domaintest.SampleSalt),
		"another area":    record.Replay(other.Policy(), other.Record(), domaintest.SampleSalt),
		"another policy":  record.Replay(other.Policy(), v.Record(), domaintest.SampleSalt),
		"another's case":  record.Replay(v.Policy(), other.Record(), domaintest.SampleSalt),
		"nothing for all": domain.Enforcement{}.Replay(domain.Packet{}, domain.Packet{}, domaintest.SampleSalt),
	} {
		if !got.Has(domain.ReplayOtherPacket) || len(got.Findings) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOnlyATextPutInAfterwardsIsPrivate(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText("/record/evidenceScope/statement", "ask someone@example.org"))
	if v.Record().HoldsPrivate() || v.Policy().HoldsPrivate() || (domain.Packet{}).HoldsPrivate() {
		t.Error("a masked text is taken for a private one")
	}
	for old, replacement := range map[string]string{
		`{"masked":["e-mail address"]}`: `"ask someone@example.org"`,
		`"trade-challenge-appeal-v0.3"`: `"someone@example.org"`,
	} {
		var reader domain.Reader
		document := replaceOnce(t, string(v.Record().Document()), old, replacement)
		packet, err := reader.ReadStored([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		if !packet.HoldsPrivate() {
			t.Errorf("%s is not found", replacement)
		}
	}
}

func replaceOnce(t *testing.T, text, old, replacement string) string {
	t.Helper()
	before, after, found := strings.Cut(text, old)
	if !found {
		t.Fatalf("%s is not there", old)
	}
	return before + replacement + after
}
