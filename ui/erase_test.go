package ui

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// eraseStatement opens the dialog on a record with a statement.
func eraseStatement(b *harness, _ *workbenchtest.Workbench) {
	b.t.Helper()
	b.press("open AC-2041", "d", "choose close unresolved")
	b.press("enter", "enter", "type the second receipt is of another order", "enter", "review")
	b.press("record", "esc", "r", "enter", "E")
}

func (b *harness) erases(workbench *workbenchtest.Workbench, want ...records.Erasure) {
	b.t.Helper()
	if got := workbench.Erasures(); fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Fatalf("erased: %v, want %v", got, want)
	}
}

var textsOf2041 = records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "AC-2041", Number: 2}, Reason: records.ErasedOnRequest}

func TestErasingListsFirstWhatStaysAndTakesReasonAndWord(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("open AC-2041", "E")
	b.shows("To be erased: the texts of AC-2041 revision 2.", "caseHash and scopeHash stay", "Bundles and backups", "What is erased?")
	b.press("enter")
	b.shows("Why?", "a court or an authority ordered it")
	b.press("enter")
	b.shows("Type erase to erase it for good", "From now on the revision takes blocked records only.")
	b.press("type eras", "enter")
	b.erases(workbench)
	b.press("type e", "enter")
	b.erases(workbench, textsOf2041)
	b.shows("erased; a signed statement of the erasure is kept", "erased on 2026-03-02, ")
}

func TestThePageOfARecordAndTheListShowEachErasureWithTimeAndReason(t *testing.T) {
	b, _ := sample(t, 120, 40)
	eraseStatement(b, nil)
	b.press("down", "enter", "enter", "type erase", "enter")
	b.shows("Erased", "statement", "erased 2026-03-02 09:00Z: a person whom it is about asked for it")
	b.press("esc")
	b.shows("∅ erased")
}

func TestEachErasureListsWhatStays(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	workbench.Keep(packets.Key{ID: "AC-2041", Number: 1}, older)
	b.press("open AC-2041", "E", "down")
	b.shows("To be erased: the draft on AC-2041 revision 1.")
	b.hides("caseHash")
	b.press("enter", "enter", "type erase", "enter")
	b.erases(workbench, records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "AC-2041", Number: 1}, Reason: records.ErasedOnRequest})
	b.press("R")
	b.hides("draft")
}

func TestAPasteAndEarlyKeysDoNotAnswerTheDialog(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("open AC-2041", "E")
	b.send(keyMsg("esc"))
	b.hides("Nothing is erased") // it came too early
	early := func(names ...string) {
		for _, name := range names {
			b.clock = b.clock.Add(10 * time.Millisecond)
			b.send(keyMsg(name))
		}
	}
	early("enter", "enter", "e", "r", "a", "s", "e", "enter")
	b.shows("What is erased?")
	b.press("enter")
	early("enter", "enter")
	b.shows("Why?")
	b.press("enter")
	early("e", "r", "a", "s", "e", "enter")
	b.shows("this page has only just opened")
	b.clock = b.clock.Add(time.Second)
	b.paste("erase")
	b.shows("pasted text does not count; type it")
	b.press("enter")
	b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("erase")})
	b.press("enter")
	b.erases(workbench)
	b.press("esc", "esc", "esc")
	b.shows("Nothing is erased")
	b.erases(workbench)
}

func TestTheErasureWordCountsOnlyOnceThePageWasOnTheScreen(t *testing.T) {
	b, workbench := sample(t, 40, 12)
	b.press("open AC-2041", "E", "enter", "enter", "type erase", "enter")
	b.shows("not shown yet")
	b.erases(workbench)
	for range 20 {
		b.press("down")
	}
	b.press("type erase", "enter")
	b.erases(workbench, textsOf2041)
}

func TestCtrlCCancelsAnErasureBeforeItIsWrittenAndNotAfter(t *testing.T) {
	for _, written := range []bool{false, true} {
		t.Run(fmt.Sprint(written), func(t *testing.T) {
			b, workbench := sample(t, 100, 40)
			b.press("open AC-2041", "E", "enter", "enter", "type erase")
			b.hold = true
			b.press("enter")
			erase := b.held[0]
			workbench.Signing = func(ctx context.Context) error {
				if !written {
					b.console.Update(keyMsg("ctrl+c"))
				}
				return context.Cause(ctx)
			}
			answer := erase()
			if written {
				b.console.Update(keyMsg("ctrl+c"))
			}
			b.hold, b.held = false, nil
			b.send(answer)
			if written {
				b.erases(workbench, textsOf2041)
			} else {
				b.erases(workbench)
			}
			if b.quit == written {
				t.Errorf("quit: %v", b.quit)
			}
		})
	}
}

func TestAReadOnlyConsoleErasesNothing(t *testing.T) {
	for _, why := range []func(*screen.Scene){
		func(s *screen.Scene) { s.Locked = "the log was changed" },
		func(s *screen.Scene) { s.Keyless = "the log was changed" },
	} {
		b, workbench := sample(t, 100, 40)
		b.press("open AC-2041")
		why(&b.console.scene)
		b.press("E")
		b.shows("the log was changed")
		b.hides("What is erased?")
		b.erases(workbench)
	}
}

func TestAnErrorOfAnErasureIsShown(t *testing.T) {
	for _, c := range []struct {
		err   error
		shows []string
	}{
		{&records.Refusal{Reason: "the log is read-only"}, []string{"Nothing is erased", "the log is read-only"}},
		{errors.New("the disk is full"), []string{"It could not be erased", "the disk is full"}},
		{fmt.Errorf("%w bytes of it may be left", records.ErrErased), []string{"Erased, but not all is done", "bytes of it may be left"}},
	} {
		b, workbench := sample(t, 100, 40)
		b.press("open AC-2041", "E", "enter", "enter", "type erase")
		workbench.Refusing = c.err
		b.press("enter")
		b.shows(c.shows...)
	}
}
