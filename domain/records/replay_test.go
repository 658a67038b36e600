package records_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
)

func TestARecordFollowsFromItsPacketsWithAnyLatestNumbers(t *testing.T) {
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
				if len(got.Findings) > 0 || !slices.Equal(got.Blockers, v.Evaluation().Blockers()) {
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

func TestEachReplayFaultIsNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		from  func() domaintest.Scene
		made  []domaintest.Edit // of the scene
		forge []domaintest.Edit // of the record
		want  []records.ReplayFault
	}{
		{"a section of the other area", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/sectionsViewed", []string{"gate", "effects"})},
			[]records.ReplayFault{records.ReplaySections}},
		{"a section twice", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/sectionsViewed", []string{"gate", "review", "gate"})},
			[]records.ReplayFault{records.ReplaySections}},
		{"blockers", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/computedBlockers", []string{"notice_missing"}), domaintest.Set("/gate", "blocked")},
			[]records.ReplayFault{records.ReplayBlockers, records.ReplayConclusion}},
		{"blockers as added", domaintest.Appeal, []domaintest.Edit{domaintest.Del("/record/notice")},
			[]domaintest.Edit{domaintest.Set("/computedBlockers", []string{}), domaintest.Set("/reviewerBlockers", []string{"notice_missing"})},
			[]records.ReplayFault{records.ReplayBlockers, records.ReplayConclusion}},
		{"advice", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/advisoryOutcome", "uphold_decision")}, []records.ReplayFault{records.ReplayConclusion}},
		{"request", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/requestedOutcome", "uphold_decision")}, []records.ReplayFault{records.ReplayConclusion}},
		{"contract", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/contractVersion", "v9")}, []records.ReplayFault{records.ReplayConclusion}},
		{"rules", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/rulesVersion", "v9")}, []records.ReplayFault{records.ReplayRules}},
		{"view", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/packetDigest", domaintest.OtherHash)}, []records.ReplayFault{records.ReplayView}},
		{"moment", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/evaluatedAt", "2026-06-15T11:59:00Z")}, []records.ReplayFault{records.ReplayView}},
		{"case", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseId", "case-18")}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"revision", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseRevision", 3)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"case hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/caseHash", domaintest.OtherHash)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"scope hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/scopeHash", domaintest.OtherHash)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"policy", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyId", "other")}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"no policy", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyId", nil), domaintest.Set("/policyVersion", nil)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"policy hash", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/policyHash", domaintest.OtherHash)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"owner", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/ownerId", "owner-3")}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"agreement", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/agreementId", nil)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"terms", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/afterTermsHash", domaintest.OtherHash)}, []records.ReplayFault{records.ReplayOtherPacket}},
		{"own decision", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "decider-1")}, []records.ReplayFault{records.ReplayOwnDecision, records.ReplayNotAssigned}},
		{"recused", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "reviewer-3")}, []records.ReplayFault{records.ReplayRecused, records.ReplayNotAssigned}},
		{"another's", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "reviewer-8")}, []records.ReplayFault{records.ReplayNotAssigned}},
		{"an admin passes", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/reviewer/id", "admin-1"), domaintest.Set("/reviewer/role", "safety_admin")},
			[]records.ReplayFault{records.ReplayNotAssigned}},
		{"an admin blocks", domaintest.Appeal, []domaintest.Edit{domaintest.Del("/record/notice")}, []domaintest.Edit{domaintest.Set("/reviewer/id", "admin-1"), domaintest.Set("/reviewer/role", "safety_admin")}, nil},
		{"outcome", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/outcome", "record_remedy"), domaintest.Set("/provenanceActivity", "remedy_recorded"),
			domaintest.Set("/traceabilityBusinessStep", "remedy_recorded")}, []records.ReplayFault{records.ReplayChoice}},
		{"no reasons", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/statementDigest", nil)}, []records.ReplayFault{records.ReplayReasons}},
		{"times", domaintest.Appeal, nil, []domaintest.Edit{domaintest.Set("/recordedAt", domaintest.OpenedAt)}, []records.ReplayFault{records.ReplayTime}},
		{"opened later", domaintest.Correction, nil, []domaintest.Edit{domaintest.Set("/openedAt", domaintest.FarAhead)}, []records.ReplayFault{records.ReplayTime}},
	} {
		v := domaintest.View(t, c.from(), c.made...)
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		forged, err := domaintest.Reread(v.Area(), domaintest.Edited(record, c.forge...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := domaintest.Replayed(&v, forged)
		var faults []records.ReplayFault
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
	for name, got := range map[string]records.Replayed{
		"no record":       records.Enforcement{}.Replay(v.Policy(), v.Record(), domaintest.SampleSalt),
		"no packet":       record.Replay(v.Policy(), packets.Packet{}, domaintest.SampleSalt),
		"no policy":       record.Replay(packets.Packet{}, v.Record(), domaintest.SampleSalt),
		"case as policy":  record.Replay(v.Record(), v.Record(), domaintest.SampleSalt),
		"policy as case":  record.Replay(v.Policy(), v.Policy(), domaintest.SampleSalt),
		"another area":    record.Replay(other.Policy(), other.Record(), domaintest.SampleSalt),
		"another policy":  record.Replay(other.Policy(), v.Record(), domaintest.SampleSalt),
		"another's case":  record.Replay(v.Policy(), other.Record(), domaintest.SampleSalt),
		"nothing for all": records.Enforcement{}.Replay(packets.Packet{}, packets.Packet{}, domaintest.SampleSalt),
	} {
		if !got.Has(records.ReplayOtherPacket) || len(got.Findings) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestOnlyATextPutInAfterwardsIsPrivate(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText("/record/evidenceScope/statement", "ask for Someone"))
	masked := domaintest.View(t, domaintest.Appeal(), domaintest.SetText("/record/evidenceScope/statement", "ask someone@example.org"))
	if masked.Record().HoldsPrivate() || v.Record().HoldsPrivate() || v.Policy().HoldsPrivate() || (packets.Packet{}).HoldsPrivate() {
		t.Error("a masked text is taken for a private one")
	}
	var reader packets.Reader
	document := replaceOnce(t, string(v.Record().Document()), `"ask for Someone"`, `"ask someone@example.org"`)
	packet, err := reader.ReadStored([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if !packet.HoldsPrivate() {
		t.Error("it is not found")
	}
	document = replaceOnce(t, string(v.Record().Document()), `"trade-challenge-appeal-v0.3"`, `"someone@example.org"`)
	if _, err := reader.ReadStored([]byte(document)); err == nil {
		t.Error("another contract version is read")
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
