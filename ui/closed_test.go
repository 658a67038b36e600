package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

// closing is a workbench with cases and amendments in every state that closes one, all long overdue, and one open of each.
func closing(t testing.TB) *workbenchtest.Workbench {
	d := workbenchtest.New(t)
	for i, status := range []string{"upheld", "dismissed", "closed_unresolved", "superseded", "corrected", "filed"} {
		record := workbenchtest.Case(fmt.Sprintf("AC-%d", 2041+i), -time.Duration(100+i)*time.Hour)
		record["status"] = status
		if status == "filed" {
			record = workbenchtest.Case("AC-2046", 400*time.Hour)
		}
		d.Add(terms.AppealCases, record, nil)
	}
	for i, state := range []string{"rejected", "withdrawn", "superseded", "applied"} {
		record := workbenchtest.Amendment(fmt.Sprintf("AM-%d", 310+i))
		record["state"] = state
		d.Add(terms.AmendmentRecords, record, nil)
	}
	return d
}

func TestClosedCasesAreNeitherOpenNorOverdueAndComeLast(t *testing.T) {
	b := newHarness(t, closing(t), 120, 40)
	b.press("shows Appeals 2 open", "shows 4 closed", "shows □ closed", "hides overdue")
	var ids []string
	for _, l := range strings.Split(b.frame(), "\n") {
		list, _, _ := strings.Cut(l, "│")
		for _, word := range strings.Fields(list) {
			if strings.HasPrefix(word, "AC-") && len(ids) < 6 {
				ids = append(ids, word)
			}
		}
	}
	if got, want := strings.Join(ids, " "), "AC-2046 AC-2045 AC-2041 AC-2042 AC-2043 AC-2044"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	b.press("down") // onto the corrected case
	b.press("shows ◇ no record", "shows "+queue.RelianceWaits, "enter",
		"shows ◇ "+queue.RelianceWaits, "hides overdue", "esc", "tab", "shows Amendments 1 open",
		"shows □ rejected", "shows □ withdrawn", "shows □ superseded", "shows 3 closed", "b",
		"shows 0 blocked")
}

func TestClosedCasesStandBelowAHeadingThatTakesNoClick(t *testing.T) {
	b := newHarness(t, closing(t), 120, 40)
	b.shows("── Closed: 4 ─")
	lines := strings.Split(b.frame(), "\n")
	for at, text := range lines {
		if strings.HasPrefix(text, "── Closed: 4 ─") && (!strings.Contains(lines[at-1], "AC-2045") || !strings.Contains(lines[at+1], "AC-2041")) {
			t.Errorf("it stands between %q and %q", lines[at-1], lines[at+1])
		}
	}
	b.console.mouse = true
	for text, want := range map[string]string{"AC-2046": "AC-2046", "AC-2045": "AC-2045", "AC-2041": "AC-2041", "AC-2042": "AC-2042", "Closed: 4": "AC-2044"} {
		b.press("G")
		b.click(text)
		b.press("at queue", "on "+want)
	}
	b.press("/", "type is:closed", "enter", "shows ── Closed: 4 ─", "shows 4 of 6",
		"/", "ctrl+u", "type -is:closed", "enter", "hides ── Closed")
}

func TestTheHeadingOfClosedCasesHidesNoRowInAnyWindow(t *testing.T) {
	b := newHarness(t, closing(t), 80, 24)
	for height := 8; height <= 24; height++ {
		b.send(tea.WindowSizeMsg{Width: 80, Height: height})
		b.press("g")
		for range 6 {
			b.fits("closed")
			b.cursor()
			b.press("down")
		}
		for range 6 {
			b.fits("closed")
			b.cursor()
			b.press("up")
		}
	}
}

func TestAnIdIsNotCutFrom48ColumnsOn(t *testing.T) {
	ids := []string{"case-004147", "case-2026-00000000000000117", "appeal.2026.northern-basin.well-eleven"} // 11, 27 and 38 columns
	workbench := workbenchtest.New(t)
	for _, id := range ids {
		workbench.Add(terms.AppealCases, workbenchtest.Case(id, time.Hour), nil)
	}
	for width := 48; width <= 200; width++ {
		b := newHarness(t, workbench, width, 24)
		for _, id := range ids {
			if !strings.Contains(b.frame(), "  "+id+" ") && !strings.Contains(b.frame(), " "+id+" ") {
				t.Fatalf("at %d columns %s is cut:\n%s", width, id, b.frame())
			}
		}
	}
}
