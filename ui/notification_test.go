package ui

import (
	"errors"
	"io"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/task"
)

// dueCases is a workbench with two cases overdue, one due in two hours, one due in 20 hours and one that is closed and overdue, at 09:00 UTC.
func dueCases() *workbenchtest.Workbench {
	d := workbenchtest.New()
	d.Add(terms.AppealPolicies, workbenchtest.AppealPolicy(), nil)
	for id, left := range map[string]time.Duration{"AC-1": -time.Hour, "AC-2": -time.Minute, "AC-3": 2 * time.Hour, "AC-4": 20 * time.Hour} {
		d.Add(terms.AppealCases, workbenchtest.Case(id, left), nil)
	}
	closed := workbenchtest.Case("AC-5", -time.Hour)
	closed["status"] = "dismissed"
	d.Add(terms.AppealCases, closed, nil)
	return d
}

// plainNotifier is that of a terminal without a multiplexer.
func plainNotifier(out io.Writer, how task.Notification) task.Notifier {
	return task.NewNotifier(out, func(string) string { return "" }, how)
}

// notifying starts a console that notifies, and returns what it writes to the terminal beside its frames.
func notifying(t *testing.T, workbench *workbenchtest.Workbench, how task.Notification) (*harness, *writes) {
	t.Helper()
	out := &writes{}
	b := startHarnessWith(t, workbench, 120, 40, Options{Notify: how})
	b.console.notifier = plainNotifier(out, how)
	b.run(b.console.Init())
	return b, out
}

func TestDueCasesAreAnnouncedOnceADayAndNotAtEachReading(t *testing.T) {
	workbench := dueCases()
	b, out := notifying(t, workbench, task.OSC9)
	b.shows("▲ 2 cases are overdue, 1 case is due today")
	b.press("j")
	b.hides("overdue, ")
	b.press("R")
	b.hides("overdue, ")
	workbench.Pass(time.Hour)
	b.send(task.Ticked{Now: workbench.Now()})
	b.hides("overdue, ")
	if len(out.all) != 1 || out.all[0] != "\x1b]9;docket, 2 cases are overdue, 1 case is due today\a" {
		t.Fatalf("%q", out.all)
	}
	workbench.Pass(13*time.Hour + 30*time.Minute) // 23:30 UTC, half past midnight in the reviewer's zone
	b.send(task.Ticked{Now: workbench.Now()})
	b.shows("▲ 3 cases are overdue, 1 case is due today")
	b.press("j")
	workbench.Pass(time.Hour)
	b.send(task.Ticked{Now: workbench.Now()})
	b.hides("overdue, ")
	if len(out.all) != 2 {
		t.Errorf("%q", out.all)
	}
}

func TestNothingIsAnnouncedIfNothingIsDue(t *testing.T) {
	b, out := notifying(t, numberedCases(3), task.OSC777)
	b.hides("due today", "overdue")
	if len(out.all) != 0 {
		t.Errorf("%q", out.all)
	}
}

func TestTheTerminalIsNotAskedToNotifyUnlessTheReaderWantsThat(t *testing.T) {
	b, out := notifying(t, dueCases(), task.NoNotification)
	b.shows("▲ 2 cases are overdue")
	if len(out.all) != 0 {
		t.Errorf("%q", out.all)
	}
}

func TestANotificationThatFailsIsSaid(t *testing.T) {
	b := startHarnessWith(t, dueCases(), 120, 40, Options{Notify: task.Bell})
	b.console.notifier = plainNotifier(&writes{err: errors.New("the pipe is closed")}, task.Bell)
	b.run(b.console.Init())
	b.shows("✗ not notified: the terminal: the pipe is closed")
}
