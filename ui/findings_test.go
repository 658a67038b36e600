package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"
)

const noKey = "the key /home/marsh/.ssh/id has a passphrase"

// keyless begins with a reviewer whose key cannot be used.
func keyless(who records.Reviewer) beginning {
	return over(func(t testing.TB) *workbenchtest.Workbench {
		workbench := workbenchtest.Sample(t)
		workbench.Who = who
		return workbench
	}, Options{Keyless: noKey})
}

func TestWaysThroughAConsoleThatCannotRecord(t *testing.T) {
	walks(t, []walk{
		{"a key that cannot be used is said first and lets read but not decide", keyless(records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer}), 120, 40, way{
			"at findings", "shows the signing key cannot be used",
			"shows No record can be signed here: " + noKey, "shows docket doctor",
			"shows rev-marsh · READ-ONLY", "enter", "at queue", "open AC-2041",
			"shows READ-ONLY · the key cannot be used",
			"shows ! not yours to decide: no record can be signed here: the key", "shows \n    passphrase",
			"d", "at packet", "shows ✗ no record can be signed here: " + noKey}},
		{"work that needs no key goes on without one", keyless(records.Reviewer{ID: "rev-marsh", Role: terms.NeutralReviewer}), 120, 40, way{
			"enter", "open AC-2041", "s", "type waiting", "enter",
			"shows skipped; it is at the end of the queue"}},
		{"without an identity that can be read nobody is named", keyless(records.Reviewer{}), 120, 40, way{
			"enter", "shows READ-ONLY · the key cannot be used", "open AC-2041", "d",
			"shows ✗ no record can be signed here: " + noKey, "s",
			"shows no reviewer is set up on this machine"}},
		{"the findings of the log come before the key", over(workbenchtest.Sample, Options{Keyless: noKey, Findings: altered}), 80, 24, way{
			"shows the log was changed, rolled back or damaged", "enter",
			"shows the signing key cannot be used", "enter", "at queue"}},
		{"a store that cannot be written says why first", over(workbenchtest.Sample, Options{Unwritable: "the disk is full: free some space"}), 120, 40, way{
			"at findings", "shows the store can only be read", "shows The disk is full: free some space",
			"shows READ-ONLY · the store can only be read", "enter", "open AC-2041", "d", "at packet",
			"shows ✗ the disk is full"}},
		{"the heading says how far the check of the log is", proving(nil, nil), 120, 40, way{
			"shows checking the log …", "release", "shows ✓ log checked", "at queue"}},
		{"without a check the heading says nothing of the log", nil, 120, 40, way{
			"hides log checked", "hides checking the log"}},
		{"a check that finds something ends all recording and names it", proving(altered, nil), 120, 40, way{
			"open AC-2041", "release", "at findings",
			"shows Record 4: The record is not the one that was logged.", "shows Restore it from a backup",
			"shows ✗ log altered", "enter", "at packet", "d", "at packet", "shows recording is off"}},
		{"findings that come while a question is open cover it", proving(altered, nil), 120, 40, way{
			"j", "s", "release", "at findings", "enter", "s", "shows recording is off"}},
		{"a check that cannot end says so and forbids nothing", proving(nil, errors.New("the disk cannot be read")), 120, 40, way{
			"release", "shows ? log not checked",
			"shows the log could not be checked: the disk cannot be read", "open AC-2041", "d",
			"at decision"}},
		{"a note is told where the reader is and changes nothing", noting(Note{Text: "east did not cosign: it cannot be reached"}), 120, 40, way{
			"open AC-2041", "notes", "at packet", "shows ! East did not cosign: it cannot be reached.", "j",
			"hides cannot be reached"}},
		{"a witness that contradicts the log stays in the heading", noting(Note{Text: "first"}, Note{Text: "east says that THIS LOG WAS ROLLED BACK", Lasting: "A WITNESS CONTRADICTS THIS LOG"}), 120, 40, way{
			"notes", "shows ! East says that THIS LOG WAS ROLLED BACK.",
			"shows A WITNESS CONTRADICTS THIS LOG", "open AC-2041", "j",
			"shows A WITNESS CONTRADICTS THIS LOG", "hides East says"}},
		{"a record is not superseded without a key", nil, 120, 40, way{"decide", "record",
			func(b *harness) { b.console.scene.Keyless = noKey }, "esc", "r", "enter", "d", "at record",
			"shows ✗ no record can be signed here: " + noKey}},
		{"a decision under way when the check finds something is not recorded", proving(altered, nil), 120, 40, way{
			"decide", "release", "at findings", "enter", "at review", "record", "at review",
			"shows recording is off", "records 0"}},
		{"a receipt that arrives after the findings is shown behind them", proving(altered, nil), 120, 40, way{
			"decide", func(b *harness) { b.over.Refusing = errors.New("the disk is full") }, "hold", "record",
			"release", // the check, and then the recording
			"shows the disk is full", "enter", "at findings", "enter", "at review"}},
	})
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
			b := startHarness(t, workbenchtest.Sample(t), size[0], size[1], options)
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

