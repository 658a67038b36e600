package queue

import (
	"fmt"
	"testing"

	"docket/domain/queue"
	"docket/domain/terms"

	"pgregory.net/rapid"
)

func TestKeptPacketsAreBoundedInNumberAndWeightAndTheLastOneIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p previews
		for range rapid.IntRange(1, 60).Draw(t, "packets") {
			row := queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprint(rapid.IntRange(0, 20).Draw(t, "id"))), Revision: rapid.Int64Range(1, 3).Draw(t, "revision")}
			one := &kept{of: previewed{row: row}, weight: rapid.OneOf(rapid.IntRange(0, 9000), rapid.IntRange(0, 2*mostKeptBytes)).Draw(t, "weight")}
			p.keep(one)
			if p.find(one.of) != one {
				t.Fatal("the packet that came last is not kept")
			}
			weight, ids := 0, map[terms.ID]bool{}
			for _, k := range p.kept {
				weight += k.weight
				if ids[k.of.row.ID] {
					t.Fatal("a case is kept twice")
				}
				ids[k.of.row.ID] = true
			}
			if len(p.kept) > mostKept || len(p.kept) > 1 && weight > mostKeptBytes {
				t.Fatalf("%d packets of %d bytes are kept", len(p.kept), weight)
			}
			if rapid.Bool().Draw(t, "used") {
				p.touch(p.kept[0])
			}
		}
	})
}

func TestNeighboursAreThoseInTheDirectionOfTheCursor(t *testing.T) {
	var rows []queue.Row
	for i := range 9 {
		rows = append(rows, queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprint("case-", i)), Revision: 1})
	}
	rows[6].Unreadable = "it does not match its digests"
	d := newAreaQueue(terms.Appeals)
	d.queue = queue.New(terms.Appeals, rows)
	for i := range rows {
		d.shown = append(d.shown, uint32(i))
	}
	var p previews
	for _, move := range []struct {
		to   int
		want string
	}{{0, "[case-0 case-1 case-2]"}, {1, "[case-1 case-2 case-3 case-0]"}, {4, "[case-4 case-5 case-3]"}, {3, "[case-3 case-2 case-1 case-4]"}, {8, "[case-8 case-7]"}, {6, "[case-5 case-4 case-7]"}} {
		d.list.Cursor = move.to
		var ids []terms.ID
		for _, of := range p.wanted(d) {
			ids = append(ids, of.row.ID)
		}
		if got := fmt.Sprint(ids); got != move.want {
			t.Errorf("at %d: %s, want %s", move.to, got, move.want)
		}
	}
}
