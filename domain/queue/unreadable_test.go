package queue_test

import (
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/terms"
)

func TestUnreadableRowsComeLastByBlockers(t *testing.T) {
	d := queue.New(terms.Appeals, []queue.Row{
		queue.UnreadableRow(terms.AppealCases, packets.Key{ID: "a", Number: 1}, "it does not match its digests"),
		{Table: terms.AppealCases, ID: "b", Revision: 1,
			Blockers: queue.Codes{Area: terms.Appeals, Set: terms.SetOf(terms.NoticeMissing)}},
		{Table: terms.AppealCases, ID: "c", Revision: 1, Gate: terms.Pass, Blockers: queue.Codes{Area: terms.Appeals}},
	})
	order := d.Order(queue.ByBlockers, "")
	for i, id := range []terms.ID{"c", "b", "a"} {
		if row := d.Row(int(order[i])); row.ID != id {
			t.Errorf("row %d is %s", i, row.ID)
		}
	}
	if d.Row(int(order[2])).Gate != terms.Blocked {
		t.Error("it reads as pass")
	}
}
