package ui

import (
	"context"
	"errors"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	recordscreen "docket/ui/screen/records"
	"docket/ui/wording"
)

// withRecords is a console at a list of so many records.
func withRecords(t *testing.T, count int) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 120, 40)
	for range count {
		b.press("decide", "record", "esc")
	}
	b.press("r")
	return b, workbench
}

func TestRecordsOnTheScreenAreExaminedAndOnlyOnce(t *testing.T) {
	b, workbench := withRecords(t, 2)
	b.shows("✓     ✓      ✓ ", "✓ inclusion proof valid", "✓ signature valid", "✓ re-evaluated: same result")
	asked := workbench.Examined()
	b.press("j", "k", "enter", "esc", "j")
	if workbench.Examined() != asked {
		t.Errorf("asked %d times, then %d", asked, workbench.Examined())
	}
	b.press("R")
	if workbench.Examined() == asked {
		t.Error("reading again does not look again")
	}
}

func TestUntilARecordIsExaminedNothingIsSaidOfIt(t *testing.T) {
	b, _ := withRecords(t, 0)
	b.press("esc", "decide", "record", "esc", "r")
	b.console.records.(*recordscreen.Examination).Begin()
	b.hold = true
	b.press("j")
	b.shows("·     ·      · ", "Checking …")
	b.hides("✓ signature valid")
	b.release()
	b.shows("✓ signature valid")
}

func TestARecordThatIsNotAsItWasLoggedIsCrossed(t *testing.T) {
	b, workbench := withRecords(t, 1)
	workbench.Damage("leaf 1 does not match")
	b.press("R", "g")
	b.shows("✗     ✓      ? ", "✗ A record's bytes are not those that were logged.", "? not re-evaluated")
}

func TestARecordThatCannotBeExaminedIsNeitherGoodNorBadAndIsNotAskedForAgain(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.console.records.(*recordscreen.Examination).Begin()
	workbench.Failing = errors.New("the disk is gone")
	b.press("j")
	b.shows("?     ?      ? ", "could not be checked", "the disk is gone")
	asked := workbench.Examined()
	b.press("k")
	if workbench.Examined() != asked {
		t.Error("it is asked for again at every key")
	}
}

func TestTheRecordsPageSaysHowItStandsAndProvesItsPlace(t *testing.T) {
	b, _ := withRecords(t, 1)
	b.press("enter")
	b.shows("proof", "✓ inclusion proof valid", "✓ signature valid", "✓ re-evaluated: same result")
	b.press("G")
	b.shows("Proof of its place in the log", "leaf, recomputed", "path 2 of 2", "root of 1 record")
}

func TestARecordOfARevokedKeyIsMarkedInTheListAndOnItsPage(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.hides(wording.RevokedKey)
	workbench.Revoke(0)
	b.press("R")
	b.shows("⊘ revoked key  ", "⊘ revoked key: not in force, because the key that signed it was revoked; a judges its packet again")
	b.press("enter")
	b.shows("⊘ the key that signed it was revoked, so not in force")
	b.press("d")
	b.at(action.InRecord)
	b.shows("✗ the key that signed it was revoked, so it is not in force; a judges its packet again")
}

func TestARecordIsSupersededFromItsPage(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.press("enter", "d")
	b.at(action.InDecision)
	b.press("choose uphold decision")
	b.toReceipt()
	got := workbench.Choices()
	if len(got) != 2 || got[1].Supersedes != "019cadc6-9a80-7000-8a00-000000000000" || got[1].Outcome != terms.UpholdDecision {
		t.Errorf("recorded %+v", got)
	}
	b.press("esc", "r", "j", "enter", "d")
	b.at(action.InRecord)
	b.shows("✗ it is superseded by 019cadc6-9a80-7001-8a00-000000000000")
}

func TestARecordThatWasSupersededMeanwhileIsNotSupersededFromItsPage(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.press("enter")
	file, err := workbench.Open(context.Background(), terms.AppealCases, "AC-2041", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = workbench.Record(context.Background(), &file.View, records.Choice{Outcome: terms.UpholdDecision, Supersedes: file.InForce,
		Factors: terms.SetOf(terms.HumanReviewRequired), OpenedAt: workbench.Now(),
		Statement: records.Statement{Text: "The notice does not say who was told."}}, "")
	if err != nil {
		t.Fatal(err)
	}
	b.press("d")
	b.at(action.InPacket)
	b.shows("Not superseded", "019cadc6-9a80-7001-8a00-000000000000 has superseded it", "supersede that one")
}

func TestARecusedReviewerDoesNotSupersede(t *testing.T) {
	b, _ := withRecords(t, 1)
	b.console.scene.Reviewer.ID = "dec-oyelaran"
	b.press("enter", "d")
	b.at(action.InPacket)
	b.shows("Not yours to supersede", "you took the decision that is challenged here")
}
