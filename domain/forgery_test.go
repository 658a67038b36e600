package domain_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain"
)

// A record that reads well may still have been forged. Before it is appended, everything in it that does not come from
// the reviewer has to be what the rules and the packet say.
func TestForgedRecordsAreRefusedBeforeTheyAreAppended(t *testing.T) {
	both := []edit{
		set("/contractVersion", "trade-challenge-appeal-v9"), set("/rulesVersion", "x"),
		set("/policyId", "another-policy"), set("/policyId", nil), set("/policyVersion", 9), set("/policyVersion", nil),
		set("/policyHash", otherHash), set("/policyHash", nil),
		set("/reviewer/keyFingerprint", ""), set("/reviewer/id", "reviewer-8"), set("/reviewer/id", "decider-1"),
		set("/openedAt", recheckedAt), set("/evaluatedAt", recheckedAt), set("/recordedAt", openedAt),
		set("/recordedAt", farAhead), set("/supersedes", otherRecordID),
	}
	forge(t, appeal, nil, append([]edit{
		set("/caseId", "case-18"), set("/caseRevision", 3), set("/caseHash", otherHash), set("/caseHash", nil),
		set("/scopeHash", otherHash), set("/scopeHash", nil), set("/subjectId", "row-205"), set("/subjectId", nil),
		set("/trigger", "duplicate_proof"), set("/trigger", nil), set("/advisoryOutcome", "uphold_decision"),
		set("/requestedOutcome", "uphold_decision"),
	}, both...))
	forge(t, materialChange, nil, append([]edit{
		set("/amendmentId", "amendment-9"), set("/amendmentRevision", 5), set("/amendmentHash", otherHash),
		set("/ownerId", "owner-3"), set("/agreementId", "agreement-32"), set("/agreementId", nil),
		set("/subjectType", "locked_donation_offset"), set("/subjectType", nil), set("/amendmentType", "other"),
		set("/transition", "destination_change"), set("/beforeTermsHash", otherHash), set("/afterTermsHash", nil),
	}, both...))
	// Blocked by the rules, recorded as if it had passed or as if for other reasons.
	forge(t, appeal, []edit{del("/record/notice")}, []edit{
		set("/computedBlockers", []string{"deadline_missing"}),
		set("/computedBlockers", []string{"notice_missing", "deadline_missing"})})
}

func forge(t *testing.T, from func() scene, scenery, forgeries []edit) {
	t.Helper()
	then := view(t, from(), scenery...)
	record := recorded(t, &then, choiceFor(&then))
	later := lookAgain(t, from(), recheckedAt, scenery...)
	for _, f := range forgeries {
		forged, err := reread(then.Area(), edited(record, f))
		if err == nil {
			err = forged.Recheck(&later, "")
		}
		if !errors.Is(err, domain.ErrRefused) && !errors.Is(err, domain.ErrEnforcement) {
			t.Errorf("%s %s: %v", f.pointer, encoded(f.value), err)
		}
	}
}

// A pass may not be taken from what is blocked by rewriting every member that says so.
func TestBlockedCannotBeRecordedAsPass(t *testing.T) {
	then := view(t, appeal(), del("/record/notice"))
	record := recorded(t, &then, choiceFor(&then))
	forged, err := reread(domain.Appeals, edited(record, set("/computedBlockers", []string{}), set("/gate", "pass"),
		set("/advisoryOutcome", "open_challenge_window")))
	if err != nil {
		t.Fatal(err)
	}
	later := lookAgain(t, appeal(), recheckedAt, del("/record/notice"))
	if err := forged.Recheck(&later, ""); err == nil || !strings.Contains(err.Error(), "notice_missing holds now") {
		t.Errorf("%v", err)
	}
}

// An outcome that the rules do not permit is refused, though the record is as well-formed as any.
func TestForgedOutcomesAreRefused(t *testing.T) {
	for _, scenery := range [][]edit{nil, {del("/record/notice")}} {
		then := view(t, appeal(), scenery...)
		record := recorded(t, &then, choiceFor(&then))
		later := lookAgain(t, appeal(), recheckedAt, scenery...)
		for outcome, names := range outcomeNames {
			forged, err := reread(domain.Appeals, edited(record, set("/outcome", outcome),
				set("/provenanceActivity", names[0]), set("/traceabilityBusinessStep", names[1])))
			if err != nil {
				t.Fatal(err)
			}
			word, err := domain.Outcomes.Parse(outcome)
			if err != nil {
				t.Fatal(err)
			}
			may := false
			for _, option := range domain.Options(&then, 0) {
				may = may || option.Outcome == word && option.Obstacle == ""
			}
			if err := forged.Recheck(&later, ""); (err == nil) != may {
				t.Errorf("%s: %v", outcome, err)
			}
		}
	}
}
