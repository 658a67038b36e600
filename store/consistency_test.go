package store

import (
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/merkle"

	"golang.org/x/mod/sumdb/tlog"
)

func TestALogProvesThatItBeganAsItWas(t *testing.T) {
	t.Parallel()
	d, _ := bound(t)
	heads := []records.LogHead{}
	note := func() {
		head := need(d.store.Head(t.Context()))(t)
		heads = append(heads, head)
	}
	note()
	for _, id := range []terms.ID{"case-1", "case-2", "case-3", "case-4"} {
		d.decided(id, "")
		note()
	}
	for from := range heads {
		for to := range heads[from:] {
			to += from
			proof, err := d.store.Consistency(t.Context(), int64(from), int64(to))
			if err != nil || proof == nil {
				t.Fatal(from, to, err)
			}
			if from == 0 || from == to {
				if len(proof) > 0 {
					t.Errorf("%d to %d: %v", from, to, proof)
				}
				continue
			}
			var hashes tlog.TreeProof
			for _, hash := range proof {
				hashes = append(hashes, merkle.ToTree(hash))
			}
			if err := tlog.CheckTree(hashes, int64(to), merkle.ToTree(heads[to].Root), int64(from), merkle.ToTree(heads[from].Root)); err != nil {
				t.Errorf("%d to %d: %v", from, to, err)
			}
		}
	}
	for _, sizes := range [][2]int64{{-1, 2}, {3, 2}, {2, 5}} {
		mustBe(t, errOf(d.store.Consistency(t.Context(), sizes[0], sizes[1])), ErrNotFound)
	}
}
