package queue_test

import (
	"slices"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/terms"
)

// isClosed and isSettled are the project's rule, written out again.
func isClosed(row queue.Row) bool {
	if terms.AreaOf(row.Table) == terms.Amendments {
		return slices.Contains([]terms.AnyTerm{"rejected", "withdrawn", "superseded"}, row.Status) ||
			row.Status == "applied" && row.Decided && row.Ruling.Gate == terms.Pass
	}
	return slices.Contains([]terms.AnyTerm{"upheld", "dismissed", "closed_unresolved", "superseded"}, row.Status) ||
		row.Status == "corrected" && row.Decided && slices.Contains([]string{"uphold_decision", "correct_record", "record_remedy"},
			row.Ruling.Outcome.String())
}

func dueOf(row queue.Row) terms.Instant {
	if terms.AreaOf(row.Table) == terms.Appeals && (isClosed(row) || row.Status == "corrected") {
		return terms.Instant{}
	}
	return row.Deadline
}

func TestEachStatusIsOpenOrClosed(t *testing.T) {
	for _, area := range terms.Areas.All() {
		statuses := append(terms.CaseStatuses.Texts(), "", "no word")
		if area == terms.Amendments {
			statuses = append(terms.AmendmentStates.Texts(), "", "no word")
		}
		for _, status := range statuses {
			for _, decided := range []bool{false, true} {
				row := queue.Row{Table: terms.RecordTable(area), ID: "x-1", Status: terms.AnyTerm(status), Decided: decided,
					Deadline: domaintest.Instant(domaintest.LongAgo), Blockers: queue.Codes{Area: area}}
				want := isClosed(row)
				if got := row.Closed(); got != want || row.Open() != (!want && !decided) {
					t.Errorf("%s %q, decided %v: closed %v, open %v", area, status, decided, got, row.Open())
				}
				if got, want := row.AwaitsRecord(), area == terms.Appeals && status == "corrected" && !decided; got != want {
					t.Errorf("%s %q, decided %v: awaits a record %v", area, status, decided, got)
				}
				if got := row.Due(); got != dueOf(row) {
					t.Errorf("%s %q, decided %v: due %q", area, status, decided, got)
				}
				if status == "no word" {
					continue // no queue holds it
				}
				row.Deadline = terms.Instant{}
				d := queue.New(area, []queue.Row{row})
				closed, _ := queue.ParseFilter("is:closed")
				selects := len(d.Select([]uint32{0}, closed, &queue.FilterContext{}, nil)) == 1
				if tally := d.Tally(""); selects != want || (tally.Closed == 1) != want || (tally.Open == 1) != (!want && !decided) ||
					d.Workable(0) != row.Workable() {
					t.Errorf("%s %q, decided %v: is:closed %v, %+v", area, status, decided, selects, tally)
				}
			}
		}
	}
}

func TestASettledCaseIsNeitherOverdueNorFirst(t *testing.T) {
	var rows []queue.Row
	for _, one := range []struct{ id, status, deadline string }{
		{"a-upheld", "upheld", domaintest.LongAgo}, {"b-corrected", "corrected", domaintest.LongAgo}, {"c-filed", "filed", "2026-07-01T00:00:00Z"},
		{"d-late", "filed", "2026-01-01T00:00:00Z"}, {"e-unread", "", ""},
	} {
		row := queue.Row{Table: terms.AppealCases, ID: terms.ID(one.id), Status: terms.AnyTerm(one.status), Blockers: queue.Codes{Area: terms.Appeals}}
		if one.deadline != "" {
			row.Deadline = domaintest.Instant(one.deadline)
		}
		rows = append(rows, row)
	}
	d := queue.New(terms.Appeals, rows)
	var ids []terms.ID
	for _, at := range d.Order(queue.ByDeadline, "") {
		ids = append(ids, d.Row(int(at)).ID)
	}
	if want := []terms.ID{"d-late", "c-filed", "b-corrected", "e-unread", "a-upheld"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	overdue, _ := queue.ParseFilter("due:<0h")
	if at := d.Select([]uint32{0, 1, 2, 3, 4}, overdue, &queue.FilterContext{Now: domaintest.Instant(domaintest.Now)}, nil); !slices.Equal(at, []uint32{3}) {
		t.Errorf("overdue are %v", at)
	}
}
