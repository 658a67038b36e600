package queue

import (
	"testing"
	"time"

	"docket/domain/rules"
	"docket/domain/terms"
)

func TestIDsThatBeginAlikeAreKeptOnce(t *testing.T) {
	var l leaf
	last := terms.ID("")
	for _, id := range []terms.ID{"case-0000001", "case-0000002", "case-0000002-a", "decision-1"} {
		l.add(id, last)
		l.rows = append(l.rows, packedRow{})
		last = id
	}
	// Two lengths before each: the whole id, its last letter, the letters that are added, the whole id.
	if want := 4*2 + 12 + 1 + 2 + 10; len(l.ids) != want {
		t.Errorf("%d bytes, want %d: %q", len(l.ids), want, l.ids)
	}
}

func TestOnlyARowThatDoesNotFitIsAnOddOne(t *testing.T) {
	for revision, odd := range map[int64]bool{-1: true, 0: false, 1: false, 65534: false, 65535: true, 65536: true} {
		row := Row{Table: terms.AppealCases, ID: "case-1", Revision: revision}
		if packed, _ := packRow(&row, 1); packed.isOdd() != odd {
			t.Errorf("revision %d: odd: %v", revision, packed.isOdd())
		}
	}
	row := Row{Table: terms.AppealCases, ID: "case-1", Revision: 1}
	for assigned, odd := range map[int]bool{1<<16 - 1: false, 1 << 16: true} {
		if packed, _ := packRow(&row, assigned); packed.isOdd() != odd {
			t.Errorf("reviewer %d: odd: %v", assigned, packed.isOdd())
		}
	}
	for seconds, odd := range map[int64]bool{-1: true, 0: true, 1: false, 1<<32 - 1: false, 1 << 32: true} {
		row.Deadline = terms.InstantOf(time.Unix(seconds, 0))
		if packed, _ := packRow(&row, 1); packed.isOdd() != odd {
			t.Errorf("a deadline of %d seconds: odd: %v", seconds, packed.isOdd())
		}
	}
}

// A blocker without a bit would be lost in the queue.
func TestARowHasABitForEachBlockerOfItsArea(t *testing.T) {
	for _, area := range terms.Areas.All() {
		for _, rule := range rules.Book(area) {
			row := Row{Table: terms.RecordTable(area), Revision: 1, Blockers: Codes{area, terms.SetOf(rule.Code)}}
			packed, _ := packRow(&row, 1)
			if got := packed.held(area); got != terms.SetOf(rule.Code) || packed.status() != 0 {
				t.Errorf("%s: %s comes back as %q: packedRow has no room below statusAt", area, rule.Code, got.Texts())
			}
		}
	}
}
