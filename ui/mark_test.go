package ui

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/mark"
)

// marked lists the ids of the rows that show a mark.
func (b *harness) marked() string {
	b.t.Helper()
	var ids []string
	for _, l := range strings.Split(b.frame(), "\n") {
		if !strings.HasPrefix(l, " ●") && !strings.HasPrefix(l, "❯●") {
			continue
		}
		for _, word := range strings.Fields(l) {
			if strings.HasPrefix(word, "AC-") || strings.HasPrefix(word, "AM-") {
				ids = append(ids, word)
				break
			}
		}
	}
	return strings.Join(ids, " ")
}

func (b *harness) wantMarked(ids string) {
	b.t.Helper()
	if got := b.marked(); got != ids {
		b.t.Fatalf("marked are %q, not %q:\n%s", got, ids, b.frame())
	}
}

// numbered is a workbench with so many cases, AC-0000001 the most urgent.
func numberedCases(count int) *workbenchtest.Workbench {
	d := workbenchtest.New()
	d.Add(terms.AppealPolicies, workbenchtest.AppealPolicy(), nil)
	for i := range count {
		d.Add(terms.AppealCases, workbenchtest.Case(fmt.Sprintf("AC-%d", 1001+i), time.Duration(100+i)*time.Hour), nil)
	}
	return d
}

func TestSpaceMarksAndUnmarksAndGoesDown(t *testing.T) {
	b := newHarness(t, numberedCases(6), 120, 40)
	b.press("space", "j", "space")
	b.wantMarked("AC-1001 AC-1003")
	b.shows("● 2 marked · s skip · y copy ids")
	b.press("k", "space")
	b.wantMarked("AC-1001")
	b.press("G", "space")
	b.wantMarked("AC-1001 AC-1006")
}

func TestShiftWithAnArrowMarksAsFarAsTheCursorGoes(t *testing.T) {
	b := newHarness(t, numberedCases(8), 120, 40)
	b.press("j", "shift+down", "shift+down")
	b.wantMarked("AC-1002 AC-1003 AC-1004")
	b.press("shift+up")
	b.wantMarked("AC-1002 AC-1003")
	b.press("shift+up", "shift+up")
	b.wantMarked("AC-1001 AC-1002")
	b.press("G")
	b.wantMarked("AC-1001 AC-1002")
	b.press("shift+up")
	b.wantMarked("AC-1001 AC-1002 AC-1007 AC-1008")
}

func TestARangeFollowsTheCursorUntilItIsEnded(t *testing.T) {
	b := newHarness(t, numberedCases(8), 120, 40)
	b.press("space", "j", "j", "V", "j", "pgdown")
	b.wantMarked("AC-1001 AC-1004 AC-1005 AC-1006 AC-1007 AC-1008")
	b.press("k", "k", "g")
	b.wantMarked("AC-1001 AC-1002 AC-1003 AC-1004")
	b.press("j", "j", "V", "G")
	b.wantMarked("AC-1001 AC-1003 AC-1004")
	b.press("V", "k")
	b.wantMarked("AC-1001 AC-1003 AC-1004 AC-1007 AC-1008")
	b.press("esc")
	b.wantMarked("AC-1001 AC-1003 AC-1004")
	b.press("esc")
	b.wantMarked("")
}

func TestEscapeTakesTheMarksOffBeforeItDropsTheFilter(t *testing.T) {
	b := newHarness(t, numberedCases(6), 120, 40)
	b.press("/", "type AC-1003", "enter", "space", "esc")
	b.wantMarked("")
	b.shows("1 of 6")
	b.press("esc")
	b.hides("1 of 6")
	b.press("esc")
	b.shows("this is the queue; q quits")
}

func TestAllRowsThatTheFilterShowsAreMarkedAndHiddenMarksAreCounted(t *testing.T) {
	b := newHarness(t, numberedCases(12), 120, 40)
	b.press("/", "type AC-101", "enter", "*")
	b.wantMarked("AC-1010 AC-1011 AC-1012")
	b.press("/", "type 1", "enter")
	b.wantMarked("AC-1011")
	b.shows("3 marked, 2 of them hidden by the filter")
	b.press("*")
	b.shows("2 marked, 2 of them hidden by the filter")
	b.press("/", "ctrl+u", "enter")
	b.wantMarked("AC-1010 AC-1012")
	b.hides("hidden by the filter")
	b.press("*", "*")
	b.wantMarked("")
}

