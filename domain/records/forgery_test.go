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
	both := []domaintest.Edit{
		domaintest.Set("/contractVersion", "trade-challenge-appeal-v9"), domaintest.Set("/rulesVersion", "x"),
		domaintest.Set("/policyId", "another-policy"), domaintest.Set("/policyId", nil), domaintest.Set("/policyVersion", 9), domaintest.Set("/policyVersion", nil),
		domaintest.Set("/policyHash", domaintest.OtherHash), domaintest.Set("/policyHash", nil),
		domaintest.Set("/reviewer/keyFingerprint", ""), domaintest.Set("/reviewer/id", "reviewer-8"), domaintest.Set("/reviewer/id", "decider-1"),
		domaintest.Set("/openedAt", domaintest.RecheckedAt), domaintest.Set("/evaluatedAt", domaintest.RecheckedAt), domaintest.Set("/recordedAt", domaintest.OpenedAt),
		domaintest.Set("/recordedAt", domaintest.FarAhead), domaintest.Set("/supersedes", domaintest.OtherRecordID),
	}
	forge(t, domaintest.Appeal, nil, append([]domaintest.Edit{
		domaintest.Set("/caseId", "case-18"), domaintest.Set("/caseRevision", 3), domaintest.Set("/caseHash", domaintest.OtherHash), domaintest.Set("/caseHash", nil),
		domaintest.Set("/scopeHash", domaintest.OtherHash), domaintest.Set("/scopeHash", nil), domaintest.Set("/subjectId", "row-205"), domaintest.Set("/subjectId", nil),
		domaintest.Set("/trigger", "duplicate_proof"), domaintest.Set("/trigger", nil), domaintest.Set("/advisoryOutcome", "uphold_decision"),
		domaintest.Set("/requestedOutcome", "uphold_decision"),
	}, both...))
	forge(t, domaintest.MaterialChange, nil, append([]domaintest.Edit{
		domaintest.Set("/amendmentId", "amendment-9"), domaintest.Set("/amendmentRevision", 5), domaintest.Set("/amendmentHash", domaintest.OtherHash),
		domaintest.Set("/ownerId", "owner-3"), domaintest.Set("/agreementId", "agreement-32"), domaintest.Set("/agreementId", nil),
		domaintest.Set("/subjectType", "locked_donation_offset"), domaintest.Set("/subjectType", nil), domaintest.Set("/amendmentType", "other"),
		domaintest.Set("/transition", "destination_change"), domaintest.Set("/beforeTermsHash", domaintest.OtherHash), domaintest.Set("/afterTermsHash", nil),
	}, both...))
	// Blocked by the rules, recorded as if it had passed or as if for other reasons.
	forge(t, domaintest.Appeal, []domaintest.Edit{domaintest.Del("/record/notice")}, []domaintest.Edit{
		domaintest.Set("/computedBlockers", []string{"deadline_missing"}),
		domaintest.Set("/computedBlockers", []string{"notice_missing", "deadline_missing"})})
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
	forged, err := domaintest.Reread(terms.Appeals, domaintest.Edited(record, domaintest.Set("/computedBlockers", []string{}), domaintest.Set("/gate", "pass"),
		domaintest.Set("/advisoryOutcome", "open_challenge_window")))
	if err != nil {
		t.Fatal(err)
	}
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
			forged, err := domaintest.Reread(terms.Appeals, domaintest.Edited(record, domaintest.Set("/outcome", outcome),
				domaintest.Set("/provenanceActivity", names[0]), domaintest.Set("/traceabilityBusinessStep", names[1])))
			if err != nil {
				t.Fatal(err)
			}
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
