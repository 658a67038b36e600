package domain_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

func replayed(v *domain.View, record domain.Enforcement) domain.Replayed {
	return record.Replay(v.Policy(), v.Record(), sampleSalt)
}

func TestARecordFollowsFromItsPacketsWhateverWasNewest(t *testing.T) {
	for name, from := range map[string]func() scene{"appeal": appeal, "correction": correction, "material change": materialChange} {
		for _, version := range []int{0, 7, 9} {
			for _, revision := range []int{0, 6, 20260101} {
				var edits []edit
				if version > 0 {
					edits = append(edits, set("/latestPolicyVersion", version))
				}
				if revision > 0 {
					edits = append(edits, set("/latestRevision", revision))
				}
				v := view(t, from(), edits...)
				got := replayed(&v, recorded(t, &v, choiceFor(&v)))
				if len(got.Findings) > 0 || !slices.Equal(got.Blockers, v.Judgment().Blockers()) {
					t.Errorf("%s, newest %d and %d: %+v", name, version, revision, got)
				}
			}
		}
	}
}

func TestARecordFollowsFromABlockedPacketAndFromNoPolicy(t *testing.T) {
	for name, edits := range map[string][]edit{
		"no policy":    {set("/policy", nil)},
		"blocked":      {del("/record/notice")},
		"stale anyway": {lateSet("/policy/status", "superseded"), set("/latestPolicyVersion", 9)},
		"masked":       {setText("/record/evidenceScope/statement", "ask someone@example.org")},
	} {
		v := view(t, appeal(), edits...)
		if got := replayed(&v, recorded(t, &v, choiceFor(&v))); len(got.Findings) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestWhatDoesNotFollowIsNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  func() scene
		made  []edit // of the scene
		forge []edit // of the record
		want  []domain.ReplayFault
	}{
		{"blockers", appeal, nil, []edit{set("/computedBlockers", []string{"notice_missing"}), set("/gate", "blocked")},
			[]domain.ReplayFault{domain.ReplayBlockers, domain.ReplayConclusion}},
		{"blockers as added", appeal, []edit{del("/record/notice")},
			[]edit{set("/computedBlockers", []string{}), set("/reviewerBlockers", []string{"notice_missing"})},
			[]domain.ReplayFault{domain.ReplayBlockers, domain.ReplayConclusion}},
		{"advice", appeal, nil, []edit{set("/advisoryOutcome", "uphold_decision")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"request", appeal, nil, []edit{set("/requestedOutcome", "uphold_decision")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"contract", appeal, nil, []edit{set("/contractVersion", "v9")}, []domain.ReplayFault{domain.ReplayConclusion}},
		{"rules", correction, nil, []edit{set("/rulesVersion", "v9")}, []domain.ReplayFault{domain.ReplayRules}},
		{"view", correction, nil, []edit{set("/packetDigest", otherHash)}, []domain.ReplayFault{domain.ReplayView}},
		{"moment", appeal, nil, []edit{set("/evaluatedAt", "2026-06-15T11:59:00Z")}, []domain.ReplayFault{domain.ReplayView}},
		{"case", appeal, nil, []edit{set("/caseId", "case-18")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"revision", appeal, nil, []edit{set("/caseRevision", 3)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"case hash", appeal, nil, []edit{set("/caseHash", otherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"scope hash", appeal, nil, []edit{set("/scopeHash", otherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"policy", appeal, nil, []edit{set("/policyId", "other")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"no policy", appeal, nil, []edit{set("/policyId", nil), set("/policyVersion", nil)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"policy hash", appeal, nil, []edit{set("/policyHash", otherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"owner", correction, nil, []edit{set("/ownerId", "owner-3")}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"agreement", correction, nil, []edit{set("/agreementId", nil)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"terms", correction, nil, []edit{set("/afterTermsHash", otherHash)}, []domain.ReplayFault{domain.ReplayOtherPacket}},
		{"own decision", appeal, nil, []edit{set("/reviewer/id", "decider-1")}, []domain.ReplayFault{domain.ReplayOwnDecision, domain.ReplayNotTheirs}},
		{"recused", correction, nil, []edit{set("/reviewer/id", "reviewer-3")}, []domain.ReplayFault{domain.ReplayRecused, domain.ReplayNotTheirs}},
		{"another's", appeal, nil, []edit{set("/reviewer/id", "reviewer-8")}, []domain.ReplayFault{domain.ReplayNotTheirs}},
		{"an admin passes", correction, nil, []edit{set("/reviewer/id", "admin-1"), set("/reviewer/role", "safety_admin")},
			[]domain.ReplayFault{domain.ReplayNotTheirs}},
		{"an admin blocks", appeal, []edit{del("/record/notice")}, []edit{set("/reviewer/id", "admin-1"), set("/reviewer/role", "safety_admin")}, nil},
		{"outcome", appeal, nil, []edit{set("/outcome", "record_remedy"), set("/provenanceActivity", "remedy_recorded"),
			set("/traceabilityBusinessStep", "remedy_recorded")}, []domain.ReplayFault{domain.ReplayChoice}},
		{"no reasons", appeal, nil, []edit{set("/statementDigest", nil)}, []domain.ReplayFault{domain.ReplayReasons}},
		{"times", appeal, nil, []edit{set("/recordedAt", openedAt)}, []domain.ReplayFault{domain.ReplayTime}},
		{"opened later", correction, nil, []edit{set("/openedAt", farAhead)}, []domain.ReplayFault{domain.ReplayTime}},
		{"no key", appeal, nil, []edit{set("/reviewer/keyFingerprint", "")}, []domain.ReplayFault{domain.ReplayConclusion}},
	} {
		v := view(t, c.from(), c.made...)
		record := recorded(t, &v, choiceFor(&v))
		forged, err := reread(v.Area(), edited(record, c.forge...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := replayed(&v, forged)
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
	v := view(t, appeal())
	other := view(t, correction())
	record := recorded(t, &v, choiceFor(&v))
	for name, got := range map[string]domain.Replayed{
		"no record":       domain.Enforcement{}.Replay(v.Policy(), v.Record(), sampleSalt),
		"no packet":       record.Replay(v.Policy(), domain.Packet{}, sampleSalt),
		"no policy":       record.Replay(domain.Packet{}, v.Record(), sampleSalt),
		"case as policy":  record.Replay(v.Record(), v.Record(), sampleSalt),
		"policy as case":  record.Replay(v.Policy(), v.Policy(), sampleSalt),
		"another area":    record.Replay(other.Policy(), other.Record(), sampleSalt),
		"another policy":  record.Replay(other.Policy(), v.Record(), sampleSalt),
		"another's case":  record.Replay(v.Policy(), other.Record(), sampleSalt),
		"nothing for all": domain.Enforcement{}.Replay(domain.Packet{}, domain.Packet{}, sampleSalt),
	} {
		if !got.Has(domain.ReplayOtherPacket) || len(got.Findings) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOnlyATextPutInAfterwardsIsPrivate(t *testing.T) {
	v := view(t, appeal(), setText("/record/evidenceScope/statement", "ask someone@example.org"))
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
