package domain

import (
	"testing"
	"time"
)

func TestOnlyARowThatDoesNotFitIsAnOddOne(t *testing.T) {
	for revision, odd := range map[int64]bool{-1: true, 0: false, 1: false, 65534: false, 65535: true, 65536: true} {
		row := QueueRow{Table: AppealCases, ID: "case-1", Revision: revision}
		if packed, _ := packRow(&row, 1); packed.isOdd() != odd {
			t.Errorf("revision %d: odd: %v", revision, packed.isOdd())
		}
	}
	row := QueueRow{Table: AppealCases, ID: "case-1", Revision: 1}
	for assigned, odd := range map[int]bool{rejectedBit - 1: false, rejectedBit: true} {
		if packed, _ := packRow(&row, assigned); packed.isOdd() != odd {
			t.Errorf("reviewer %d: odd: %v", assigned, packed.isOdd())
		}
	}
	for seconds, odd := range map[int64]bool{-1: true, 0: true, 1: false, 1<<32 - 1: false, 1 << 32: true} {
		row.Deadline = InstantOf(time.Unix(seconds, 0))
		if packed, _ := packRow(&row, 1); packed.isOdd() != odd {
			t.Errorf("a deadline of %d seconds: odd: %v", seconds, packed.isOdd())
		}
	}
}
