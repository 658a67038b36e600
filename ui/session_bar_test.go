package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/action"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"
)

// barLine is the line above the status.
func (b *harness) barLine() string {
	lines := strings.Split(b.frame(), "\n")
	return strings.TrimRight(lines[len(lines)-3], " ")
}

func TestTheSessionBarIsOffUntilItIsTurnedOnAndSaysHowToKeepIt(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.hides("cases done")
	b.press("i")
	b.shows("session bar on; `session_bar = true` in the config keeps it")
	if got := b.barLine(); got != "0 cases done · 17 open · 1 due today" {
		t.Errorf("the bar says %q", got)
	}
	b.press("i")
	b.shows("session bar off")
	b.hides("cases done")
	kept := startHarnessWith(t, workbenchtest.Sample(), 80, 24, Options{SessionBar: true})
	if got := kept.barLine(); got != "0 cases done" {
		t.Errorf("before the queues are read it says %q", got)
	}
	kept.run(kept.console.Init())
	if got := kept.barLine(); got != "0 cases done · 17 open · 1 due today" {
		t.Errorf("by the setting it says %q", got)
	}
}

func TestTheSessionBarCountsDoneCasesAndTheTimeOnEachCase(t *testing.T) {
	b, workbench := sample(t, 80, 24)
	b.press("i")
	b.goTo(terms.Appeals, "AC-2041")
	if got := b.barLine(); !strings.HasPrefix(got, "0 cases done · <1m on this case · 17 open") {
		t.Errorf("on opening: %q", got)
	}
	b.clock = b.clock.Add(4 * time.Minute)
	b.send(task.Ticked{Now: workbench.Now()}) // nobody presses a key
	if got := b.barLine(); !strings.HasPrefix(got, "0 cases done · 4m on this case") {
		t.Errorf("after four minutes: %q", got)
	}
	b.press("esc")
	b.clock = b.clock.Add(time.Hour)
	b.press("enter", "d")
	b.at(action.InDecision)
	if got := b.barLine(); !strings.Contains(got, "4m on this case") {
		t.Errorf("the time away counts, or the time before does not: %q", got)
	}
	b.press("esc", "esc")
	b.goTo(terms.Appeals, "AC-2041")
	b.press("d")
	b.toReceipt()
	if got := b.barLine(); got != "1 case done · 16 open · 0 due today" && got != "1 case done · 16 open · 1 due today" {
		t.Errorf("on the receipt: %q", got)
	}
}

func TestTheSessionBarGivesWayInASmallWindow(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("i")
	b.resize(48, 14)
	b.hides("cases done")
	b.press("i")
	b.shows("✗ the window has no room for the")
	b.resize(60, 16)
	b.shows("0 cases done · 17 open · 1 due today")
	for _, size := range [][2]int{{48, 14}, {60, 16}, {80, 24}, {120, 40}} {
		b.resize(size[0], size[1])
		b.fits("the session bar")
	}
}

func TestTheSessionBarDoesNotCountUnreadableRows(t *testing.T) {
	workbench := workbenchtest.Sample()
	workbench.Failing = errors.New("the store is locked")
	b := startHarnessWith(t, workbench, 80, 24, Options{SessionBar: true})
	b.run(b.console.Init())
	if got := b.barLine(); got != "0 cases done" {
		t.Errorf("it says %q", got)
	}
}
