package queue_test

import (
	"testing"

	"docket/domain"
)

func TestWhatCannotBeReadComesLastAmongTheLeastBlocked(t *testing.T) {
	d := domain.NewDocket(domain.Appeals, []domain.QueueRow{
		domain.UnreadableRow(domain.AppealCases, domain.Key{ID: "a", Number: 1}, "it does not match its digests"),
		{Table: domain.AppealCases, ID: "b", Revision: 1,
			Blockers: domain.Codes{Area: domain.Appeals, Set: domain.SetOf(domain.NoticeMissing)}},
		{Table: domain.AppealCases, ID: "c", Revision: 1, Gate: domain.Pass, Blockers: domain.Codes{Area: domain.Appeals}},
	})
	order := d.Order(domain.ByBlockers, "")
	for i, id := range []domain.ID{"c", "b", "a"} {
		if row := d.Row(int(order[i])); row.ID != id {
			t.Errorf("row %d is %s", i, row.ID)
		}
	}
	if d.Row(int(order[2])).Gate != domain.Blocked {
		t.Error("it reads as pass")
	}
}
