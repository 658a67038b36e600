package domain_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain"
)

func TestUnchangedPacketsMayBeAppended(t *testing.T) {
	for _, from := range []func() scene{appeal, correction, materialChange} {
		for _, edits := range [][]edit{nil, {del("/record/notice")}, {del("/policy")}, {set("/latestRevision", 9)}} {
			then := view(t, from(), edits...)
			record := recorded(t, &then, choiceFor(&then, domain.NoticeMissing))
			later := lookAgain(t, from(), recheckedAt, edits...)
			if err := record.Recheck(&later, ""); err != nil {
				t.Errorf("%v", err)
			}
			again, err := reread(then.Area(), record.Document())
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Recheck(&later, ""); err != nil {
				t.Errorf("read back: %v", err)
			}
		}
	}
}

// What has changed since the packet was on screen, and what the reviewer is told.
var staleRows = []struct {
	name       string
	from       func() scene
	then, now  []edit
	supersedes domain.RecordID
	inForce    domain.RecordID
	want       []string
}{
	{"a revision arrived", appeal, nil, []edit{set("/latestRevision", 3)}, "", "",
		[]string{"revision 3 has arrived", "appeal_case_stale holds now", "the advisory outcome is block reliance now"}},
	{"a revision of an amendment arrived", correction, nil, []edit{set("/latestRevision", 5)}, "", "",
		[]string{"revision 5 has arrived", "amendment_stale holds now"}},
	{"a policy version arrived", appeal, nil, []edit{set("/latestPolicyVersion", 4)}, "", "",
		[]string{"appeal_policy_not_current holds now", "the advisory outcome is block reliance now"}},
	{"a policy version of an amendment arrived", correction, nil, []edit{set("/latestPolicyVersion", 6)}, "", "",
		[]string{"policy_superseded holds now"}},
	{"the deadline passed", appeal, []edit{set("/record/deadline", recordedAt)}, []edit{set("/record/deadline", recordedAt)},
		"", "", []string{"deadline_expired holds now", "the advisory outcome is block reliance now"}},
	{"the notice counts by now", appeal, []edit{set("/record/notice/deliveredAt", recordedAt)},
		[]edit{set("/record/notice/deliveredAt", recordedAt)}, "", "",
		[]string{"notice_missing no longer holds", "the advisory outcome is open challenge window now"}},
	{"a confirmation expired", materialChange, []edit{set(second+"/expiresAt", recordedAt)},
		[]edit{set(second+"/expiresAt", recordedAt)}, "", "", []string{exposure + " holds now", expired + " holds now"}},
	{"the policy arrived", correction, []edit{del("/policy"), set("/record/policyHash", otherHash)},
		[]edit{set("/record/policyHash", otherHash)}, "", "",
		[]string{"invalid_policy_hash holds now", "policy_missing no longer holds", "the case or its policy is another one"}},
	{"the policy advises something else", appeal, nil,
		[]edit{set("/policy/outcomeRules/wrong_scope_evidence/advisory", "correct_record")}, "", "",
		[]string{"the advisory outcome is correct record now", "the case or its policy is another one"}},
	{"the policy was exchanged", appeal, nil, []edit{lateSet("/policy/frozenAt", longAgo)}, "", "",
		[]string{"invalid_policy_hash holds now", "the advisory outcome is block reliance now",
			"the case or its policy is another one"}},
	{"the record is another one", appeal, nil, []edit{set("/record/filedAt", longAgo)}, "", "",
		[]string{"the case or its policy is another one"}},
	{"somebody recorded in between", appeal, nil, nil, "", otherRecordID,
		[]string{"record " + string(otherRecordID) + " is in force and has to be named as superseded"}},
	{"another record is in force", correction, nil, nil, sampleRecordID, otherRecordID,
		[]string{"record " + string(otherRecordID) + " is in force and has to be named as superseded"}},
	{"no record is in force", appeal, nil, nil, otherRecordID, "",
		[]string{"there is no record in force that could be superseded"}},
	{"everything at once", correction, nil, []edit{set("/latestRevision", 5), set("/record/ownerId", "owner-3")}, "", otherRecordID,
		[]string{"revision 5 has arrived", "amendment_stale holds now", "the case or its policy is another one",
			"record " + string(otherRecordID) + " is in force and has to be named as superseded"}},
}

func TestChangedPacketsAreRefusedWithWhatChanged(t *testing.T) {
	for _, row := range staleRows {
		then := view(t, row.from(), row.then...)
		choice := choiceFor(&then)
		choice.Supersedes = row.supersedes
		record := recorded(t, &then, choice)
		later := lookAgain(t, row.from(), recheckedAt, row.now...)
		var stale *domain.StaleError
		if err := record.Recheck(&later, row.inForce); !errors.As(err, &stale) || !errors.Is(err, domain.ErrRefused) {
			t.Errorf("%s: %v", row.name, err)
		} else if !slices.EqualFunc(stale.Changes, row.want, func(got, want string) bool { return got == want }) ||
			!strings.Contains(err.Error(), row.want[0]) {
			t.Errorf("%s:\n got %q\nwant %q", row.name, stale.Changes, row.want)
		} else if stale.Superseded != (len(row.want) == 1 && row.supersedes != row.inForce) {
			t.Errorf("%s: merely superseded: %t", row.name, stale.Superseded)
		}
	}
}

func TestTheRecordInForceMayBeSuperseded(t *testing.T) {
	then := view(t, appeal())
	choice := choiceFor(&then)
	choice.Supersedes = otherRecordID
	record := recorded(t, &then, choice)
	later := lookAgain(t, appeal(), recheckedAt)
	if err := record.Recheck(&later, otherRecordID); err != nil {
		t.Error(err)
	}
}

// Seen as stale already, a further revision is nothing new.
func TestWhatWasSeenAsOvertakenMayStillBeBlocked(t *testing.T) {
	then := view(t, appeal(), set("/latestRevision", 3))
	record := recorded(t, &then, choiceFor(&then))
	later := lookAgain(t, appeal(), recheckedAt, set("/latestRevision", 4))
	if err := record.Recheck(&later, ""); err != nil {
		t.Error(err)
	}
}

func TestOtherPacketsAndTimesAreRefused(t *testing.T) {
	then := view(t, appeal())
	record := recorded(t, &then, choiceFor(&then))
	other := lookAgain(t, appeal(), recheckedAt, set("/record/caseId", "case-18"))
	refused(t, "another case", domain.Enforcement{}, record.Recheck(&other, ""))
	revision := lookAgain(t, appeal(), recheckedAt, set("/record/revision", 3), set("/latestRevision", 3))
	refused(t, "another revision", domain.Enforcement{}, record.Recheck(&revision, ""))
	amendment := lookAgain(t, correction(), recheckedAt)
	refused(t, "another area", domain.Enforcement{}, record.Recheck(&amendment, ""))
	refused(t, "no packet", domain.Enforcement{}, record.Recheck(&domain.View{}, ""))
	early := lookAgain(t, appeal(), now)
	refused(t, "from the future", domain.Enforcement{}, record.Recheck(&early, ""))
	good := lookAgain(t, appeal(), recheckedAt)
	refused(t, "no record", domain.Enforcement{}, domain.Enforcement{}.Recheck(&good, ""))
	refused(t, "nothing at all", domain.Enforcement{}, domain.Enforcement{}.Recheck(&domain.View{}, ""))
}
