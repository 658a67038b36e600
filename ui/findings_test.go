package ui

import (
	"context"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
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
