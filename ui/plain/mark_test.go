package plain

import (
	"strings"
	"testing"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
)

func TestAMarkIsDroppedWithItsRevision(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, "appeals", "filter AC-2043", "mark all", "again", "quit")
	h.when("again", func() {
		next := workbenchtest.Case("AC-2043", 39*time.Hour)
		next["revision"] = 2
		workbench.Add(terms.AppealCases, next, nil)
	})
	says(t, h.works(), "1 mark ended: a newer revision has come.")
	if h.queues[terms.Appeals].marks.Has(packets.Key{ID: "AC-2043", Number: 1}) {
		t.Error("it is marked")
	}
}

func TestDueCasesAreAnnouncedOnceADay(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	h := newHarness(t, workbench, "appeals", "again", "back", "quit")
	said := h.works()
	says(t, said, "1 case is overdue, 1 case is due today.")
	if strings.Count(said, "is overdue, ") != 1 {
		t.Errorf("it is said again:\n%s", said)
	}
	h = newHarness(t, workbench, "again", "back", "quit")
	h.when("again", func() { workbench.Pass(16 * time.Hour) })
	same(t, "days said", strings.Count(h.works(), "overdue, "), 2)
}

func TestClosedCasesStandBelowTheirHeading(t *testing.T) {
	workbench := workbenchtest.New(t)
	for _, id := range []string{"AC-1", "AC-2", "AC-3"} {
		record := workbenchtest.Case(id, time.Hour)
		if id != "AC-3" {
			record["status"] = "upheld"
		}
		workbench.Add(terms.AppealCases, record, nil)
	}
	says(t, works(t, workbench, "appeals", "quit"), "Closed, 2:\n2. AC-1")
}
