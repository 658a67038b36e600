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

func TestWaysOfErasing(t *testing.T) {
	walks(t, []walk{
		{"erasing lists first what stays and takes reason and word", nil, 100, 40, way{"open AC-2041",
			"E", "shows To be erased: the texts of AC-2041 revision 2.",
			"shows caseHash and scopeHash stay", "shows Bundles and backups", "shows What is erased?",
			"enter", "shows Why?", "shows a court or an authority ordered it", "enter",
			"shows Type erase to erase it for good",
			"shows From now on the revision takes blocked records only.", "type eras", "enter",
			func(b *harness) { b.erases(b.over) }, "type e", "enter",
			func(b *harness) { b.erases(b.over, textsOf2041) },
			"shows erased; a signed statement of the erasure is kept", "shows erased on 2026-03-02, "}},
		{"the page of a record and the list show each erasure with time and reason", nil, 120, 40, way{
			"erase statement", "down", "enter", "enter", "type erase", "enter", "somewhere Erased",
			"somewhere erased 2026-03-02 09:00Z: a person whom it is about asked for it",
			"esc", "shows ∅ erased"}},
		{"each erasure lists what stays", nil, 100, 40, way{"begun", "open AC-2041", "E", "down",
			"shows To be erased: the draft on AC-2041 revision 1.", "hides caseHash", "enter", "enter",
			"type erase", "enter",
			func(b *harness) {
				b.erases(b.over, records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "AC-2041", Number: 1}, Reason: records.ErasedOnRequest})
			},
			"R", "hides draft"}},
		{"the erasure word counts only once the page was on the screen", nil, 40, 12, way{"open AC-2041",
			"E", "enter", "enter", "type erase", "enter", "shows not shown yet",
			func(b *harness) { b.erases(b.over) }, "20 down", "type erase", "enter",
			func(b *harness) { b.erases(b.over, textsOf2041) }}},
	})
}

func TestAPasteAndEarlyKeysDoNotAnswerTheDialog(t *testing.T) {
	b, workbench := sample(t, 100, 40)
	b.press("open AC-2041", "E", "burst esc")
	b.hides("Nothing is erased") // it came too early
	early := func(names ...string) {
		for _, name := range names {
			b.clock = b.clock.Add(10 * time.Millisecond)
			b.send(keyMsg(name))
		}
	}
	early("enter", "enter", "e", "r", "a", "s", "e", "enter")
	b.press("shows What is erased?", "enter")
	early("enter", "enter")
	b.press("shows Why?", "enter")
	early("e", "r", "a", "s", "e", "enter")
	b.shows("this page has only just opened")
	b.clock = b.clock.Add(time.Second)
	b.press("paste erase", "shows pasted text does not count; type it", "enter")
	b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("erase")})
	b.press("enter")
	b.erases(workbench)
	b.press("esc", "esc", "esc", "shows Nothing is erased")
	b.erases(workbench)
}

func TestCtrlCCancelsAnErasureBeforeItIsWrittenAndNotAfter(t *testing.T) {
	for _, written := range []bool{false, true} {
		t.Run(fmt.Sprint(written), func(t *testing.T) {
			b, workbench := sample(t, 100, 40)
			b.press("open AC-2041", "E", "enter", "enter", "type erase", "hold", "enter")
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
		b.press("E", "shows the log was changed", "hides What is erased?")
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
