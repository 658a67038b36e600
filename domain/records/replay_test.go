package records_test

import (
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
)

func TestEachReplayFaultIsNamed(t *testing.T) {
	type faults = []records.ReplayFault
	for _, c := range []struct {
		from      func() domaintest.Scene
		made      string // of the scene
		want      faults
		forgeries []string // of the record
	}{
		{domaintest.Appeal, "", faults{records.ReplaySections},
			[]string{`/sectionsViewed = ["gate", "effects"]`, `/sectionsViewed = ["gate", "review", "gate"]`}},
		{domaintest.Appeal, "", faults{records.ReplayBlockers, records.ReplayConclusion},
			[]string{`/computedBlockers = ["notice_missing"]; /gate = "blocked"`}},
		{domaintest.Appeal, "-/record/notice", faults{records.ReplayBlockers, records.ReplayConclusion},
			[]string{`/computedBlockers = []; /reviewerBlockers = ["notice_missing"]`}},
		{domaintest.Appeal, "", faults{records.ReplayConclusion}, []string{`/advisoryOutcome = "uphold_decision"`,
			`/requestedOutcome = "uphold_decision"`, `/contractVersion = "v9"`}},
		{domaintest.Correction, "", faults{records.ReplayRules}, []string{`/rulesVersion = "v9"`}},
		{domaintest.Correction, "", faults{records.ReplayView}, []string{`/packetDigest = "$hash"`}},
		{domaintest.Appeal, "", faults{records.ReplayView}, []string{`/evaluatedAt = "2026-06-15T11:59:00Z"`}},
		{domaintest.Appeal, "", faults{records.ReplayOtherPacket}, []string{`/caseId = "case-18"`, `/caseRevision = 3`,
			`/caseHash = "$hash"`, `/scopeHash = "$hash"`, `/policyId = "other"`, `/policyId = null; /policyVersion = null`,
			`/policyHash = "$hash"`}},
		{domaintest.Correction, "", faults{records.ReplayOtherPacket},
			[]string{`/ownerId = "owner-3"`, `/agreementId = null`, `/afterTermsHash = "$hash"`}},
		{domaintest.Appeal, "", faults{records.ReplayOwnDecision, records.ReplayNotAssigned}, []string{`/reviewer/id = "decider-1"`}},
		{domaintest.Correction, "", faults{records.ReplayRecused, records.ReplayNotAssigned}, []string{`/reviewer/id = "reviewer-3"`}},
		{domaintest.Appeal, "", faults{records.ReplayNotAssigned}, []string{`/reviewer/id = "reviewer-8"`}},
		{domaintest.Correction, "", faults{records.ReplayNotAssigned}, []string{`/reviewer/id = "admin-1"; /reviewer/role = "safety_admin"`}},
		{domaintest.Appeal, "-/record/notice", nil, []string{`/reviewer/id = "admin-1"; /reviewer/role = "safety_admin"`}},
		{domaintest.Appeal, "", faults{records.ReplayChoice}, []string{`/outcome = "record_remedy";
			/provenanceActivity = "remedy_recorded"; /traceabilityBusinessStep = "remedy_recorded"`,
			`/factorCodes = ["human_review_required"]`}},
		{domaintest.Appeal, "", faults{records.ReplayReasons}, []string{`/statementDigest = null`}},
		{domaintest.Appeal, "", faults{records.ReplayTime}, []string{`/recordedAt = "$opened"`}},
		{domaintest.Correction, "", faults{records.ReplayTime}, []string{`/openedAt = "$farAhead"`}},
	} {
		v := domaintest.View(t, c.from(), edits(c.made)...)
		record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
		for _, forgery := range c.forgeries {
			var found faults
			for _, finding := range domaintest.Replayed(&v, forged(t, record, edits(forgery)...)).Findings {
				if !slices.Contains(found, finding.Fault) {
					found = append(found, finding.Fault)
				}
				if finding.Detail == "" {
					t.Errorf("%s: nothing is said about %d", forgery, finding.Fault)
				}
			}
			slices.Sort(found)
			if !slices.Equal(found, c.want) {
				t.Errorf("%s: %v, want %v", forgery, found, c.want)
			}
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
