package queue_test

import (
	"fmt"
	"testing"
	"time"

	"docket/domain/internal/domaintest"
	"docket/domain/queue"
	"docket/domain/terms"
)

func longDocket(count int) *queue.Queue {
	var rows []queue.Row
	for i := range count {
		row := queue.Row{Table: terms.AppealCases, ID: terms.ID(fmt.Sprintf("case-%07d", i)), Revision: 1, Status: "filed",
			Subject: "claim", Trigger: "duplicate_proof", AssignedTo: terms.ID(fmt.Sprintf("rev-%02d", i%20)),
			Deadline: terms.InstantOf(domaintest.Instant(domaintest.Now).Time().Add(time.Duration(i*7919%9973) * time.Minute)),
			Blockers: queue.Codes{Area: terms.Appeals, Set: terms.SetOf(terms.NoticeMissing, terms.Blocker(1+i%17))}}
		rows = append(rows, row)
	}
	return queue.New(terms.Appeals, rows)
}

func BenchmarkQueue100k(b *testing.B) {
	d := longDocket(100_000)
	in := &queue.FilterContext{Reviewer: "rev-01", Now: domaintest.Instant(domaintest.Now)}
	places := d.Order(queue.ByDeadline, "rev-01")
	into := make([]uint32, 0, len(places))
	for _, text := range []string{"case-00999", "missing", "gate:pass", "blocker:notice due:<48h -is:mine"} {
		f, err := queue.ParseFilter(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("select "+text, func(b *testing.B) {
			for b.Loop() {
				into = d.Select(places, f, in, into[:0])
			}
		})
	}
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			d.Order(queue.ByDeadline, "rev-01")
		}
	})
	b.Run("tally", func(b *testing.B) {
		for b.Loop() {
			d.Tally("rev-01")
		}
	})
}
