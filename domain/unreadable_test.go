package domain_test

import (
	"testing"

	"docket/domain"
)

func TestWhatCannotBeReadComesLastAmongTheLeastBlocked(t *testing.T) {
	rows := []domain.QueueRow{
		domain.UnreadableRow(domain.AppealCases, domain.Key{ID: "a", Number: 1}, "it does not match its digests"),
		{Table: domain.AppealCases, ID: "b", Revision: 1,
			Blockers: domain.Codes{Area: domain.Appeals, Set: domain.SetOf(domain.NoticeMissing)}},
		{Table: domain.AppealCases, ID: "c", Revision: 1, Gate: domain.Pass, Blockers: domain.Codes{Area: domain.Appeals}},
	}
	domain.SortQueue(rows, domain.ByBlockers)
	for i, id := range []domain.ID{"c", "b", "a"} {
		if rows[i].ID != id {
			t.Errorf("row %d is %s", i, rows[i].ID)
		}
	}
	if rows[2].Gate != domain.Blocked {
		t.Error("it reads as pass")
	}
}
