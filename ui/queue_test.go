package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/rules"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
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
	b := startHarness(t, workbenchtest.Sample(t), 80, 24)
	b.hold = true
	b.run(b.console.Init())
	b.press("shows Reading the queue …", "release", "shows AC-2041")
}

func TestWaysThroughTheQueue(t *testing.T) {
	walks(t, []walk{
		{"an empty queue says how to fill it", over(workbenchtest.New), 80, 24, way{
			"shows no appeals here yet", "shows docket import", "enter", "at queue",
			"shows The list is empty"}},
		{"unreadable rows stay in the queue and are blocked", nil, 200, 40, way{"/", "type AC-1999",
			"enter", "shows ✗ BLOCKED", "shows ? unreadable", "shows its digests", "enter",
			"at queue", "shows this packet cannot be read"}},
		{"the filter works while it is typed", nil, 120, 40, way{"/", "type blocker:notice_m",
			"shows AC-2042", "shows 1 of 14", "hides AC-2041", "enter", "at queue",
			"shows / blocker:notice_m", "esc", "shows AC-2041", "hides blocker:notice_m"}},
		{"a filter by blocker shows that blocker first", nil, 80, 24, way{
			"to AC-2049", "shows private_detail", "/", "type blocker:safety", "enter", "shows safety_blocker_waiver_attempted +2", "esc"}},
		{"the assignee is named by id where there is room", nil, 200, 50, way{"shows rev-adeyemi"}},
		{"nothing is new before something came in", nil, 120, 40, way{
			"hides new since", "R", "hides new since", "/", "type is:new", "shows 0 of 14", "esc"}},
		{"what another process imported is counted and found", nil, 120, 40, way{
			func(b *harness) {
				came := workbenchtest.Case("AC-3001", 9)
				came["revision"] = 7 // which came in after the console was opened
				b.over.Add(terms.AppealCases, came, nil)
			},
			"R", "shows 1 new since 10:00", "/", "type is:new", "shows 1 of 15", "shows AC-3001", "esc", "R", "hides new since"}},
		{"a wrong filter is explained without losing the list", nil, 120, 40, way{
			"/", "type gate:pass due:soon", "shows due: takes", "shows AC-2041",
			"hides AC-2042", "enter", "at filter", "esc", "shows AC-2042"}},
		{"a word that matches nothing says how to look in the texts", nil, 80, 24, way{"/",
			"type wellwater", "shows 0 of 14", "shows text: before", "ctrl+u", "type text:wellwater",
			"shows 0 of 14", "shows Nothing matches the filter.", "hides before it"}},
		{"assigned to me is counted once it is known who I am", nil, 120, 40, way{
			"shows 11 mine", "/", "type is:mine", "hides AC-2046", "shows AC-2041"}},
		{"a skip needs a reason and is taken back by the same key", nil, 120, 40, way{"j", "s", "enter",
			"shows a reason is needed", "type waiting for the notice", "enter", "shows 2 skipped",
			"shows s undoes it", "on AC-2042", "/", "type is:skipped AC-2041", "enter",
			"shows waiting for the notice", "s", "esc", "shows 1 skipped"}},
		{"a skip that fails is reported", nil, 120, 40, way{"s", "type later", "fail the disk is full",
			"enter", "shows Not skipped", "shows the disk is full"}},
		{"the cursor stays on its case when the queue is read again or sorted", nil, 120, 40, way{
			"j", "j",
			func(b *harness) { b.over.Add(terms.AppealCases, workbenchtest.Case("AC-0001", time.Hour), nil) },
			"R", "on AC-2042", "o", "o", "o", "o", "shows sorted by id", "on AC-2042"}},
		{"quitting asks nothing in the queue", nil, 80, 24, way{"q", "quits"}},
		{"quitting asks nothing in a decision in which nothing was chosen", nil, 80, 24, way{"open AC-2041", "d", "ctrl+c", "quits"}},
		{"quitting asks in a decision that is under way, and starts on no", nil, 80, 24, way{
			"open AC-2041", "d", "space", "ctrl+c", "shows Leave docket?", "shows It is kept as a",
			"enter", "stays", "q", "burst yy", "stays", "y", "quits"}},
		{"suspending hands the terminal back", nil, 80, 24, way{"ctrl+z",
			func(b *harness) { same(b.t, "suspensions", b.suspends, 1) }}},
		{"changes that cannot be read say so and keep the queue", nil, 120, 40, way{
			"fail the store is locked", "pass 0s", "shows could not be read again",
			"shows the store is locked", "shows AC-2044"}},
		{"a corrected case is closed once it has its record", over(closing), 120, 40, way{
			"open AC-2045", "pgdown", "d", "choose correct record", "review", "record", "esc",
			"esc", "G", "shows ■ closed", "shows 5 closed", "shows 1 decided",
			"hides ◇ no record", "/", "type is:closed", "enter", "shows 5 of 6"}},
		{"a case that another console decided shows so without a key", nil, 120, 40, way{
			"shows 0 decided", "decided AC-2041", "pass 0s", "shows 1 decided"}},
		{"a skipped case comes back with its next revision", nil, 120, 40, way{
			"open AC-2043", "s", "type waiting for the second receipt", "enter",
			"shows ↷ skipped: waiting for the second receipt", "esc", "esc", "G", "shows 2 skipped",
			func(b *harness) { revise(b.over, "AC-2043", 2, 39*time.Hour) },
			"R", "shows 1 skipped", "open AC-2043", "shows revision 2", "hides ↷", "[",
			"shows revision 1 of 2", "shows ↷ skipped: waiting for the second receipt"}},
		{"skipped and decided rows come last with their state", nil, 120, 40, way{
			"G", "on AC-2047", "on ↷ skipped", "decide", "record", "esc", "esc", "G", "on AC-2041",
			"on ■ waits", "shows 1 decided"}},
		{"nothing is announced if nothing is due", numbered(3), 120, 40, way{"hides due today", "hides overdue"}},
	})
}

