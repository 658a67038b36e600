package decision_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
)

func TestTheSameResultIsTakenOverInSilence(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Outcome = terms.CorrectRecord
	d.Enter(decision.Review)
	seen := []views.SectionName{views.SectionGate, views.SectionStanding}
	workbench.Pass(time.Minute)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	renewal, still := d.Renew(&now, seen)
	if renewal != decision.Same || len(d.Notices) > 0 || d.Step() != decision.Review || !slices.Equal(still, seen) || d.View().EvaluatedAt() != workbench.Now() {
		t.Errorf("%d at %s with %q, seen %v", renewal, d.Step(), d.Notices, still)
	}
}

func TestAfterAnotherResultOnlyUnchangedSectionsCountAsSeen(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Outcome, d.Added = terms.RouteHumanReview, terms.SetOf(terms.DeadlineExpired)
	d.Enter(decision.Review)
	workbench.Pass(400 * 24 * time.Hour)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	renewal, still := d.Renew(&now, []views.SectionName{views.SectionGate, views.SectionStanding})
	if renewal != decision.Touched || d.Step() != decision.Blockers || !d.Added.Empty() || !slices.Equal(still, []views.SectionName{views.SectionStanding}) {
		t.Errorf("%d at %s, added %v, seen %v", renewal, d.Step(), d.Added.Terms(), still)
	}
	if told := strings.Join(d.Notices, "; "); !strings.Contains(told, "deadline_expired applies now") {
		t.Error(told)
	}
}

func TestAnEvaluationOfAnotherRevisionIsNotTaken(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	before := workbench.Latest(terms.AppealCases, "AC-2041")
	d := decision.New(&before, workbench.Now(), workbench.Who, false)
	d.Enter(decision.Review)
	record := workbenchtest.Case("AC-2041", 29*time.Hour)
	record["revision"] = 3
	workbench.Add(terms.AppealCases, record, nil)
	now := workbench.Latest(terms.AppealCases, "AC-2041")
	if renewal, _ := d.Renew(&now, nil); renewal != decision.Replaced || d.View().Key().Number != 2 || d.Notices[0] != "revision 3 has arrived" {
		t.Errorf("%d on revision %d with %q", renewal, d.View().Key().Number, d.Notices)
	}
}

func TestEachAreaListsWhatARecordCannotDo(t *testing.T) {
	for _, area := range terms.Areas.All() {
		if !strings.HasPrefix(views.Cannot(area), "It cannot ") {
			t.Errorf("nothing is said for %s", area)
		}
	}
}
