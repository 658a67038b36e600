package board

import (
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"
	"docket/ui/internal/workbenchtest"
	"docket/ui/screen"
)

func TestTheBoardIsCountedAgainOnlyWhenTheQueueIsAnother(t *testing.T) {
	row := queue.Row{Table: terms.AppealCases, ID: "AC-1", Revision: 1, Status: "filed"}
	rows := queue.New(terms.Appeals, []queue.Row{row})
	b := boardScreen{area: terms.Appeals, queue: func(terms.Area) (*queue.Queue, bool) { return rows, true }}
	s := &screen.Scene{}
	before, _ := b.count(s)
	if again, _ := b.count(s); again != before {
		t.Error("the same queue is counted again")
	}
	row.Skipped = "it waits"
	rows.Put(&row)
	if after, _ := b.count(s); after == before || after.Open != before.Open-1 {
		t.Errorf("%d open cases, then %d", before.Open, after.Open)
	}
}

func TestALineOfTheBoardCountsWhatItsFilterShows(t *testing.T) {
	workbench := workbenchtest.Sample(t)
	unassigned := workbenchtest.Case("AC-3001", 9)
	delete(unassigned.In("neutralReview"), "reviewerId")
	delete(unassigned, "trigger")
	workbench.Add(terms.AppealCases, unassigned, nil)
	scope := workbenchtest.Case("AC-3002", 9)
	delete(scope, "subjectId")
	workbench.Add(terms.AppealCases, scope, nil)
	lines := 0
	for _, area := range terms.Areas.All() {
		rows, _, err := workbench.Queue(t.Context(), area, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		decided := rows.Row(0)
		decided.Decided = true
		rows.Put(&decided)
		board := boardScreen{area: area, queue: func(terms.Area) (*queue.Queue, bool) { return rows, true }}
		for board.grouping = range groupings {
			counted, _ := board.count(&screen.Scene{})
			for _, h := range counted.list {
				filter, err := queue.ParseFilter(h.filter)
				if err != nil {
					t.Fatalf("%q: %v", h.filter, err)
				}
				shown := rows.Select(rows.Order(queue.ByID, ""), filter, &queue.FilterContext{}, nil)
				if len(shown) != h.count {
					t.Errorf("%q counts %d and shows %d", h.filter, h.count, len(shown))
				}
				for _, at := range shown {
					if row := rows.Row(int(at)); !row.Workable() && !(row.Waiting() && h.filter == "is:waiting") {
						t.Errorf("%q shows %s", h.filter, row.ID)
					}
				}
				lines += h.count
			}
		}
	}
	if lines < 20 {
		t.Errorf("only %d rows were looked at", lines)
	}
}
