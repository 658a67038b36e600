package records_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

// What has changed since the packet was on screen, and what the reviewer is told.
var staleRows = []struct {
	name       string
	from       func() domaintest.Scene
	then, now  []domaintest.Edit
	supersedes records.RecordID
	inForce    records.RecordID
	want       []string
}{
	{"a revision arrived", domaintest.Appeal, nil, edits(`/latestRevision = 3`), "", "",
		[]string{"revision 3 has arrived", "appeal_case_stale holds now", "the advisory outcome is block reliance now"}},
	{"a revision of an amendment arrived", domaintest.Correction, nil, edits(`/latestRevision = 5`), "", "",
		[]string{"revision 5 has arrived", "amendment_stale holds now"}},
	{"a policy version arrived", domaintest.Appeal, nil, edits(`/latestPolicyVersion = 4`), "", "",
		[]string{"appeal_policy_not_current holds now", "the advisory outcome is block reliance now"}},
	{"a policy version of an amendment arrived", domaintest.Correction, nil, edits(`/latestPolicyVersion = 6`), "", "",
		[]string{"policy_superseded holds now"}},
	{"the deadline passed", domaintest.Appeal, edits(`/record/deadline = "$recorded"`), edits(`/record/deadline = "$recorded"`),
		"", "", []string{"deadline_expired holds now", "the advisory outcome is block reliance now"}},
	{"the notice counts by now", domaintest.Appeal, edits(`/record/notice/deliveredAt = "$recorded"`),
		edits(`/record/notice/deliveredAt = "$recorded"`), "", "",
		[]string{"notice_missing no longer holds", "the advisory outcome is open challenge window now"}},
	{"a confirmation expired", domaintest.MaterialChange, []domaintest.Edit{domaintest.Set("/record/confirmations/1/expiresAt", domaintest.RecordedAt)},
		[]domaintest.Edit{domaintest.Set("/record/confirmations/1/expiresAt", domaintest.RecordedAt)}, "", "", []string{"exposure_increase_without_confirmation holds now", "renewed_confirmation_stale holds now"}},
	{"the policy arrived", domaintest.Correction, edits(`-/policy; /record/policyHash = "$hash"`),
		edits(`/record/policyHash = "$hash"`), "", "",
		[]string{"invalid_policy_hash holds now", "policy_missing no longer holds", "the case or its policy differs"}},
	{"the policy advises something else", domaintest.Appeal, nil,
		edits(`/policy/outcomeRules/wrong_scope_evidence/advisory = "correct_record"`), "", "",
		[]string{"the advisory outcome is correct record now", "the case or its policy differs"}},
	{"the policy was exchanged", domaintest.Appeal, nil, []domaintest.Edit{domaintest.LateSet("/policy/frozenAt", domaintest.LongAgo)}, "", "",
		[]string{"invalid_policy_hash holds now", "the advisory outcome is block reliance now",
			"the case or its policy differs"}},
	{"the record differs", domaintest.Appeal, nil, edits(`/record/filedAt = "$longAgo"`), "", "",
		[]string{"the case or its policy differs"}},
	{"somebody recorded in between", domaintest.Appeal, nil, nil, "", domaintest.OtherRecordID,
		[]string{"decided elsewhere by record " + string(domaintest.OtherRecordID) + "; yours would replace it"}},
	{"another record is in force", domaintest.Correction, nil, nil, domaintest.SampleRecordID, domaintest.OtherRecordID,
		[]string{"decided elsewhere by record " + string(domaintest.OtherRecordID) + "; yours would replace it"}},
	{"no record is in force", domaintest.Appeal, nil, nil, domaintest.OtherRecordID, "",
		[]string{"there is no record in force that could be superseded"}},
	{"the record in force is superseded", domaintest.Appeal, nil, nil, domaintest.OtherRecordID, domaintest.OtherRecordID, nil},
	{"seen as overtaken already", domaintest.Appeal, edits(`/latestRevision = 3`), edits(`/latestRevision = 4`), "", "", nil},
	{"everything at once", domaintest.Correction, nil, edits(`/latestRevision = 5; /record/ownerId = "owner-3"`), "", domaintest.OtherRecordID,
		[]string{"revision 5 has arrived", "amendment_stale holds now", "the case or its policy differs",
			"decided elsewhere by record " + string(domaintest.OtherRecordID) + "; yours would replace it"}},
}