func TestAQueueThatCannotBeReadSaysWhyAndIsReadAgain(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	workbench.Failing = errors.New("the store is locked by another program")
	b := newHarness(t, workbench, 80, 24)
	b.press("shows cannot be read", "shows the store is locked by another program",
		"reads R tries again", "fail", "R", "shows AC-2041", "fail the store is gone", "R",
		"shows the store is gone", "shows earlier state", "enter", "shows AC-2041")
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
	b.press("burst /AC-2043", "shows 1 of 14")
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

func TestOnlyTheRowsInTheWindowAreDrawn(t *testing.T) {
	b := newHarness(t, manyCases(t, 100_000), 120, 40)
	b.press("G", "shows AC-0099999")
	allocated := testing.AllocsPerRun(10, func() { b.console.draw() })
	if allocated > 5000 {
		t.Errorf("drawing a frame of a long queue allocates %.0f times", allocated)
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

// dueCases is a workbench with two cases overdue, one due in two hours, one due in 20 hours and one that is closed and overdue, at 09:00 UTC.
func dueCases(t testing.TB) *workbenchtest.Workbench {
	d := workbenchtest.New(t)
	for id, left := range map[string]time.Duration{"AC-1": -time.Hour, "AC-2": -time.Minute, "AC-3": 2 * time.Hour, "AC-4": 20 * time.Hour} {
		d.Add(terms.AppealCases, workbenchtest.Case(id, left), nil)
	}
	closed := workbenchtest.Case("AC-5", -time.Hour)
	closed["status"] = "dismissed"
	d.Add(terms.AppealCases, closed, nil)
	return d
}

func TestDueCasesAreAnnouncedOnceADayAndNotAtEachReading(t *testing.T) {
	workbench := dueCases(t)
	b := newHarness(t, workbench, 120, 40)
	b.press("shows ▲ 2 cases are overdue, 1 case is due today", "j", "hides overdue, ", "R",
		"hides overdue, ", "pass 1h", "hides overdue, ")
	b.pass(workbench, 13*time.Hour+30*time.Minute) // 23:30 UTC, half past midnight in the reviewer's zone
	b.press("shows ▲ 3 cases are overdue, 1 case is due today", "j", "pass 1h", "hides overdue, ")
}
