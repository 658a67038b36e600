package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"

	tea "github.com/charmbracelet/bubbletea"
)

const noKey = "the key /home/marsh/.ssh/id has a passphrase"

// keylessHarness is a console whose reviewer's key cannot be used.
func keylessHarness(t *testing.T, who records.Reviewer) *harness {
	t.Helper()
	workbench := workbenchtest.Sample()
	workbench.Who = who
	b := newHarness(t, workbench, 120, 40, Options{Keyless: noKey})
	return b
}

func TestAKeyThatCannotBeUsedIsSaidFirstAndLetsReadButNotDecide(t *testing.T) {
	b := keylessHarness(t, records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer})
	b.at(action.InFindings)
	b.shows("the signing key cannot be used", "No record can be signed here: "+noKey, "docket doctor", "rev-marsh · READ-ONLY")
	b.press("enter")
	b.at(action.InQueue)
	b.press("open AC-2041")
	b.shows("READ-ONLY · the key cannot be used", "! not yours to decide: no record can be signed here: the key", "\n    passphrase")
	b.press("d")
	b.at(action.InPacket)
	b.shows("✗ no record can be signed here: " + noKey)
}

func TestWorkThatNeedsNoKeyGoesOnWithoutOne(t *testing.T) {
	b := keylessHarness(t, records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer})
	b.press("enter", "open AC-2041", "s", "type waiting", "enter")
	b.shows("skipped; it is at the end of the queue")
}

func TestWithoutAnIdentityThatCanBeReadNobodyIsNamed(t *testing.T) {
	b := keylessHarness(t, records.Reviewer{})
	b.press("enter")
	b.shows("READ-ONLY · the key cannot be used")
	b.press("open AC-2041", "d")
	b.shows("✗ no record can be signed here: " + noKey)
	b.press("s")
	b.shows("no reviewer is set up on this machine")
}

func TestARecordIsNotSupersededWithoutAKey(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("decide", "record")
	b.console.scene.Keyless = noKey
	b.press("esc", "r", "enter", "d")
	b.at(action.InRecord)
	b.shows("✗ no record can be signed here: " + noKey)
}

func TestTheFindingsOfTheLogComeBeforeTheKey(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(), 80, 24, Options{Keyless: noKey, Findings: altered})
	b.shows("the log was changed, rolled back or damaged")
	b.press("enter")
	b.shows("the signing key cannot be used")
	b.press("enter")
	b.at(action.InQueue)
}

// Nothing can be recorded: every screen says so in words, at every size, and none says that the log is in order.
func TestEveryScreenSaysThatNothingCanBeRecorded(t *testing.T) {
	for name, options := range map[string]Options{
		"findings":   {Findings: altered},
		"unwritable": {Unwritable: "the disk is full: free some space"},
		"keyless":    {Keyless: noKey},
	} {
		options.Prove = func(context.Context) error { return nil }
		for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 16}, {48, 14}, {30, 10}} {
			b := startHarness(t, workbenchtest.Sample(), size[0], size[1], options)
			b.run(b.console.Init()) // the check of the records finds nothing more
			for _, keys := range [][]string{{"enter"}, {"enter"}, {"esc", "b"}, {"esc", "r"}, {"esc", "c"}, {"esc", "/"}, {"esc", "esc", "tab"}} {
				if b.console.frame.Small() {
					break
				}
				b.shows("READ-ONLY")
				if name == "findings" {
					b.hides("log checked", "checking the log")
				}
				b.press(keys...)
			}
		}
	}
}

func TestAStoreThatCannotBeWrittenSaysWhyFirst(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(), 120, 40, Options{Unwritable: "the disk is full: free some space"})
	b.at(action.InFindings)
	b.shows("the store can only be read", "The disk is full: free some space", "READ-ONLY · the store can only be read")
	b.press("enter", "open AC-2041", "d")
	b.at(action.InPacket)
	b.shows("✗ the disk is full")
}

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

// noting is a console to which notes come.
func noting(t *testing.T, notes ...Note) *harness {
	t.Helper()
	b := newHarness(t, workbenchtest.Sample(), 120, 40)
	b.console.notes = func(context.Context) (note Note, more bool) {
		if len(notes) == 0 {
			return Note{}, false
		}
		note, notes = notes[0], notes[1:]
		return note, true
	}
	return b
}

func TestANoteIsToldWhereTheReaderIsAndChangesNothing(t *testing.T) {
	b := noting(t, Note{Text: "east did not cosign: it cannot be reached"})
	b.press("open AC-2041")
	b.run(b.console.notes.Await(b.console))
	b.at(action.InPacket)
	b.shows("! East did not cosign: it cannot be reached.")
	b.press("j")
	b.hides("cannot be reached")
}

func TestAWitnessThatContradictsTheLogStaysInTheHeading(t *testing.T) {
	b := noting(t, Note{Text: "first"}, Note{Text: "east says that THIS LOG WAS ROLLED BACK", Lasting: "A WITNESS CONTRADICTS THIS LOG"})
	b.run(b.console.notes.Await(b.console))
	b.shows("! East says that THIS LOG WAS ROLLED BACK.", "A WITNESS CONTRADICTS THIS LOG")
	b.press("open AC-2041", "j")
	b.shows("A WITNESS CONTRADICTS THIS LOG")
	b.hides("East says")
}

func TestWithoutNotesNothingWaits(t *testing.T) {
	if c := newHarness(t, workbenchtest.Sample(), 120, 40).console; c.notes.Await(c) != nil {
		t.Error("something waits for notes")
	}
}
