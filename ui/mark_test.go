package ui

import (
	"encoding/base64"
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

// numbered begins over so many cases.
func numbered(count int) beginning {
	return over(func(t testing.TB) *workbenchtest.Workbench { return numberedCases(t, count) })
}

// numberedCases is a workbench with so many cases, AC-1001 the most urgent.
func numberedCases(t testing.TB, count int) *workbenchtest.Workbench {
	d := workbenchtest.New(t)
	for i := range count {
		d.Add(terms.AppealCases, workbenchtest.Case(fmt.Sprintf("AC-%d", 1001+i), time.Duration(100+i)*time.Hour), nil)
	}
	return d
}

func TestWaysOfMarking(t *testing.T) {
	walks(t, []walk{
		{"space marks and unmarks and goes down", numbered(6), 120, 40, way{"space", "j", "space",
			"marked AC-1001 AC-1003", "shows ● 2 marked · s skip · y copy ids", "k", "space",
			"marked AC-1001", "G", "space", "marked AC-1001 AC-1006"}},
		{"escape takes the marks off before it drops the filter", numbered(6), 120, 40, way{
			"/", "type AC-1003", "enter", "space", "esc", "marked ", "shows 1 of 6",
			"esc", "hides 1 of 6", "esc", "shows this is the queue; q quits"}},
		{"all rows that the filter shows are marked and hidden marks are counted", numbered(12), 120, 40, way{
			"/", "type AC-101", "enter", "*", "marked AC-1010 AC-1011 AC-1012", "/", "type 1", "enter",
			"marked AC-1011", "shows 3 marked, 2 of them hidden by the filter", "*",
			"shows 2 marked, 2 of them hidden by the filter", "/", "ctrl+u", "enter",
			"marked AC-1010 AC-1012", "hides hidden by the filter", "*", "*", "marked "}},
		{"marked cases are skipped with one reason and taken back together", numbered(6), 120, 40, way{
			"space", "j", "space", "s", "shows Skip 2 cases", "shows The one reason stays on this machine",
			"enter", "shows a reason is needed", "type waiting for the school", "enter",
			"shows 2 cases are skipped", "shows 2 skipped", "shows 4 open", "marked ", "G", "space", "up", "space",
			"up", "up", "space", "s", "shows Skip 1 case", "shows Passed over: AC-1001: it is",
			"shows already; AC-1003: it is skipped already.", "esc", "esc", "G", "space", "up", "space", "s",
			"shows 2 skips are undone", "shows 6 open"}},
		{"a decided case among the marked is passed over by its ID", nil, 120, 40, way{
			"decided AC-2041", "R", "g", "space", "/", "type AC-2041", "enter", "space", "s",
			"shows Skip 1 case", "shows Passed over: AC-2041: it is", "esc", "esc", "space",
			"s", "shows none of the marked cases can be skipped: AC-2041: it is decided"}},
		{"a skip of marked cases that fails leaves them marked", numbered(4), 120, 40, way{"space",
			"space", "s", "type later", "fail the disk is full", "enter", "shows Not skipped",
			"shows the disk is full", "fail", "enter", "R", "marked AC-1001 AC-1002", "shows 4 open"}},
		{"nothing is marked in an empty list", over(workbenchtest.New), 120, 40, way{
			"space", "*", "shows The list is empty"}},
		{"a letter of a filter marks nothing", numbered(3), 120, 40, way{"/", "type * ", "space", "hides marked"}},
		{"a mark ends with its revision and that is said", numbered(4), 120, 40, way{"space", "space",
			func(b *harness) { revise(b.over, "AC-1001", 2, 100*time.Hour) },
			"pass 0s", "marked AC-1002", "shows 1 marked, 1 mark ended: a newer revision has come",
			"esc", "hides marked", "hides mark ended"}},
	})
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
	b.press("R", "marked "+marked, "tab", "marked ", "hides marked", "tab", "r", "esc", "enter",
		"esc", "marked "+marked)
}

func TestNoMoreCasesAreMarkedThanGoTogether(t *testing.T) {
	b := newHarness(t, manyCases(t, mark.Most+2), 120, 40)
	b.press("*", "shows at most 1,000 cases can be marked at once; / shows fewer", "marked ",
		"/", "type id:AC", "enter", "*", "marked ")
}

func TestMarkedIdsAreCopiedOneALine(t *testing.T) {
	b := newHarness(t, numberedCases(t, 12), 120, 40)
	out := &writes{}
	b.console.clipboard = plainClipboard(out)
	b.press("space", "j", "space", "/", "type AC-1009", "enter", "space", "y", "shows 3 marked ids",
		"shows AC-1001 AC-1003 AC-1009", "enter", "shows copied: 3 marked ids")
	want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("AC-1001\nAC-1003\nAC-1009")) + "\x07"
	if len(out.all) != 1 || out.all[0] != want {
		t.Errorf("copied %q", out.all)
	}
	b.press("y", "2")
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("AC-1009")) + "\x07"; len(out.all) != 2 || out.all[1] != want {
		t.Errorf("copied %q", out.all)
	}
}
