package ui

import (
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

var sampleKey = packets.Key{ID: "AC-2041", Number: 2}

// keptOn fails unless a draft is kept of the sample case, and returns it.
func keptOn(t *testing.T, workbench *workbenchtest.Workbench) records.KeptDraft {
	t.Helper()
	kept := workbench.Draft(sampleKey)
	if !kept.Present() {
		t.Fatal("no draft is kept")
	}
	return kept
}

func TestEachChangeOfADecisionIsKept(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d")
	if workbench.Draft(sampleKey).Present() {
		t.Error("a draft is kept before anything was chosen")
	}
	b.press("choose request evidence")
	if kept := keptOn(t, workbench); kept.Outcome != terms.RequestEvidence || kept.Step != "statement" || kept.Factors.Empty() {
		t.Errorf("kept %+v", kept)
	}
	b.press("factors", "space", "blockers", "space", "note", "type half a")
	kept := keptOn(t, workbench)
	if kept.Note != "half a" || kept.Added.Len() != 1 || kept.Factors.Has(terms.SpecificReviewedClaim) || kept.Step != "note" {
		t.Errorf("kept %+v", kept)
	}
}

func TestADraftGoesOnAtOnceWhenTheCaseIsDecidedAgain(t *testing.T) {
	_, workbench := sample(t, 80, 24)
	workbench.Keep(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired),
		Note: "a secret", Step: "note"})
	workbench.Pass(5 * time.Hour)
	b := newHarness(t, workbench, 80, 24)
	b.press("shows AC-2041 ✎", "open AC-2041", "shows ✎ draft: begun and saved", "hides a secret",
		"d", "at note", "shows a secret", "esc", "esc", "shows ● correct record")
}

func TestWaysThroughADraft(t *testing.T) {
	walks(t, []walk{
		{"the preview of a draft names no key that the queue lacks", keeping(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Step: "note"}), 180, 40, way{
			"open AC-2041", "shows begun and saved; d continues it", "esc", "at queue",
			"shows ✎ draft: begun and saved", "hides continues it"}},
		{"discarding a draft is an action of its own", keeping(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Step: "note"}), 80, 24, way{
			"open AC-2041", "X", "shows A draft of 09:00Z is kept: outcome correct record", "shows ❯ keep",
			"enter", "kept", "X", "y", "shows the draft is discarded", "hides ✎", "kept nothing", "X",
			"shows there is no draft here", "d", "8", "2", "X", "y", "at packet", "kept nothing"}},
		{"a draft of an earlier revision goes on as far as it can", keeping(packets.Key{ID: "AC-2041", Number: 1}, older), 120, 40, way{
			"open AC-2041", "shows begun on revision 1", "d", "shows [1 outcome]",
			"shows This was begun on revision 1", "shows open challenge window may no longer be recorded",
			"hides ●", "kept added notice_missing", "kept note ask the school"}},
		{"a decision that is left at once is kept before the next one begins", nil, 80, 24, way{
			"open AC-2041", "d", "hold", "space", "esc", ">", "d", "release",
			"kept outcome uphold decision"}},
		{"a draft is gone once its record is there", nil, 80, 24, way{
			"decide", "kept", "record", "at receipt", "kept nothing",
			func(b *harness) {
				if err := b.console.autosave.Flush(); err != nil || b.over.Draft(sampleKey).Present() {
					b.t.Errorf("the end of the program brings it back: %v", err)
				}
			},
			"esc", "esc", "hides ✎"}},
		{"changes wait for one another and the newest counts", nil, 80, 24, way{"open AC-2041", "d",
			"note", "hold", "type note",
			func(b *harness) { same(b.t, "commands that wait to keep four letters", len(b.held), 1) },
			func(b *harness) { b.release() },
			func(b *harness) { same(b.t, "kept", keptOn(b.t, b.over).Note, "note") }}},
		{"a record that has come in force since is shown", nil, 120, 40, way{"decide", "record",
			func(b *harness) {
				b.over.Keep(sampleKey, records.Draft{Outcome: terms.CorrectRecord, Factors: terms.SetOf(terms.HumanReviewRequired), Step: "note"})
			},
			"esc", "open AC-2041", "d",
			func(b *harness) { b.shows("[1 outcome]", "! Record ", "force now, and would be superseded") }}},
	})
}

func TestADraftThatCannotBeKeptSaysSoAndIsTriedAgainAtTheEnd(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d", "fail the disk is full", "choose correct record",
		"shows ✗ the draft could not be saved: the disk is full")
	if err := b.console.autosave.Flush(); err == nil {
		t.Error("the end of the program does not say so")
	}
	workbench.Failing = nil
	if err := b.console.autosave.Flush(); err != nil {
		t.Error(err)
	}
	keptOn(t, workbench)
}

func TestAPanicWhileDrawingDoesNotTakeTheDecisionWithIt(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d", "hold", "space")
	b.console.stage.Over = append(b.console.stage.Over, broken{})
	b.send(keyMsg("x"))
	if !b.console.stage.Closing || b.console.failed == nil {
		t.Fatal("it does not end")
	}
	if err := b.console.autosave.Flush(); err != nil {
		t.Error(err)
	}
	if kept := keptOn(t, workbench); !kept.Outcome.Present() {
		t.Errorf("kept %+v", kept)
	}
}

func TestAStatementIsInTheDraftWhileItIsTyped(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("open AC-2041", "d", "choose correct record", "statement")
	typed := ""
	for _, key := range []string{"t", "h", "e", "ctrl+j", "n", "e", "w", "backspace"} {
		b.press(key)
		switch key {
		case "ctrl+j":
			typed += "\n"
		case "backspace":
			typed = typed[:len(typed)-1]
		default:
			typed += key
		}
		if kept := keptOn(t, workbench); kept.Statement != strings.TrimSpace(typed) {
			t.Fatalf("%q is typed, %q kept", typed, kept.Statement)
		}
	}
	b.press("ctrl+c", "y")
	if err := b.console.autosave.Flush(); err != nil || keptOn(t, workbench).Statement != "the\nne" {
		t.Errorf("kept %+v: %v", keptOn(t, workbench), err)
	}
}
