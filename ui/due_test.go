package ui

import (
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
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

func TestDueCasesAreAnnouncedOnceADayAndNotAtEachReading(t *testing.T) {
	workbench := dueCases()
	b := newHarness(t, workbench, 120, 40)
	b.shows("▲ 2 cases are overdue, 1 case is due today")
	b.press("j")
	b.hides("overdue, ")
	b.press("R")
	b.hides("overdue, ")
	b.pass(workbench, time.Hour)
	b.hides("overdue, ")
	b.pass(workbench, 13*time.Hour+30*time.Minute) // 23:30 UTC, half past midnight in the reviewer's zone
	b.shows("▲ 3 cases are overdue, 1 case is due today")
	b.press("j")
	b.pass(workbench, time.Hour)
	b.hides("overdue, ")
}

func TestNothingIsAnnouncedIfNothingIsDue(t *testing.T) {
	newHarness(t, numberedCases(3), 120, 40).hides("due today", "overdue")
}
