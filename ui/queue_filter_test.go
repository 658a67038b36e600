package ui

import (
	"strings"
	"testing"

	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/widget"
)

// slowly is a console whose commands wait, with the sample on the screen.
func slowly(t *testing.T) (*harness, *workbenchtest.Workbench) {
	t.Helper()
	b, workbench := sample(t, 120, 40)
	b.hold, b.queue().AtOnce = true, 0 // as for a queue that is too long to be filtered at once
	return b, workbench
}

// answers runs the commands that wait, those that come of them included, but none that come of later keys.
func (b *harness) answers() {
	b.t.Helper()
	b.release()
	b.hold = true
}

func TestWhileAFilterIsCarriedOutTheRowsBeforeItShow(t *testing.T) {
	b, _ := slowly(t)
	b.press("/", "type gate:pass")
	b.shows("/ gate:pass", "AC-2044", "14 of 14")
	b.answers()
	b.shows("/ gate:pass", "AC-2041", "6 of 14")
	b.hides("AC-2044")
}

func TestTheAnswerToAnOlderFilterIsDropped(t *testing.T) {
	b, _ := slowly(t)
	b.press("/", "type A")
	older := b.held
	b.held = nil
	b.press("type C-2043")
	if len(b.held) != 0 {
		t.Fatal("two commands sift at once")
	}
	b.held = nil
	b.hold = false
	for _, cmd := range older {
		_, next := b.console.Update(cmd())
		if n := b.rows(); n != "14" {
			t.Fatalf("the older answer shows %s rows", n)
		}
		b.run(next)
	}
	b.shows("1 of 14", "AC-2043")
}

func TestAKeyThatIsMeantForARowWaitsForTheRowsOfTheFilter(t *testing.T) {
	for name, keys := range map[string][]string{"Enter opens it": {"enter", "enter"}, "after a move": {"down", "up", "enter", "enter"}} {
		t.Run(name, func(t *testing.T) {
			b, _ := slowly(t)
			b.press("/", "type AC-2043")
			b.press(keys...)
			if top := b.console.stage.Top().Place(); top != action.InQueue && top != action.InFilter {
				t.Fatalf("a packet is open: %s", action.PlaceNames[top])
			}
			b.hold = false
			b.release()
			b.at(action.InPacket)
			b.shows("case AC-2043 revision 1")
		})
	}
}

func TestWaitingKeysDoNotReachAScreenThatOpensMeanwhile(t *testing.T) {
	b, _ := slowly(t)
	b.press("/", "type AC-2043", "enter", "enter")
	b.run(widget.Alarm{About: "Something", Text: "has happened"}.CarryOut(b.console))
	b.hold = false
	b.release()
	b.shows("has happened")
	b.at(action.InQueue)
}

func TestControlCDoesNotWait(t *testing.T) {
	b, _ := slowly(t)
	b.press("/", "type AC-2043", "enter", "j", "ctrl+c")
	if !b.console.stage.Closing {
		t.Error("it waits")
	}
}

func TestAMoveWhileTheQueueIsSortedAnewKeepsItsCase(t *testing.T) {
	b, _ := slowly(t)
	b.press("o", "j", "j")
	here := b.caseHere()
	b.hold = false
	b.release()
	if now := b.caseHere(); now != here {
		t.Errorf("the cursor went from %s to %s", here, now)
	}
}

func TestTheTwoQueuesAreFilteredApart(t *testing.T) {
	b, _ := slowly(t)
	b.press("o", "tab", "/", "type AM-311")
	b.hold = false
	b.release()
	b.shows("AM-311")
	b.press("esc", "tab")
	b.shows("AC-2041", "AC-2044")
	if strings.Contains(b.frame(), "/ AM") {
		t.Error("the filter is the other docket's")
	}
}

func TestAShortQueueIsFilteredBeforeTheNextFrame(t *testing.T) {
	b, _ := sample(t, 109, 15) // no preview is read
	b.hold = true
	b.press("/", "type gate:pass")
	b.shows("/ gate:pass", "AC-2041", "6 of 14")
	b.hides("AC-2044")
	b.press("down", "enter", "j")
	b.shows("6 of 14")
	if len(b.held) != 0 {
		t.Errorf("%d commands were needed", len(b.held))
	}
	b.queue().AtOnce = 13 // one row more is too many
	b.press("/", "type  AC-2041")
	if b.shows("/ gate:pass AC-2041", "6 of 14"); len(b.held) == 0 {
		t.Error("a docket of 14 rows is filtered at once where 13 are the most")
	}
}
