package ui

import (
	"strings"
	"testing"

	"docket/domain"
	"docket/ui/internal/desktest"

	tea "github.com/charmbracelet/bubbletea"
)

// slowly is a console whose commands wait, with the sample on the screen.
func slowly(t *testing.T) (*bench, *desktest.Desk) {
	t.Helper()
	b, desk := sample(t, 120, 40)
	b.hold, b.console.atOnce = true, 0 // as for a docket that is too long to be filtered at once
	return b, desk
}

// answers runs the commands that wait, those that come of them included, but none that come of later keys.
func (b *bench) answers() {
	b.t.Helper()
	b.release()
	b.hold = true
}

func TestWhileAFilterIsCarriedOutTheRowsBeforeItShow(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("gate:pass")
	b.shows("/ gate:pass", "AC-2044", "14 of 14")
	b.answers()
	b.shows("/ gate:pass", "AC-2041", "6 of 14")
	b.hides("AC-2044")
}

func TestTheAnswerToAnOlderFilterIsDropped(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("A")
	older := b.held
	b.held = nil
	b.typeText("C-2043")
	if len(b.held) != 0 {
		t.Fatal("two commands sift at once")
	}
	b.held = nil
	b.hold = false
	for _, cmd := range older {
		_, next := b.console.Update(cmd())
		if n := len(b.console.queue.docket().shown); n != 14 {
			t.Fatalf("the older answer shows %d rows", n)
		}
		b.run(next)
	}
	b.shows("1 of 14", "AC-2043")
}

func TestAKeyThatIsMeantForARowWaitsForTheRowsOfTheFilter(t *testing.T) {
	for name, keys := range map[string][]string{"Enter opens it": {"enter", "enter"}, "after a move": {"down", "up", "enter", "enter"}} {
		t.Run(name, func(t *testing.T) {
			b, _ := slowly(t)
			b.press("/")
			b.typeText("AC-2043")
			b.press(keys...)
			if top := b.console.top().place(); top != inQueue && top != inFilter {
				t.Fatalf("a packet is open: %s", placeNames[top])
			}
			b.hold = false
			b.release()
			b.at(inPacket)
			b.shows("case AC-2043 revision 1")
		})
	}
}

func TestKeysThatWaitAreNotForWhatComesUpMeanwhile(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("AC-2043")
	b.press("enter", "enter")
	b.console.overlay = &bulletin{about: "Something", text: "has happened"}
	b.hold = false
	b.release()
	b.shows("has happened")
	b.at(inQueue)
}

func TestControlCDoesNotWait(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("AC-2043")
	b.press("enter", "j", "ctrl+c")
	if !b.console.closing {
		t.Error("it waits")
	}
}

func TestWhatIsJudgedAgainWhileTheDocketIsReadIsTakenAfterwards(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("is:skipped")
	d := b.console.queue.docket()
	at, _ := d.queue.Find("AC-2043")
	row := d.queue.Row(at)
	row.Skipped = "it waits"
	writes := d.queue.Writes()
	b.send(queueChanged{area: domain.Appeals, rows: []domain.QueueRow{row}})
	if d.queue.Writes() != writes {
		t.Fatal("a docket is written to that a command reads")
	}
	b.hold = false
	b.release()
	b.shows("AC-2043", "2 of 14", "2 skipped")
	if d.lent != 0 || len(d.waiting) != 0 {
		t.Errorf("%d commands read it, %d changes wait", d.lent, len(d.waiting))
	}
}

func TestAMoveWhileTheQueueIsSortedAnewKeepsItsCase(t *testing.T) {
	b, _ := slowly(t)
	b.press("o", "j", "j")
	here, _ := b.console.queue.docket().selected()
	b.hold = false
	b.release()
	if now, _ := b.console.queue.docket().selected(); now.ID != here.ID {
		t.Errorf("the cursor went from %s to %s", here.ID, now.ID)
	}
}

func TestTheTwoDocketsAreSiftedApart(t *testing.T) {
	b, _ := slowly(t)
	b.press("o", "tab", "/")
	b.typeText("AM-311")
	b.hold = false
	b.release()
	b.shows("AM-311")
	b.press("esc", "tab")
	b.shows("AC-2041", "AC-2044")
	if strings.Contains(b.frame(), "/ AM") {
		t.Error("the filter is the other docket's")
	}
	for _, area := range domain.Areas.All() {
		if d := b.console.queue.dockets[area]; d.behind() || d.sifting || d.lent != 0 {
			t.Errorf("%s: generation %d, shows %d, lent %d", area, d.generation, d.shows, d.lent)
		}
	}
}

func TestAQueueThatMakesRoomDropsWhatWasBeingSifted(t *testing.T) {
	b, _ := slowly(t)
	b.press("/")
	b.typeText("AC-2043")
	d := b.console.queue.docket()
	d.drop()
	b.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	b.hold = false
	b.release()
	if d.queue.Len() != 0 || len(d.shown) != 0 || d.behind() {
		t.Errorf("%d rows, %d of them show", d.queue.Len(), len(d.shown))
	}
}

func TestAShortDocketIsFilteredBeforeTheNextFrame(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.hold = true
	b.press("/")
	b.typeText("gate:pass")
	b.shows("/ gate:pass", "AC-2041", "6 of 14")
	b.hides("AC-2044")
	b.press("down", "enter", "j")
	b.shows("6 of 14")
	if len(b.held) != 0 {
		t.Errorf("%d commands were needed", len(b.held))
	}
	b.console.atOnce = 13 // one row more is too many
	b.press("/")
	b.typeText(" AC-2041")
	if b.shows("/ gate:pass AC-2041", "6 of 14"); len(b.held) == 0 {
		t.Error("a docket of 14 rows is filtered at once where 13 are the most")
	}
}