// proving begins while the log is being checked; the check ends when the commands that wait are released.
func proving(findings []Finding, err error) beginning {
	return func(t *testing.T, width, height int) *harness {
		t.Helper()
		b := over(workbenchtest.Sample)(t, width, height)
		b.hold = true
		var met []Finding
		b.startCheck(func(context.Context) error {
			met = findings
			return err
		}, func() []Finding { return met })
		b.hold = false
		b.resize(width, height)
		return b
	}
}

// startCheck starts a check of the log.
func (b *harness) startCheck(prove func(context.Context) error, met func() []Finding) {
	b.t.Helper()
	b.console.check = task.NewLogCheck(prove, met, 0)
	b.run(b.console.check.Start(&b.console.scene))
}

var altered = []Finding{{Found: "Record 4: The record is not the one that was logged.", Advice: "Restore it from a backup or an export."}}

func TestDamageThatComesWhileTheConsoleIsOpenIsToldWithinAMinute(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(t), 120, 40)
	var met, damage []Finding
	checks := 0
	b.startCheck(func(context.Context) error { checks++; met = damage; return nil }, func() []Finding { return met })
	damage = altered
	b.press("shows ✓ log checked", "decide", "read", "type recor", "shows ✓ log checked")
	if checks != 1 {
		t.Errorf("%d checks at first", checks)
	}
	b.clock = b.clock.Add(30 * time.Second)
	b.pass(b.over, 30*time.Second)
	b.press("at findings", "shows Record 4: The record is not the one that was logged.", "enter", "type d", "enter", "shows recording is off", "records 0")
	b.clock = b.clock.Add(time.Hour)
	b.pass(b.over, time.Second)
	if checks != 2 {
		t.Errorf("%d checks", checks)
	}
}

func TestAPanicInTheCheckEndsTheConsoleInAnOrderlyWay(t *testing.T) {
	b := newHarness(t, workbenchtest.Sample(t), 80, 24)
	b.startCheck(func(context.Context) error { panic("a secret") }, nil)
	if b.console.failed == nil || strings.Contains(b.console.failed.Error(), "secret") || !b.quit {
		t.Errorf("%v, quit %v", b.console.failed, b.quit)
	}
}

// noting begins with notes that come to the console.
func noting(notes ...Note) beginning {
	return func(t *testing.T, width, height int) *harness {
		t.Helper()
		b := newHarness(t, workbenchtest.Sample(t), width, height)
		b.console.notes = func(context.Context) (note Note, more bool) {
			if len(notes) == 0 {
				return Note{}, false
			}
			note, notes = notes[0], notes[1:]
			return note, true
		}
		return b
	}
}

func TestWithoutNotesNothingWaits(t *testing.T) {
	if c := newHarness(t, workbenchtest.Sample(t), 120, 40).console; c.notes.Await(&c.scene) != nil {
		t.Error("something waits for notes")
	}
}
