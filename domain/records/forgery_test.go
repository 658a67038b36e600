package records_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

// A record that reads well may still have been forged. Before it is appended, everything in it that does not come from
// the reviewer has to be what the rules and the packet say.
func TestForgedRecordsAreRefusedBeforeTheyAreAppended(t *testing.T) {
	both := edits(`/contractVersion = "trade-challenge-appeal-v9"; /rulesVersion = "x";
			/policyId = "another-policy"; /policyId = null; /policyVersion = 9; /policyVersion = null;
			/policyHash = "$hash"; /policyHash = null; /reviewer/keyFingerprint = "";
			/reviewer/id = "reviewer-8"; /reviewer/id = "decider-1"; /openedAt = "$rechecked";
			/evaluatedAt = "$rechecked"; /recordedAt = "$opened"; /recordedAt = "$farAhead";
			/supersedes = "$record"`)
	forge(t, domaintest.Appeal, nil, append(edits(`/caseId = "case-18"; /caseRevision = 3; /caseHash = "$hash"; /caseHash = null;
			/scopeHash = "$hash"; /scopeHash = null; /subjectId = "row-205"; /subjectId = null;
			/trigger = "duplicate_proof"; /trigger = null; /advisoryOutcome = "uphold_decision";
			/requestedOutcome = "uphold_decision"`), both...))
	forge(t, domaintest.MaterialChange, nil, append(edits(`/amendmentId = "amendment-9"; /amendmentRevision = 5; /amendmentHash = "$hash";
			/ownerId = "owner-3"; /agreementId = "agreement-32"; /agreementId = null;
			/subjectType = "locked_donation_offset"; /subjectType = null; /amendmentType = "other";
			/transition = "destination_change"; /beforeTermsHash = "$hash"; /afterTermsHash = null`), both...))
	// Blocked by the rules, recorded as if it had passed or as if for other reasons.
	forge(t, domaintest.Appeal, edits(`-/record/notice`), edits(`/computedBlockers = ["deadline_missing"];
			/computedBlockers = ["notice_missing", "deadline_missing"]`))
}

func forge(t *testing.T, from func() domaintest.Scene, scenery, forgeries []domaintest.Edit) {
	t.Helper()
	then := domaintest.View(t, from(), scenery...)
	record := domaintest.Recorded(t, &then, domaintest.ChoiceFor(&then))
	later := domaintest.LookAgain(t, from(), domaintest.RecheckedAt, scenery...)
	for _, f := range forgeries {
		forged, err := domaintest.Reread(then.Area(), domaintest.Edited(record, f))
		if err == nil {
			err = forged.Recheck(&later, "")
		}
		if !errors.Is(err, records.ErrRefused) && !errors.Is(err, records.ErrEnforcement) {
			t.Errorf("%s %s: %v", f.Pointer, domaintest.Encoded(f.Value), err)
		}
	}
}

// A pass may not be taken from what is blocked by rewriting every member that says so.
func TestBlockedCannotBeRecordedAsPass(t *testing.T) {
	then := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/notice"))
	record := domaintest.Recorded(t, &then, domaintest.ChoiceFor(&then))
	forged := forged(t, record, edits(`/computedBlockers = []; /gate = "pass"; /advisoryOutcome = "open_challenge_window"`)...)
	later := domaintest.LookAgain(t, domaintest.Appeal(), domaintest.RecheckedAt, domaintest.Del("/record/notice"))
	if err := forged.Recheck(&later, ""); err == nil || !strings.Contains(err.Error(), "notice_missing holds now") {
		t.Errorf("%v", err)
	}
}

// An outcome that the rules do not permit is refused, though the record is as well-formed as any.
func TestForgedOutcomesAreRefused(t *testing.T) {
	for _, scenery := range [][]domaintest.Edit{nil, {domaintest.Del("/record/notice")}} {
		then := domaintest.View(t, domaintest.Appeal(), scenery...)
		record := domaintest.Recorded(t, &then, domaintest.ChoiceFor(&then))
		later := domaintest.LookAgain(t, domaintest.Appeal(), domaintest.RecheckedAt, scenery...)
		for outcome, names := range domaintest.OutcomeNames {
			forged := forged(t, record, domaintest.Set("/outcome", outcome),
				domaintest.Set("/provenanceActivity", names[0]), domaintest.Set("/traceabilityBusinessStep", names[1]))
			word, err := terms.Outcomes.Parse(outcome)
			if err != nil {
				t.Fatal(err)
			}
			may := false
			for _, option := range records.Options(&then, 0) {
				may = may || option.Outcome == word && option.Obstacle == ""
			}
			if err := forged.Recheck(&later, ""); (err == nil) != may {
				t.Errorf("%s: %v", outcome, err)
			}
		}
	}
}
