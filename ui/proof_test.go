package ui

import (
	"context"
	"docket/ui/task"
	"errors"
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"

	tea "github.com/charmbracelet/bubbletea"
)

// provingHarness is a console whose log is being checked; the check ends when the commands that wait are released.
func provingHarness(t *testing.T, findings []Finding, err error) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	workbench := workbenchtest.Sample()
	b := newHarness(t, workbench, 120, 40)
	b.hold = true
	var met []Finding
	b.startCheck(func(context.Context) error {
		met = findings
		return err
	}, func() []Finding { return met })
	b.hold = false
	b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	return b, workbench
}

// startCheck starts a check of the log.
func (b *harness) startCheck(prove func(context.Context) error, met func() []Finding) {
	b.t.Helper()
	b.console.check = task.NewLogCheck(prove, met, 0)
	b.run(b.console.check.Start(b.console))
}

var altered = []Finding{{Found: "Record 4: The record is not the one that was logged.", Advice: "Restore it from a backup or an export."}}

func TestTheHeadingSaysHowFarTheCheckOfTheLogIs(t *testing.T) {
	b, _ := provingHarness(t, nil, nil)
	b.shows("checking the log …")
	b.release()
	b.shows("✓ log checked")
	b.at(action.InQueue)
}

func TestWithoutACheckTheHeadingSaysNothingOfTheLog(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(), 120, 40)
	b.hides("log checked", "checking the log")
}

func TestACheckThatFindsSomethingEndsAllRecordingAndNamesIt(t *testing.T) {
	b, _ := provingHarness(t, altered, nil)
	b.press("open AC-2041")
	b.release()
	b.at(action.InFindings)
	b.shows("Record 4: The record is not the one that was logged.", "Restore it from a backup", "✗ log altered")
	b.press("enter")
	b.at(action.InPacket)
	b.press("d")
	b.at(action.InPacket)
	b.shows("recording is off")
}

func TestFindingsThatComeWhileAQuestionIsOpenCoverIt(t *testing.T) {
	b, _ := provingHarness(t, altered, nil)
	b.press("j", "s")
	b.release()
	b.at(action.InFindings)
	b.press("enter", "s")
	b.shows("recording is off")
}

func TestADecisionUnderWayWhenTheCheckFindsSomethingIsNotRecorded(t *testing.T) {
	b, workbench := provingHarness(t, altered, nil)
	b.press("decide")
	b.release()
	b.at(action.InFindings)
	b.press("enter")
	b.at(action.InReview)
	b.press("record")
	b.at(action.InReview)
	b.shows("recording is off")
	if n := len(workbench.Choices()); n != 0 {
		t.Errorf("%d decisions were handed in", n)
	}
}

func TestAReceiptThatArrivesAfterTheFindingsIsShownBehindThem(t *testing.T) {
	b, workbench := provingHarness(t, altered, nil)
	b.press("decide")
	workbench.Refusing = errors.New("the disk is full")
	b.hold = true
	b.press("record")
	b.release() // the check, and then the recording
	b.shows("the disk is full")
	b.press("enter")
	b.at(action.InFindings)
	b.press("enter")
	b.at(action.InReview)
}

func TestACheckThatCannotEndSaysSoAndForbidsNothing(t *testing.T) {
	b, _ := provingHarness(t, nil, errors.New("the disk cannot be read"))
	b.release()
	b.shows("? log not checked", "the log could not be checked: the disk cannot be read")
	b.press("open AC-2041", "d")
	b.at(action.InDecision)
}

func TestAPanicInTheCheckEndsTheConsoleInAnOrderlyWay(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(), 80, 24)
	b.startCheck(func(context.Context) error { panic("a secret") }, nil)
	if b.console.failed == nil || strings.Contains(b.console.failed.Error(), "secret") || !b.quit {
		t.Errorf("%v, quit %v", b.console.failed, b.quit)
	}
}
