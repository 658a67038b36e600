package domain

import "testing"

func TestIDsThatBeginAlikeAreKeptOnce(t *testing.T) {
	var l docketLeaf
	last := ID("")
	for _, id := range []ID{"case-0000001", "case-0000002", "case-0000002-a", "decision-1"} {
		l.add(id, last)
		l.rows = append(l.rows, docketRow{})
		last = id
	}
	// Two lengths before each: the whole id, its last letter, the letters that are added, the whole id.
	if want := 4*2 + 12 + 1 + 2 + 10; len(l.ids) != want {
		t.Errorf("%d bytes, want %d: %q", len(l.ids), want, l.ids)
	}
}