func TestChangedPacketsAreRefusedWithTheChangesAndNoOther(t *testing.T) {
	for _, row := range staleRows {
		then := domaintest.View(t, row.from(), row.then...)
		choice := domaintest.ChoiceFor(&then)
		choice.Supersedes = row.supersedes
		record := domaintest.Recorded(t, &then, choice)
		later := domaintest.LookAgain(t, row.from(), domaintest.RecheckedAt, row.now...)
		var stale *records.StaleError
		if err := record.Recheck(&later, row.inForce); row.want == nil {
			if err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
		} else if !errors.As(err, &stale) || !errors.Is(err, records.ErrRefused) {
			t.Errorf("%s: %v", row.name, err)
		} else if !slices.Equal(stale.Changes, row.want) ||
			!strings.Contains(err.Error(), row.want[0]) {
			t.Errorf("%s:\n got %q\nwant %q", row.name, stale.Changes, row.want)
		} else if stale.Superseded != (len(row.want) == 1 && row.supersedes != row.inForce) {
			t.Errorf("%s: merely superseded: %t", row.name, stale.Superseded)
		}
	}
}

func TestOtherPacketsAndTimesAreRefused(t *testing.T) {
	then := domaintest.View(t, domaintest.Appeal())
	record := domaintest.Recorded(t, &then, domaintest.ChoiceFor(&then))
	for name, view := range map[string]views.View{
		"another case": domaintest.LookAgain(t, domaintest.Appeal(), domaintest.RecheckedAt, edits(`/record/caseId = "case-18"`)...),
		"another revision": domaintest.LookAgain(t, domaintest.Appeal(), domaintest.RecheckedAt,
			edits(`/record/revision = 3; /latestRevision = 3`)...),
		"another area":    domaintest.LookAgain(t, domaintest.Correction(), domaintest.RecheckedAt),
		"no packet":       {},
		"from the future": domaintest.LookAgain(t, domaintest.Appeal(), domaintest.Now),
	} {
		domaintest.Refused(t, name, records.Enforcement{}, record.Recheck(&view, ""))
	}
	good := domaintest.LookAgain(t, domaintest.Appeal(), domaintest.RecheckedAt)
	domaintest.Refused(t, "no record", records.Enforcement{}, records.Enforcement{}.Recheck(&good, ""))
	domaintest.Refused(t, "nothing at all", records.Enforcement{}, records.Enforcement{}.Recheck(&views.View{}, ""))
}

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

// samples are what a word after $ stands for in edits.
var samples = strings.NewReplacer("$hash", domaintest.OtherHash, "$recorded", domaintest.RecordedAt,
	"$opened", domaintest.OpenedAt, "$record", string(domaintest.OtherRecordID), "$rechecked", domaintest.RecheckedAt,
	"$farAhead", domaintest.FarAhead, "$longAgo", domaintest.LongAgo, "$fingerprint", domaintest.Fingerprint)

// edits reads edits such as `/gate = "pass"; -/policy`.
func edits(text string) (list []domaintest.Edit) {
	for edit := range strings.SplitSeq(samples.Replace(text), ";") {
		edit = strings.TrimSpace(edit)
		if pointer, del := strings.CutPrefix(edit, "-"); del {
			list = append(list, domaintest.Del(pointer))
		} else if edit != "" {
			pointer, written, _ := strings.Cut(edit, " = ")
			var value any
			if err := json.Unmarshal([]byte(written), &value); err != nil {
				panic(edit)
			}
			list = append(list, domaintest.Set(pointer, value))
		}
	}
	return list
}

// forged is the record with some members changed, which still has to be readable.
func forged(t *testing.T, record records.Enforcement, changes ...domaintest.Edit) records.Enforcement {
	t.Helper()
	read, err := domaintest.Reread(record.Members().Area, domaintest.Edited(record, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return read
}