func TestMarksStayWhileTheQueueIsSortedReadAgainAndLeft(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("space", "j", "space")
	marked := b.marked()
	b.press("o")
	if got := b.marked(); len(strings.Fields(got)) != 2 || !strings.Contains(got, strings.Fields(marked)[0]) || !strings.Contains(got, strings.Fields(marked)[1]) {
		t.Errorf("after sorting %q are marked, not %q", got, marked)
	}
	b.press("o", "o")
	workbench.Add(terms.AppealCases, workbenchtest.Case("AC-0001", time.Hour), nil)
	b.press("R")
	b.wantMarked(marked)
	b.press("tab")
	b.wantMarked("")
	b.hides("marked")
	b.press("tab", "r", "esc", "enter", "esc")
	b.wantMarked(marked)
}

func TestAMarkEndsWithItsRevisionAndThatIsSaid(t *testing.T) {
	workbench := numberedCases(4)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space")
	next := workbenchtest.Case("AC-1001", 100*time.Hour)
	next["revision"] = 2
	workbench.Add(terms.AppealCases, next, nil)
	b.pass(workbench, 0)
	b.wantMarked("AC-1002")
	b.shows("1 marked, 1 mark ended: a newer revision has come")
	b.press("esc")
	b.hides("marked", "mark ended")
}

func TestNoMoreCasesAreMarkedThanGoTogether(t *testing.T) {
	b := newHarness(t, manyCases(mark.Most+2), 120, 40)
	b.press("*")
	b.shows("at most 1,000 cases can be marked at once; / shows fewer")
	b.wantMarked("")
	b.press("V", "G")
	b.shows("at most 1,000 cases can be marked at once")
	b.press("g")
	if got := len(strings.Fields(b.marked())); got != 1 {
		t.Errorf("%d are marked", got)
	}
	b.press("j", "V")
	for range 60 {
		b.press("pgdown")
	}
	b.hides("● 1,002 marked", "● 1,001 marked")
}

func TestMarkedCasesAreSkippedWithOneReasonAndTakenBackTogether(t *testing.T) {
	b := newHarness(t, numberedCases(6), 120, 40)
	b.press("space", "j", "space", "s")
	b.shows("Skip 2 cases", "The one reason stays on this machine")
	b.press("enter")
	b.shows("a reason is needed")
	b.press("type waiting for the school", "enter")
	b.shows("2 cases are skipped", "2 skipped", "4 open")
	b.wantMarked("")
	b.press("G", "space", "k", "shift+up", "s")
	b.shows("Skip 1 case", "Passed over: AC-1001: it is", "skipped already; AC-1003: it is skipped already.")
	b.press("esc", "esc", "G", "shift+up", "s")
	b.shows("2 skips are undone", "6 open")
}

func TestADecidedCaseAmongTheMarkedIsPassedOverByItsID(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	workbench.Decide("AC-2041", 0)
	b.press("R", "g", "space", "/", "type AC-2041", "enter", "space", "s")
	b.shows("Skip 1 case", "Passed over: AC-2041: it is")
	b.press("esc", "esc", "space", "s")
	b.shows("none of the marked cases can be skipped: AC-2041: it is decided")
}

func TestASkipOfMarkedCasesThatFailsLeavesThemMarked(t *testing.T) {
	workbench := numberedCases(4)
	b := newHarness(t, workbench, 120, 40)
	b.press("space", "space", "s", "type later")
	workbench.Failing = errors.New("the disk is full")
	b.press("enter")
	b.shows("Not skipped", "the disk is full")
	workbench.Failing = nil
	b.press("enter", "R")
	b.wantMarked("AC-1001 AC-1002")
	b.shows("4 open")
}

func TestMarkedIdsAreCopiedOneALine(t *testing.T) {
	b := newHarness(t, numberedCases(12), 120, 40)
	out := &writes{}
	b.console.clipboard = plainClipboard(out)
	b.press("space", "j", "space", "/", "type AC-1009", "enter", "space", "y")
	b.shows("3 marked ids", "AC-1001 AC-1003 AC-1009")
	b.press("enter")
	b.shows("copied: 3 marked ids")
	want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("AC-1001\nAC-1003\nAC-1009")) + "\x07"
	if len(out.all) != 1 || out.all[0] != want {
		t.Errorf("copied %q", out.all)
	}
	b.press("y", "2")
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("AC-1009")) + "\x07"; len(out.all) != 2 || out.all[1] != want {
		t.Errorf("copied %q", out.all)
	}
}

func TestNothingIsMarkedInAnEmptyListAndALetterOfAFilterMarksNothing(t *testing.T) {
	b := newHarness(t, workbenchtest.New(), 120, 40)
	b.press("space", "V", "*", "shift+down")
	b.shows("The list is empty")
	b = newHarness(t, numberedCases(3), 120, 40)
	b.press("/", "type V* ", "space")
	b.hides("marked")
}
