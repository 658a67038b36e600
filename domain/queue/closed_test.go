package queue_test

import (
	"slices"
	"testing"

	"docket/domain"
	"docket/domain/internal/domaintest"
)

// isClosed and isSettled are the project's rule, written out anew.
func isClosed(row domain.QueueRow) bool {
	if domain.AreaOf(row.Table) == domain.Amendments {
		return slices.Contains([]domain.AnyWord{"rejected", "withdrawn", "superseded"}, row.Status)
	}
	return slices.Contains([]domain.AnyWord{"upheld", "dismissed", "closed_unresolved", "superseded"}, row.Status) ||
		row.Status == "corrected" && row.Decided
}

func dueOf(row domain.QueueRow) domain.Instant {
	if domain.AreaOf(row.Table) == domain.Appeals && (isClosed(row) || row.Status == "corrected") {
		return domain.Instant{}
	}
	return row.Deadline
}

func TestEachStatusIsOpenOrClosed(t *testing.T) {
	for _, area := range domain.Areas.All() {
		statuses := append(domain.CaseStatuses.Texts(), "", "no word")
		if area == domain.Amendments {
			statuses = append(domain.AmendmentStates.Texts(), "", "no word")
		}
		for _, status := range statuses {
			for _, decided := range []bool{false, true} {
				row := domain.QueueRow{Table: domain.RecordTable(area), ID: "x-1", Status: domain.AnyWord(status), Decided: decided,
					Deadline: domaintest.Instant(domaintest.LongAgo), Blockers: domain.Codes{Area: area}}
				want := isClosed(row)
				if got := row.Closed(); got != want || row.Open() != (!want && !decided) {
					t.Errorf("%s %q, decided %v: closed %v, open %v", area, status, decided, got, row.Open())
				}
				if got, want := row.AwaitsRecord(), area == domain.Appeals && status == "corrected" && !decided; got != want {
					t.Errorf("%s %q, decided %v: awaits a record %v", area, status, decided, got)
				}
				if got := row.Due(); got != dueOf(row) {
					t.Errorf("%s %q, decided %v: due %q", area, status, decided, got)
				}
				if status == "no word" {
					continue // no docket holds it
				}
				row.Deadline = domain.Instant{}
				d := domain.NewDocket(area, []domain.QueueRow{row})
				closed, _ := domain.ParseFilter("is:closed")
				selects := len(d.Select([]uint32{0}, closed, &domain.FilterContext{}, nil)) == 1
				if tally := d.Tally(""); selects != want || (tally.Closed == 1) != want || (tally.Open == 1) != (!want && !decided) ||
					d.Workable(0) != row.Workable() {
					t.Errorf("%s %q, decided %v: is:closed %v, %+v", area, status, decided, selects, tally)
				}
			}
		}
	}
}

func TestASettledCaseIsNeitherOverdueNorFirst(t *testing.T) {
	var rows []domain.QueueRow
	for _, one := range []struct{ id, status, deadline string }{
		{"a-upheld", "upheld", domaintest.LongAgo}, {"b-corrected", "corrected", domaintest.LongAgo}, {"c-filed", "filed", "2026-07-01T00:00:00Z"},
		{"d-late", "filed", "2026-01-01T00:00:00Z"}, {"e-unread", "", ""},
	} {
		row := domain.QueueRow{Table: domain.AppealCases, ID: domain.ID(one.id), Status: domain.AnyWord(one.status), Blockers: domain.Codes{Area: domain.Appeals}}
		if one.deadline != "" {
			row.Deadline = domaintest.Instant(one.deadline)
		}
		rows = append(rows, row)
	}
	d := domain.NewDocket(domain.Appeals, rows)
	var ids []domain.ID
	for _, at := range d.Order(domain.ByDeadline, "") {
		ids = append(ids, d.Row(int(at)).ID)
	}
	if want := []domain.ID{"d-late", "c-filed", "b-corrected", "e-unread", "a-upheld"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	overdue, _ := domain.ParseFilter("due:<0h")
	if at := d.Select([]uint32{0, 1, 2, 3, 4}, overdue, &domain.FilterContext{Now: domaintest.Instant(domaintest.Now)}, nil); !slices.Equal(at, []uint32{3}) {
		t.Errorf("overdue are %v", at)
	}
}
