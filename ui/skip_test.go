package ui

import (
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestASkippedCaseComesBackWithItsNextRevision(t *testing.T) {
	b, workbench := sample(t, 120, 40)
	b.press("open AC-2043", "s", "type waiting for the second receipt", "enter")
	b.shows("↷ skipped: waiting for the second receipt")
	b.press("esc", "esc", "G")
	b.shows("2 skipped")
	next := workbenchtest.Case("AC-2043", 39*time.Hour)
	next["revision"] = 2
	workbench.Add(terms.AppealCases, next, nil)
	b.press("R")
	b.shows("1 skipped")
	b.press("open AC-2043")
	b.shows("revision 2")
	b.hides("↷")
	b.press("[")
	b.shows("revision 1 of 2", "↷ skipped: waiting for the second receipt")
}
