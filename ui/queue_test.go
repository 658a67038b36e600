package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"

	tea "github.com/charmbracelet/bubbletea"
)

// cursor returns the line with the cursor.
func (b *harness) cursor() string {
	b.t.Helper()
	for _, l := range strings.Split(b.frame(), "\n") {
		if strings.HasPrefix(l, "❯ ") {
			return l
		}
	}
	b.t.Fatalf("there is no cursor:\n%s", b.frame())
	return ""
}

func TestTheFirstFrameDoesNotWaitForTheWorkbench(t *testing.T) {
	b := startHarness(t, workbenchtest.Sample(), 80, 24)
	b.hold = true
	b.run(b.console.Init())
	b.shows("Reading the queue …")
	b.release()
	b.shows("AC-2041")
}

func TestAnEmptyQueueSaysHowToFillIt(t *testing.T) {
	b := newHarness(t, workbenchtest.New(), 80, 24)
	b.shows("no appeals here yet", "docket import")
	b.press("enter")
	b.at(action.InQueue)
	b.shows("The list is empty")
}

func TestAQueueThatCannotBeReadSaysWhyAndIsReadAgain(t *testing.T) {
	workbench := workbenchtest.Sample()
	workbench.Failing = errors.New("the store is locked by another program")
	b := newHarness(t, workbench, 80, 24)
	b.shows("cannot be read", "the store is locked by another program")
	b.reads("R tries again")
	workbench.Failing = nil
	b.press("R")
	b.shows("AC-2041")
	workbench.Failing = errors.New("the store is gone")
	b.press("R")
	b.shows("the store is gone", "earlier state")
	b.press("enter")
	b.shows("AC-2041")
}

func TestUnreadableRowsStayInTheQueueAndAreBlocked(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("/", "type AC-1999", "enter")
	b.shows("✗ BLOCKED", "? unreadable", "does not match its digests")
	b.press("enter")
	b.at(action.InQueue)
	b.shows("this packet cannot be read")
}

func TestSkippedAndDecidedRowsComeLastWithTheirState(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("G")
	if got := b.cursor(); !strings.Contains(got, "AC-2047") || !strings.Contains(got, "↷ skipped") {
		t.Errorf("the last line: %q", got)
	}
	b.press("decide", "record", "esc", "esc", "G")
	if got := b.cursor(); !strings.Contains(got, "AC-2041") || !strings.Contains(got, "■ waits") {
		t.Errorf("the last line: %q", got)
	}
	b.shows("1 decided")
}

func TestTheFilterWorksWhileItIsTyped(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("/", "type blocker:notice_m")
	b.shows("AC-2042", "1 of 14")
	b.hides("AC-2041")
	b.press("enter")
	b.at(action.InQueue)
	b.shows("/ blocker:notice_m")
	b.press("esc")
	b.shows("AC-2041")
	b.hides("blocker:notice_m")
}

func TestAWrongFilterIsExplainedWithoutLosingTheList(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("/", "type gate:pass due:soon")
	b.shows("due: takes", "AC-2041")
	b.hides("AC-2042")
	b.press("enter")
	b.at(action.InFilter)
	b.press("esc")
	b.shows("AC-2042")
}

func TestAWordThatMatchesNothingSaysHowToLookInTheTexts(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("/", "type wellwater")
	b.shows("0 of 14", "text: before")
	b.press("ctrl+u", "type text:wellwater")
	b.shows("0 of 14", "Nothing matches the filter.")
	b.hides("before it")
}

func TestArrowsMoveTheListWhileAFilterIsTyped(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("/", "type gate:pass")
	before := b.cursor()
	b.press("down")
	if b.cursor() == before {
		t.Error("the cursor did not move")
	}
}

func TestKeysThatArriveTogetherAreTakenOneByOneInAList(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.send(keyMsg("jjj"))
	together := b.cursor()
	apart, _ := sample(t, 120, 40)
	if apart.press("j", "j", "j"); apart.cursor() != together {
		t.Errorf("jjj moved to %q", together)
	}
	b.send(keyMsg("/AC-2043"))
	b.shows("1 of 14")
}

func TestAPasteIntoAListDoesNothing(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("j") // which clears the status
	before := b.frame()
	b.paste("jq")
	if b.frame() != before || b.quit {
		t.Error("a paste was taken for keys")
	}
}

func TestTheCursorStaysOnItsCaseWhenTheQueueIsReadAgainOrSorted(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("j", "j")
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-0001", time.Hour), nil)
	b.press("R")
	if !strings.Contains(b.cursor(), "AC-2042") {
		t.Errorf("after reading: %q", b.cursor())
	}
	b.press("o", "o", "o", "o")
	b.shows("sorted by id")
	if !strings.Contains(b.cursor(), "AC-2042") {
		t.Errorf("after sorting: %q", b.cursor())
	}
}

func TestAssignedToMeIsCountedOnceItIsKnownWhoIAm(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.shows("11 mine")
	b.press("/", "type is:mine")
	b.hides("AC-2046")
	b.shows("AC-2041")
}

func TestASkipNeedsAReasonAndIsTakenBackByTheSameKey(t *testing.T) {
	b, _ := sample(t, 120, 40)
	b.press("j", "s", "enter")
	b.shows("a reason is needed")
	b.press("type waiting for the notice", "enter")
	b.shows("2 skipped", "s undoes it")
	if !strings.Contains(b.cursor(), "AC-2042") {
		t.Errorf("the cursor is not on the case that came next: %q", b.cursor())
	}
	b.press("/", "type is:skipped AC-2041", "enter")
	b.shows("waiting for the notice")
	b.press("s", "esc")
	b.shows("1 skipped")
}

func TestASkipThatFailsIsReported(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("s", "type later")
	workbench.Failing = errors.New("the disk is full")
	b.press("enter")
	b.shows("Not skipped", "the disk is full")
}

func TestOnlyTheRowsInTheWindowAreDrawn(t *testing.T) {
	b := newHarness(t, manyCases(100_000), 120, 40)
	b.press("G")
	b.shows("AC-0099999")
	allocated := testing.AllocsPerRun(10, func() { b.console.draw() })
	if allocated > 5000 {
		t.Errorf("drawing a frame of a long queue allocates %.0f times", allocated)
	}
}

func TestQuittingAsksOnlyWhileADecisionIsUnderWay(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("q")
	if !b.quit {
		t.Error("q does not quit")
	}
	b, _ = sample(t, 80, 24)
	b.press("open AC-2041", "d", "ctrl+c")
	if !b.quit {
		t.Error("a decision in which nothing was chosen keeps the reader")
	}
	b, _ = sample(t, 80, 24)
	b.press("open AC-2041", "d", "space", "enter", "ctrl+c")
	b.shows("Leave docket?", "It is kept as a")
	b.press("enter")
	if b.quit {
		t.Error("the question does not start on no")
	}
	b.press("q")
	b.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("yy")})
	if b.quit {
		t.Error("keys that arrived together answered the question")
	}
	b.press("y")
	if !b.quit {
		t.Error("yes does not quit")
	}
}

func TestSuspendingHandsTheTerminalBack(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("ctrl+z")
	if b.suspends != 1 {
		t.Error("ctrl+z does not suspend")
	}
}

func TestTheBoardListsEveryCodeOfItsArea(t *testing.T) {
	b, _ := sample(t, 120, 60)
	for _, area := range terms.Areas.All() {
		if area == terms.Appeals {
			b.press("b")
		} else {
			b.press("tab")
		}
		for _, rule := range rules.Book(area) {
			b.shows(rule.Code.String())
		}
	}
}
